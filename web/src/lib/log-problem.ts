/** Notes a failure that the visitor need not hear of (spec §8: "logged only"). */
export function logProblem(what: string, cause: unknown): void {
  console.warn(what, cause)
}
