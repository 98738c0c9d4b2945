import { buttonClass } from '../components/ui/button'
import { hasSignInHint } from '../features/auth/api'
import { useClientValue } from '../lib/hydration'
import { paths } from './paths'

/** A link to the form of an event, for signed-in admins; it is not in the server's markup. */
export function EditEventLink({ id }: { id: number }) {
  return useClientValue(hasSignInHint, false) ? (
    <a className={buttonClass({ size: 'small' })} href={`${paths.admin}?event=${id}`}>
      Edit
    </a>
  ) : null
}
