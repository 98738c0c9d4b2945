import type { EventSpeaker } from '../../../api/types'
import { Portrait } from '../../../components/portrait'
import { classNames } from '../../../lib/class-names'
import styles from './speaker-wall.module.css'

/** How many fit; beyond it the last place says how many more there are. */
const places = 6

/**
 * The speakers standing at the foot of the card's picture, with names and titles on the plinth. One
 * stands beside the name, two and three are tall, more stand in two rows (guide §6).
 */
export function SpeakerWall({ speakers }: { speakers: readonly EventSpeaker[] }) {
  const shown = speakers.length > places ? speakers.slice(0, places - 1) : speakers
  const others = speakers.slice(shown.length)
  const layout = [styles.one, styles.two, styles.three][speakers.length - 1] ?? styles.rows

  return (
    <ul className={classNames(styles.root, layout)} aria-label="Speakers">
      {shown.map(({ id, name, title, imageUrl }) => (
        <li key={id} className={styles.speaker}>
          <Portrait className={styles.portrait} name={name} imageUrl={imageUrl} />
          <span className={styles.words}>
            <b className={styles.name}>{name}</b>
            <span className={styles.title}>{title}</span>
          </span>
        </li>
      ))}
      {others.length > 0 && (
        <li className={styles.speaker}>
          <span className={styles.others}>
            <span aria-hidden="true">+{others.length}</span>
            <span className="visually-hidden">
              and {others.map(({ name }) => name).join(', ')}
            </span>
          </span>
        </li>
      )}
    </ul>
  )
}
