import { useLocation } from 'react-router-dom'
import { SiteLink } from '../../components/links'
import { buttonClass } from '../../components/ui/button'
import { ConstructionScene } from '../../features/page-content/construction-scene'
import { classNames } from '../../lib/class-names'
import { useDocumentTitle } from '../navigation-effects'
import { paths } from '../paths'
import styles from './not-found-route.module.css'

/** The page for unknown paths, and for the path that the server renders for a deleted event. */
export function NotFoundRoute() {
  const isDeleted = useLocation().pathname === '/410'
  const title = isDeleted ? 'This event was deleted' : 'Page not found'
  useDocumentTitle(title)
  return (
    <div className={styles.root}>
      <div className={classNames('wrap', styles.content)}>
        <h1 className={styles.title} tabIndex={-1}>
          {title}
        </h1>
        <p className={styles.text}>
          {isDeleted ? 'It is no longer on the calendar.' : 'There is nothing at this URL.'} The
          calendar has all upcoming events.
        </p>
        <div className={styles.links}>
          <SiteLink className={buttonClass({ variant: 'primary' })} to={paths.home}>
            Back to Events
          </SiteLink>
          <SiteLink className={buttonClass({})} to={paths.calendar}>
            Events Calendar
          </SiteLink>
          <SiteLink className={buttonClass({})} to={paths.homeNewsletter}>
            Subscribe
          </SiteLink>
        </div>
      </div>
      <ConstructionScene />
    </div>
  )
}
