/** The class that sets a longer title smaller (guide §3); none where it is short. */
export function titleLength(title: string): 'longTitle' | 'longestTitle' | undefined {
  const length = Array.from(title).length
  if (length > 64) return 'longestTitle'
  return length > 32 ? 'longTitle' : undefined
}
