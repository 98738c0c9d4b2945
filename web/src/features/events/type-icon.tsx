import { typeIcons } from './event-presentation'
import styles from './type-icon.module.css'

interface TypeIconProps {
  slug: string
  /** For a size other than 12px. */
  className?: string | undefined
}

/** The icon of an event type, shown next to the type's name (guide §2). */
export function TypeIcon({ slug, className = styles.root }: TypeIconProps) {
  return (
    <svg className={className} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      <path fillRule="evenodd" d={typeIcons[slug]} />
    </svg>
  )
}
