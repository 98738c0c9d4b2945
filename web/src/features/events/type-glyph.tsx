import { typeGlyphs } from './event-presentation'
import styles from './type-glyph.module.css'

interface TypeGlyphProps {
  slug: string
  /** For another size than 12px. */
  className?: string | undefined
}

/** The glyph of an event type; the type's name stands in text nearby (guide §2). */
export function TypeGlyph({ slug, className = styles.root }: TypeGlyphProps) {
  return (
    <svg className={className} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      <path fillRule="evenodd" d={typeGlyphs[slug]} />
    </svg>
  )
}
