import type { CalendarEvent } from '../../../api/types'
import { NewTabLink } from '../../../components/links'
import { classNames } from '../../../lib/class-names'
import styles from './description.module.css'

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

/**
 * A web URL that does not continue a word or another URL; its end may be punctuation of the
 * sentence. Without a scheme it starts with `www.`.
 */
const urls =
  /(?:(?<![\p{L}\p{N}])https?:\/\/[\p{L}\p{N}[]|(?<![\p{L}\p{N}.@/_-])www\.[\p{L}\p{N}-]+\.[\p{L}\p{N}])[^\s<>"“”]*/giu

/** Text in which web URLs are links, marked for search engines as user-generated content. */
export function LinkedText({ text }: { text: string }) {
  return partsOf(text).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <NewTabLink key={index} className={styles.link} rel="noopener nofollow ugc" href={hrefOf(part)}>
        {part}
      </NewTabLink>
    ),
  )
}

/** The URL with its scheme. */
const hrefOf = (url: string) => (/^www/i.test(url) ? `https://${url}` : url)

/** The text in parts: every second one is a URL. */
export function partsOf(text: string): string[] {
  const parts: string[] = []
  let end = 0
  for (const { 0: match, index } of text.matchAll(urls)) {
    const url = withoutPunctuation(match)
    parts.push(text.slice(end, index), url)
    end = index + url.length
  }
  return [...parts, text.slice(end)]
}

/** Without the punctuation after the URL, and without a bracket that was opened before it. */
function withoutPunctuation(url: string): string {
  let end = url.length
  while (end > 0) {
    const start = url.slice(0, end)
    const isOpened = start.endsWith(')') && start.split('(').length >= start.split(')').length
    if (isOpened || !/[^\p{L}\p{N}/=&#%+@$]$/u.test(start)) break
    end -= 1
  }
  return url.slice(0, end)
}
