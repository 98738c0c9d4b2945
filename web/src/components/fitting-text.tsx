import type { ReactNode } from 'react'
import { fittingClass } from '../lib/word-class'

interface FittingTextProps {
  /** A name or a title. */
  text: string
  /** The text with marks, for example. */
  children?: ReactNode
  /** Whether the text is alone in its block, whose width counts; else that of the container around it. */
  isBlock?: boolean
}

/** A name or a title, smaller where its longest word would not fit (`base.css`). */
export function FittingText({ text, children = text, isBlock = false }: FittingTextProps) {
  const fitting = fittingClass(text)
  if (!fitting) return children
  const words = <span className={fitting}>{children}</span>
  return isBlock ? <span className="word-line">{words}</span> : words
}
