import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { loadPage } from '../../lib/load-page'
import { hasSignInHint, userQuery } from './api'

/** The window name that identifies the sign-in popup. */
const popupName = 'lectern-sign-in'
const size = 'popup,width=520,height=760'

/** How often the opener checks its popup, in milliseconds; without any request. */
const popupPollInterval = 500

/**
 * Opens a popup for signing in, and refetches the user once it is closed or has set the sign-in
 * cookie. If popups are blocked, this window opens the page instead.
 */
export function useSignInPopup(href: string) {
  const queryClient = useQueryClient()
  const [popup, setPopup] = useState<Window | null>(null)

  useEffect(() => {
    if (!popup) return
    const timer = setInterval(() => {
      if (popup.closed) setPopup(null)
      if (popup.closed || hasSignInHint()) {
        void queryClient.invalidateQueries(
          { queryKey: userQuery().queryKey },
          { cancelRefetch: false },
        )
      }
    }, popupPollInterval)
    return () => {
      clearInterval(timer)
    }
  }, [popup, queryClient])

  return {
    isOpen: popup !== null,
    open: () => {
      const opened = window.open(href, popupName, size)
      if (opened) setPopup(opened)
      else loadPage(href)
    },
  }
}

/** Closes this window if it is the popup and its opener is still open. */
export function closePopup(): boolean {
  const opener = window.opener as Window | null
  if (window.name !== popupName || !opener || opener.closed) return false
  window.close()
  return true
}
