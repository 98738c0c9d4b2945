import type { CalendarEvent } from '../../../api/types'
import { classNames } from '../../../lib/class-names'
import styles from './description.module.css'
import { LinkedText } from './linked-text'

interface DescriptionProps {
  event: Pick<CalendarEvent, 'description' | 'descriptionHtml'>
  className: string | undefined
}

/** The description of an event: text with links, or the server's HTML of Markdown. */
export function Description({ event, className }: DescriptionProps) {
  const { description, descriptionHtml: html } = event
  return html === undefined ? (
    <p className={className}>
      <LinkedText text={description} />
    </p>
  ) : (
    // The server has sanitized it.
    <div
      className={classNames(className, styles.root)}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
