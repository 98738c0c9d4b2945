import type { CalendarEvent } from '../../../api/types'
import { FitText } from '../../../components/fit-text'
import { SiteLink } from '../../../components/links'
import styles from './event-details.module.css'
import { Fact } from './event-facts'

/** The series of an event with its position there, and links to the events before and after it. */
export function SeriesFact({ event }: { event: CalendarEvent }) {
  const { series, seriesPosition: position } = event
  if (!position) return null
  const { previous, next } = position
  return (
    <Fact name="Series">
      <SiteLink to={position.path}>
        <FitText text={series ?? ''} />
      </SiteLink>
      {position.count > 1 && `, ${position.number} of ${position.count}`}
      {previous && (
        <span className={styles.city}>
          Previous:{' '}
          <SiteLink to={previous.path}>
            <FitText text={previous.title} />
          </SiteLink>
        </span>
      )}
      {next && (
        <span className={styles.city}>
          Next:{' '}
          <SiteLink to={next.path}>
            <FitText text={next.title} />
          </SiteLink>
        </span>
      )}
    </Fact>
  )
}
