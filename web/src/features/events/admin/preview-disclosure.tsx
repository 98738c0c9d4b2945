import { type ReactNode, useState } from 'react'
import styles from './preview-disclosure.module.css'

/** The preview in windows that are too narrow to show it beside the form; rendered while it is open. */
export function PreviewDisclosure({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={styles.root}
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open)
      }}
    >
      <summary className={styles.summary}>Preview: as visitors will see it</summary>
      {isOpen && <div className={styles.content}>{children}</div>}
    </details>
  )
}
