import { useSearchParams } from 'react-router-dom'
import { useCurrentQueryString } from '../../lib/use-current-query-string'
import { eventTypes } from '../../api/generated/contract'
import { PageHeader } from '../../components/headers'
import { Legend, TypeFilter } from '../../features/events/calendar/calendar-section'
import { CalendarInterestToggle } from '../../features/interest/interest-toggle'
import { SubscribeMenuLink } from '../../features/subscriptions/subscribe-menu-link'
import { useSite } from '../initial-data'
import { EventCalendar } from '../lazy-sections'
import { useDocumentTitle } from '../navigation-effects'
import styles from './calendar-route.module.css'

/** The public calendar (spec §2, /calendar). */
export function CalendarRoute() {
  const [type, setType] = useTypeParameter()
  const { baseUrl, name } = useSite()
  useDocumentTitle('Events Calendar')

  return (
    <>
      <PageHeader title="Events Calendar">
        <p>View and register for upcoming events</p>
      </PageHeader>
      <section className={styles.root} id="calendar" aria-label="Calendar">
        <div className="wrap wrap-flush">
          <div className={styles.tools}>
            <Legend />
            <SubscribeMenuLink baseUrl={baseUrl} siteName={name} type={type} />
            <TypeFilter type={type} onType={setType} />
          </div>
          <EventCalendar
            interest={CalendarInterestToggle}
            type={type}
            headingLevel={2}
            announcesCount
          />
        </div>
      </section>
    </>
  )
}

const parameter = 'type'

/** The type by which the calendar is filtered; it is in the URL and can be shared. */
function useTypeParameter() {
  const [parameters, setParameters] = useSearchParams()
  const currentQueryString = useCurrentQueryString()
  const requested = parameters.get(parameter)
  const type = eventTypes.find((type) => type === requested) ?? null

  const setType = (chosen: string | null) => {
    const next = new URLSearchParams(currentQueryString())
    if (chosen === null) next.delete(parameter)
    else next.set(parameter, chosen)
    setParameters(next, { replace: true })
  }
  return [type, setType] as const
}
