import { Link } from 'react-router'
import { PageBand } from '../../components/page-band'
import { buttonClass } from '../../components/ui/button'
import { paths } from '../paths'
import { useDocumentTitle } from '../use-document-title'

/** Help with signing in (spec §2, /login-help). */
export function LoginHelpRoute() {
  useDocumentTitle('Login Help')
  return (
    <PageBand title="Login Help">
      <a className={buttonClass({ look: 'primary' })} href={paths.admin}>
        Go to Admin
      </a>
      <Link to={paths.home}>Back to Events</Link>
    </PageBand>
  )
}
