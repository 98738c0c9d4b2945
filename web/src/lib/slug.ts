/** A name in lower case with dashes, for URLs and ids: `ira-related-webinars`. */
export function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
