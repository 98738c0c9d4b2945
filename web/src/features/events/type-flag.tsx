import { typeGlyphs, typeSlug } from './event-look'
import styles from './type-flag.module.css'

/** An event's type: its glyph on its colour, and its name (guide §6). */
export function TypeFlag({ type }: { type: string }) {
  const slug = typeSlug(type)
  return (
    <span className={styles.root} data-type={slug}>
      <span className={styles.block}>
        <svg className={styles.glyph} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
          <path fillRule="evenodd" d={typeGlyphs[slug]} />
        </svg>
      </span>
      <span className={styles.label}>{type}</span>
    </span>
  )
}
