import { SiteLink } from '../../components/site-link'
import { buttonClass } from '../../components/ui/button'
import { ConstructionScene } from '../../features/page-content/construction-scene'
import { classNames } from '../../lib/class-names'
import { paths } from '../paths'
import { useDocumentTitle } from '../use-arrival'
import styles from './not-found-route.module.css'

/** The screen for unknown paths. */
export function NotFoundRoute() {
  useDocumentTitle('Page not found')
  return (
    <div className={styles.root}>
      <div className={classNames('wrap', styles.content)}>
        <h1 className={styles.title} tabIndex={-1}>
          Page not found
        </h1>
        <p className={styles.text}>
          There is nothing at this address. The calendar has everything that is coming up.
        </p>
        <div className={styles.links}>
          <SiteLink className={buttonClass({ variant: 'primary' })} to={paths.home}>
            Back to Events
          </SiteLink>
          <SiteLink className={buttonClass({})} to={paths.calendar}>
            Events Calendar
          </SiteLink>
          <SiteLink className={buttonClass({})} to={paths.homeSubscribe}>
            Subscribe
          </SiteLink>
        </div>
      </div>
      <ConstructionScene />
    </div>
  )
}
