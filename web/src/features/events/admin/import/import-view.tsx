import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { SiteLink } from '../../../../components/links'
import { AdminIcon } from '../../../../components/ui/admin-icon'
import { Alert } from '../../../../components/ui/alert'
import { buttonClass } from '../../../../components/ui/button'
import { TabHeader } from '../../../../components/ui/tabs'
import { componentQuery } from '../../../../lib/lazy'
import type { PortalSpeakers } from '../speakers'
import { useListQueryString } from '../use-event-filter'

/** The parameter of the URL, and its value that shows the import in the Events tab. */
const [parameter, shown] = ['view', 'import'] as const

const importPageQuery = () =>
  componentQuery('import-page', async () => (await import('./import-page')).ImportPage)

/**
 * Whether the URL shows the import of events. When that changes, the focus goes to the heading, or
 * back to the link that was followed.
 */
export function useImportView(): boolean {
  const [search] = useSearchParams()
  const isShown = search.get(parameter) === shown
  const wasShown = useRef(isShown)

  useEffect(() => {
    if (wasShown.current === isShown) return
    wasShown.current = isShown
    const link = document.querySelector<HTMLElement>(`[data-opens="${shown}"]`)
    const target = link ?? document.querySelector<HTMLElement>('main h1')
    target?.focus()
  }, [isShown])

  return isShown
}

/** The link to the import. */
export function ImportEventsLink() {
  const [search] = useSearchParams()
  const parameters = new URLSearchParams(search)
  parameters.set(parameter, shown)
  return (
    <SiteLink
      className={buttonClass({ size: 'small' })}
      data-opens={shown}
      to={`?${parameters.toString()}`}
    >
      <AdminIcon name="upload" /> Import Events
    </SiteLink>
  )
}

/** The import of events, whose code is loaded when it is opened. */
export function ImportView({ speakers }: { speakers: PortalSpeakers }) {
  const { data: ImportPage, isError, isFetching, refetch } = useQuery(importPageQuery())
  const list = useListQueryString()
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
