/** Logs a failure that is not shown to the visitor (spec §8: "logged only"). */
export function logProblem(message: string, cause: unknown): void {
  console.warn(message, cause)
}
