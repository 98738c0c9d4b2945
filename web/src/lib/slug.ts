/** Words as addresses and names in the page have them: `ira-related-webinars`. */
export function slugOf(words: string): string {
  return words.toLowerCase().replaceAll(' ', '-')
}
