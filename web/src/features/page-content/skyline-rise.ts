/**
 * How long ago, in milliseconds, the skyline began to rise. The page as the server writes it starts
 * the rise with its first frame; the page that takes over carries it on where it is instead of
 * starting again, and whoever comes back to the home page later finds the skyline standing.
 */
export function riseOffset(): number {
  const firstPaint = performance.getEntriesByType('paint')[0]?.startTime ?? 0
  return performance.now() - firstPaint
}
