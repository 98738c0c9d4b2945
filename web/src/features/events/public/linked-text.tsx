import { NewTabLink } from '../../../components/ui/new-tab-link'
import styles from './linked-text.module.css'

/** A web address that does not continue a word; its end may be punctuation of the sentence. */
const address = /(?<![\p{L}\p{N}])https?:\/\/[\p{L}\p{N}[][^\s<>"“”]*/giu

/** Text in which web addresses are links. Their targets were written by others: search engines are told. */
export function LinkedText({ text }: { text: string }) {
  return partsOf(text).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <NewTabLink key={index} className={styles.root} rel="noopener nofollow ugc" href={part}>
        {part}
      </NewTabLink>
    ),
  )
}

/** The text in parts: every second one is an address. */
export function partsOf(text: string): string[] {
  const parts: string[] = []
  let end = 0
  for (const { 0: match, index } of text.matchAll(address)) {
    const url = withoutPunctuation(match)
    parts.push(text.slice(end, index), url)
    end = index + url.length
  }
  return [...parts, text.slice(end)]
}

const brackets: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Without the punctuation after the address, and without closing brackets that were opened before it. */
function withoutPunctuation(url: string): string {
  let end = url.length
  for (; end > 0; end -= 1) {
    const last = url.charAt(end - 1)
    const opening = brackets[last]
    const isPunctuation = opening
      ? url.slice(0, end).split(last).length > url.slice(0, end).split(opening).length
      : /[.,;:!?…'’*_~»›|—–-]/.test(last)
    if (!isPunctuation) break
  }
  return url.slice(0, end)
}
