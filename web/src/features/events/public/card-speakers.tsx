import type { SpeakerSummary } from '../../../api/types'
import { FitText } from '../../../components/fit-text'
import { Portrait } from '../../../components/portrait'
import { classNames } from '../../../lib/class-names'
import styles from './card-speakers.module.css'

/** The maximum number of cells; with more speakers the last cell counts the rest. */
const maxCells = 6

/**
 * The speakers at the bottom of the card's image, with names and titles on a solid panel. One is
 * beside the name, two and three are tall, more are in two rows (guide §6).
 */
export function CardSpeakers({ speakers }: { speakers: readonly SpeakerSummary[] }) {
  const shown = speakers.length > maxCells ? speakers.slice(0, maxCells - 1) : speakers
  const others = speakers.slice(shown.length)
  const layout = [styles.one, styles.two, styles.three][speakers.length - 1] ?? styles.rows

  return (
    <ul className={classNames(styles.root, layout)} aria-label="Speakers">
      {shown.map(({ id, name, title, imageUrl }) => (
        <li key={id} className={styles.speaker}>
          <Portrait className={styles.portrait} name={name} imageUrl={imageUrl} />
          <span className={styles.caption}>
            <b className={styles.name}>
              <FitText text={name} isBlock />
            </b>
            <span className={styles.title}>
              <FitText text={title} isBlock />
            </span>
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
