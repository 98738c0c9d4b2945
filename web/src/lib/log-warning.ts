/** Logs a failure that is not shown to the visitor (spec §8: "logged only"). */
export function logWarning(message: string, cause: unknown): void {
  console.warn(message, cause)
}
