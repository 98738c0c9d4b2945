import type { ReactNode } from 'react'

const wordsOf = (text: string) => text.split(/[\s\u2010-\u2014/-]+/)

/**
 * The class of a heading whose longest word is longer than a line of large text in a narrow column
 * (`base.css`), which limits the size of the text; none if no word is.
 */
export function longWordClass(heading: string): 'long-word' | 'longest-word' | undefined {
  const longest = Math.max(...wordsOf(heading).map((word) => word.length))
  if (longest > 16) return 'longest-word'
  return longest > 9 ? 'long-word' : undefined
}

/** The longest word that fits the narrowest column, and the longest that gets smaller, in em. */
const minWidth = 6
const maxWidth = 12

/**
 * The class of a name or a title that is not a heading (`base.css`): its longest word limits the size
 * of the text in a narrow column; none if it fits everywhere. Finer than those of headings, as the
 * text may be small already.
 */
export function textFitClass(text: string): string | undefined {
  const width = Math.max(...wordsOf(text).map(widthOf))
  return width > minWidth ? `word-${Math.min(Math.ceil(width), maxWidth)}` : undefined
}

interface FitTextProps {
  /** A name or a title. */
  text: string
  /** The text with marks, for example. */
  children?: ReactNode
  /** Whether the text is alone in its block, whose width counts; else that of the container around it. */
  isBlock?: boolean
}

/** A name or a title, smaller where its longest word would not fit (`base.css`). */
export function FitText({ text, children = text, isBlock = false }: FitTextProps) {
  const fitClass = textFitClass(text)
  if (!fitClass) return children
  const words = <span className={fitClass}>{children}</span>
  return isBlock ? <span className="word-line">{words}</span> : words
}

/** The width of a word in em, as bold letters of the site's font have on average. */
function widthOf(word: string): number {
  return Array.from(word, letterWidth).reduce((sum, width) => sum + width, 0)
}

/** A month has thousands of letters, and the server's engine takes long for a regular expression. */
const letterWidths = new Map<string, number>()

function letterWidth(letter: string): number {
  const cached = letterWidths.get(letter)
  if (cached !== undefined) return cached
  const width = measure(letter)
  letterWidths.set(letter, width)
  return width
}

function measure(letter: string): number {
  if (/[fijltI'’]/.test(letter)) return 0.3
  if (letter === 'r') return 0.37
  if (/[mwMW]/.test(letter)) return 0.87
  return /\p{Lu}/u.test(letter) ? 0.72 : 0.57
}
