/**
 * The class of a heading whose longest word is longer than a line of large text in a narrow column
 * (`base.css`), which limits the size of the text; none if no word is.
 */
export function wordClass(heading: string): 'long-word' | 'longest-word' | undefined {
  const words = heading.split(/[\s\u2010-\u2014/-]+/)
  const longest = Math.max(...words.map((word) => word.length))
  if (longest > 16) return 'longest-word'
  return longest > 9 ? 'long-word' : undefined
}
