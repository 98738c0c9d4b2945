import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../api/client'
import { Button } from '../../../components/ui/button'
import { Spinner } from '../../../components/ui/spinner'
import { showToast } from '../../../components/ui/toast-store'
import { ToolIcon } from '../../../components/ui/tool-icon'
import { syncBrandlive, useEventsCache } from './api'

/** Imports events from the provider and says what came of it (spec §2, §8). */
export function SyncButton() {
  const cache = useEventsCache()
  const { mutate, isPending } = useMutation({
    mutationFn: syncBrandlive,
    networkMode: 'always',
    onSuccess: (result) => {
      showToast({ title: 'Success', description: result?.message ?? '' })
      void cache.refresh()
    },
    onError: (error) => {
      const description = messageOf(error, 'Failed to sync events')
      showToast({ title: 'Error', description, variant: 'destructive' })
    },
  })
  return (
    <Button
      size="dense"
      aria-disabled={isPending}
      onClick={() => {
        if (!isPending) mutate()
      }}
    >
      {isPending ? <Spinner /> : <ToolIcon name="sync" />}
      {isPending ? 'Syncing Brandlive Events...' : 'Sync Brandlive Events'}
    </Button>
  )
}
