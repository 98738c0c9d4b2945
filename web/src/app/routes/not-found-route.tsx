import { Link } from 'react-router'
import { PageBand } from '../../components/page-band'
import { buttonClass } from '../../components/ui/button'
import { paths } from '../paths'
import { useDocumentTitle } from '../use-document-title'

/** Any address that is no screen of the site. */
export function NotFoundRoute() {
  useDocumentTitle('Page not found')
  return (
    <PageBand title="Page not found">
      <p>There is nothing at this address. The calendar has everything that is coming up.</p>
      <Link className={buttonClass({ look: 'primary' })} to={paths.home}>
        Back to Events
      </Link>
    </PageBand>
  )
}
