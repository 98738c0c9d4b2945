import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { signInAddress } from '../features/session/after-sign-in'
import { useSession } from '../features/session/api'
import { paths } from './paths'

/**
 * Lets admins in and sends everybody else to sign in, without painting the portal (spec §6). The
 * sign-in page leads back to where they were.
 */
export function RequireAdmin({ children }: { children: ReactNode }) {
  const { isLoading, isAdmin } = useSession({ isCertain: true })
  const { pathname, search, hash } = useLocation()
  if (isLoading) return null
  if (isAdmin) return children
  const address = signInAddress(paths.adminLogin, pathname + search + hash, paths.admin)
  return <Navigate to={address} replace />
}
