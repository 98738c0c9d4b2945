/**
 * Measures until a try is under the limit, up to five times, and gives back all of them. It asks what
 * the machine can do: a single try may share it with something else.
 */
export async function upToFive(limit: number, measure: () => Promise<number>): Promise<number[]> {
  const tries: number[] = []
  while (tries.length < 5 && !tries.some((time) => time < limit)) tries.push(await measure())
  return tries
}
