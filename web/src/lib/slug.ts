/**
 * A name in lower case with dashes, for URLs and ids: `ira-related-webinars`. The initial chunk has this file, but not
 * `text.ts`.
 */
export function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
