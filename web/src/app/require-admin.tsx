import { type ReactNode, useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { signInAddress } from '../features/session/after-sign-in'
import { useSession } from '../features/session/api'
import { requestSignIn, useSessionEnd } from '../features/session/session-end'
import { useHasUnsavedWork } from '../lib/leave-guard'
import { paths } from './paths'

/**
 * Lets admins in and sends everybody else to sign in, without painting the portal (spec §6). The
 * sign-in page leads back to where they were. Who was let in and is signed out in mid-work stays,
 * and is asked over the page to sign in again: what they typed must not be lost.
 */
export function RequireAdmin({ children }: { children: ReactNode }) {
  const { isLoading, isAdmin } = useSession({ mustFetch: true })
  const { pathname, search, hash } = useLocation()
  const sessionEnd = useSessionEnd()
  const isWorking = useHasUnsavedWork()
  const [wasLetIn, setWasLetIn] = useState(false)
  if (isAdmin && !wasLetIn) setWasLetIn(true)

  const isCutOff = wasLetIn && !isLoading && !isAdmin
  useEffect(() => {
    if (isCutOff && isWorking) void requestSignIn()
  }, [isCutOff, isWorking])

  if (isAdmin || (wasLetIn && (isWorking || sessionEnd !== 'active'))) return children
  if (isLoading) return null
  const address = signInAddress(paths.adminLogin, pathname + search + hash, paths.admin)
  return <Navigate to={address} replace />
}
