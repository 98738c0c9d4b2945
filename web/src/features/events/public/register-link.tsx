import { buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { NewTabLink } from '../../../components/ui/new-tab-link'
import styles from './register-link.module.css'

/** The registration link of an event that isn't in person (spec §2). */
export function RegisterLink({ href }: { href: string }) {
  return (
    <NewTabLink className={buttonClass({ variant: 'primary' }, styles.root)} href={href}>
      Register Now <Icon name="leave" />
    </NewTabLink>
  )
}
