import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { useSession } from '../features/session/api'
import { paths } from './paths'

/** Lets admins in and sends everybody else to sign in, without painting the portal (spec §6). */
export function RequireAdmin({ children }: { children: ReactNode }) {
  const { isLoading, isAdmin } = useSession()
  if (isLoading) return null
  return isAdmin ? children : <Navigate to={paths.adminLogin} replace />
}
