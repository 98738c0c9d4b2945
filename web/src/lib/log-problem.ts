/** Logs a failure that is not shown to the visitor (spec §8: "logged only"). */
export function logProblem(what: string, cause: unknown): void {
  console.warn(what, cause)
}
