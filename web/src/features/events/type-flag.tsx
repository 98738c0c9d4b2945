import { typeSlug } from './event-presentation'
import styles from './type-flag.module.css'
import { TypeIcon } from './type-icon'

/** An event's type: its icon on its colour, and its name (guide §6). */
export function TypeFlag({ type }: { type: string }) {
  const slug = typeSlug(type)
  return (
    <span className={styles.root} data-type={slug}>
      <span className={styles.block}>
        <TypeIcon className={styles.glyph} slug={slug} />
      </span>
      <span className={styles.label}>{type}</span>
    </span>
  )
}
