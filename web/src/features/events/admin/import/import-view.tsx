import { useQuery } from '@tanstack/react-query'
import { SiteLink } from '../../../../components/links'
import { AdminIcon } from '../../../../components/ui/admin-icon'
import { Alert } from '../../../../components/ui/alert'
import { buttonClass } from '../../../../components/ui/button'
import { TabHeader } from '../../../../components/ui/tabs'
import { componentQuery } from '../../../../lib/lazy'
import type { PortalSpeakers } from '../speakers'
import { useViewQueryString } from '../tab-view'

const importPageQuery = () =>
  componentQuery('import-page', async () => (await import('./import-page')).ImportPage)

/** The link to the import. */
export function ImportEventsLink() {
  return (
    <SiteLink
      className={buttonClass({ size: 'small' })}
      data-opens="import"
      to={useViewQueryString('import')}
    >
      <AdminIcon name="upload" /> Import Events
    </SiteLink>
  )
}

/** The import of events, whose code is loaded when it is opened. */
export function ImportView({ speakers }: { speakers: PortalSpeakers }) {
  const { data: ImportPage, isError, isFetching, refetch } = useQuery(importPageQuery())
  const list = useViewQueryString(null)
  return (
    <>
      <TabHeader title="Import Events">
        <SiteLink className={buttonClass({ size: 'small' })} to={list}>
          All Events
        </SiteLink>
      </TabHeader>
      {ImportPage ? (
        <ImportPage speakers={speakers} />
      ) : isError && !isFetching ? (
        <Alert title="Unable to load the import" onRetry={() => void refetch()} />
      ) : (
        <p role="status" aria-busy="true">
          Loading...
        </p>
      )}
    </>
  )
}
