import { type ReactNode, useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useSession } from '../features/auth/api'
import { requestSignIn, useSessionState } from '../features/auth/portal-session'
import { signInUrl } from '../features/auth/sign-in'
import { useHasUnsavedChanges } from '../lib/unsaved-changes'
import { paths } from './paths'

/**
 * Renders the portal for admins and redirects others to the sign-in page (spec §6), which returns
 * to the requested page. An admin who is signed out with unsaved changes is not redirected, which
 * would lose it, but prompted to sign in again in a dialog.
 */
export function RequireAdmin({ children }: { children: ReactNode }) {
  const { isLoading, isAdmin } = useSession({ mustFetch: true })
  const { pathname, search, hash } = useLocation()
  const sessionState = useSessionState()
  const isUnsaved = useHasUnsavedChanges()
  const [wasAdmin, setWasAdmin] = useState(false)
  if (isAdmin && !wasAdmin) setWasAdmin(true)

  const isSignedOut = wasAdmin && !isLoading && !isAdmin
  useEffect(() => {
    if (isSignedOut && isUnsaved) void requestSignIn()
  }, [isSignedOut, isUnsaved])

  if (isAdmin || (wasAdmin && (isUnsaved || sessionState !== 'active'))) return children
  if (isLoading) return null
  const url = signInUrl(paths.adminLogin, pathname + search + hash, paths.admin)
  return <Navigate to={url} replace />
}
