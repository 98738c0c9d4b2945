import { useId } from 'react'
import styles from './markdown-switch.module.css'
import type { EventForm } from './use-event-form'

/** Turns on Markdown in the description. */
export function MarkdownSwitch({ form: { values, change } }: { form: EventForm }) {
  const helpId = useId()
  return (
    <div className={styles.root}>
      <label className={styles.label}>
        <input
          type="checkbox"
          name="descriptionFormat"
          aria-describedby={helpId}
          checked={values.descriptionFormat === 'markdown'}
          onChange={(event) => {
            change({ descriptionFormat: event.target.checked ? 'markdown' : 'plain' })
          }}
        />
        Use Markdown for lists, bold and links
      </label>
      <p className={styles.help} id={helpId}>
        <code>**bold**</code> <code>- item of a list</code>{' '}
        <code>[words](https://example.com)</code>, and a blank line between paragraphs. The preview
        shows the result. Calendars, feeds and search engines get the text.
      </p>
    </div>
  )
}
