import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { readMessageOf } from '../../../api/forms'
import type { ExportFormat } from '../../../api/types'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Button } from '../../../components/ui/button'
import { Spinner } from '../../../components/ui/loading'
import { Menu, menuItem, menuNote } from '../../../components/ui/menu'
import { showError } from '../../../components/ui/toast-store'
import { countLabel } from '../../../lib/text'
import { matchesQuery } from './api'
import type { PortalFilter } from './event-filter'
import { exportEvents } from './import/api'

const formats = [
  { format: 'csv', label: 'Spreadsheet (CSV)' },
  { format: 'ics', label: 'Calendar (.ics)' },
  { format: 'json', label: 'JSON' },
] as const satisfies readonly { format: ExportFormat; label: string }[]

interface ExportMenuProps {
  filter: PortalFilter
  /** The number of events that match. */
  count: number
}

/** Downloads the events that the filter shows. */
export function ExportMenu({ filter, count: matching }: ExportMenuProps) {
  const opener = useRef<HTMLButtonElement>(null)
  const [openedBy, setOpenedBy] = useState<HTMLElement | null>(null)
  const { exportFile, isPending } = useExport(filter)
  if (matching === 0) return null
  const count = countLabel(matching, 'event')
  return (
    <>
      <Button
        ref={opener}
        variant="ghost"
        size="small"
        aria-expanded={openedBy !== null}
        aria-disabled={isPending}
        onClick={() => {
          if (!isPending) setOpenedBy(openedBy ? null : opener.current)
        }}
      >
        {isPending ? <Spinner /> : <AdminIcon name="download" />} Export
      </Button>
      {openedBy && (
        <Menu
          label={`Export ${count}`}
          opener={openedBy}
          onClose={() => {
            setOpenedBy(null)
          }}
        >
          {formats.map(({ format, label }) => (
            <button
              key={format}
              type="button"
              className={menuItem}
              onClick={() => {
                setOpenedBy(null)
                exportFile(format)
              }}
            >
              {label}
            </button>
          ))}
          <p className={menuNote}>
            The {count} that the list shows, with all fields. The CSV can be imported again.
          </p>
        </Menu>
      )}
    </>
  )
}

/** Downloads the counts of the in-person events that the filter shows. */
export function ExportAttendance({ filter }: { filter: PortalFilter }) {
  const { exportFile, isPending } = useExport(filter)
  return (
    <Button
      variant="ghost"
      size="small"
      aria-disabled={isPending}
      onClick={() => {
        if (!isPending) exportFile('attendance')
      }}
    >
      {isPending ? <Spinner /> : <AdminIcon name="download" />} Attendance (CSV)
    </Button>
  )
}

/** Downloads a file with the events that match, or with their attendance. */
function useExport(filter: PortalFilter) {
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
      showError(readMessageOf(error, 'Failed to export events'))
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
