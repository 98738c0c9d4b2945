import { buttonClass } from '../components/ui/button'
import { hasSignInHint } from '../features/auth/api'
import { useClientValue } from '../lib/hydration'
import styles from './edit-event-link.module.css'
import { paths } from './paths'

/** A link to the form of an event, for signed-in admins, for whom the server's markup reserves its space. */
export function EditEventLink({ id }: { id: number }) {
  return useClientValue(hasSignInHint, false) ? (
    <a className={buttonClass({ size: 'small' })} href={`${paths.admin}?event=${id}`}>
      Edit
    </a>
  ) : (
    <span className={buttonClass({ size: 'small' }, styles.reserved)} aria-hidden="true">
      Edit
    </span>
  )
}
