import { Button } from '../../components/ui/button'
import { useLogout } from './api'

interface LogoutButtonProps {
  className: string | undefined
  homeHref: string
  /** Asks first, where there is something to lose. */
  guard?: (leave: () => void) => void
}

/** Ends the session and leads to the home page; both headers show it to admins (spec §2, §4). */
export function LogoutButton({ className, homeHref, guard }: LogoutButtonProps) {
  const { mutate: logOut, isPending } = useLogout(homeHref)
  return (
    <Button
      className={className}
      look="quiet"
      size="dense"
      disabled={isPending}
      onClick={() => {
        if (guard) guard(logOut)
        else logOut()
      }}
    >
      Logout
    </Button>
  )
}
