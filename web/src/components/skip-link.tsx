import styles from './skip-link.module.css'

/** The first stop of the Tab key: past the header to the `main` element (guide §9). */
export function SkipLink() {
  return (
    <a className={styles.root} href="#main">
      Skip to content
    </a>
  )
}
