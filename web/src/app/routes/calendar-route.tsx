import { PageBand } from '../../components/page-band'
import { useDocumentTitle } from '../use-document-title'

/** The public calendar (spec §2, /calendar). */
export function CalendarRoute() {
  useDocumentTitle('Events Calendar')
  return (
    <PageBand title="Events Calendar">
      <p>View and register for upcoming events</p>
    </PageBand>
  )
}
