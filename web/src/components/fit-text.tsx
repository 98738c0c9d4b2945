import type { ReactNode } from 'react'
import { textFitClass } from '../lib/text-fit'

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
