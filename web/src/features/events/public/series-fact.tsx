import type { CalendarEvent } from '../../../api/types'
import { SiteLink } from '../../../components/links'
import styles from './event-details.module.css'
import { Fact } from './event-facts'

/** The series of an event with its place there, and links to the events before and after it. */
export function SeriesFact({ event }: { event: CalendarEvent }) {
  const { series, seriesPlace: place } = event
  if (!place) return null
  const { previous, next } = place
  return (
    <Fact name="Series">
      <SiteLink to={place.path}>{series}</SiteLink>
      {place.count > 1 && `, ${place.number} of ${place.count}`}
      {previous && (
        <span className={styles.city}>
          Previous: <SiteLink to={previous.path}>{previous.title}</SiteLink>
        </span>
      )}
      {next && (
        <span className={styles.city}>
          Next: <SiteLink to={next.path}>{next.title}</SiteLink>
        </span>
      )}
    </Fact>
  )
}
