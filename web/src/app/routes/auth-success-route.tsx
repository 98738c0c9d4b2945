import { PageBand } from '../../components/page-band'
import { useDocumentTitle } from '../use-document-title'

/** Where signing in elsewhere ends (spec §2, /auth-success). */
export function AuthSuccessRoute() {
  useDocumentTitle('Completing Authentication')
  return <PageBand title="Completing Authentication..." />
}
