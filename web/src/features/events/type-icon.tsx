import { typeIcons } from './event-presentation'
import styles from './type-icon.module.css'

interface TypeIconProps {
  slug: string
  /** For another size than 12px. */
  className?: string | undefined
}

/** The glyph of an event type; the type's name stands in text nearby (guide §2). */
export function TypeIcon({ slug, className = styles.root }: TypeIconProps) {
  return (
    <svg className={className} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      <path fillRule="evenodd" d={typeIcons[slug]} />
    </svg>
  )
}
