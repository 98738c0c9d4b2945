import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../../../api/forms'
import type { ExportFormat } from '../../../api/types'
import { showError } from '../../../components/ui/toast-store'
import { matchesQuery } from './api'
import type { PortalFilter } from './event-filter'
import { exportEvents } from './import/api'

/** Downloads a file with the events that match, or with their attendance. */
export function useExport(filter: PortalFilter) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const matches = await queryClient.query({ ...matchesQuery(filter), staleTime: 0 })
      const file = await exportEvents(
        format,
        matches.map(({ id }) => id),
      )
      download(format === 'attendance' ? 'attendance.csv' : `events.${format}`, file)
    },
    networkMode: 'always',
    onError: (error) => {
      showError(messageOf(error, 'Failed to export events'))
    },
  })
  return { exportFile: mutate, isPending }
}

/** Saves content as a file of the visitor. */
function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has started to read it.
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 10_000)
}
