import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '../../../api/forms'
import type { ExportFormat } from '../../../api/types'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Button } from '../../../components/ui/button'
import { Spinner } from '../../../components/ui/loading'
import { Menu, menuItem, menuNote } from '../../../components/ui/menu'
import { showError } from '../../../components/ui/toast-store'
import { countLabel } from '../../../lib/text'
import { download } from '../../../lib/download'
import type { ListedEvent } from './event-filter'
import { exportEvents } from './import/api'

const formats = [
  { format: 'csv', label: 'Spreadsheet (CSV)' },
  { format: 'ics', label: 'Calendar (.ics)' },
  { format: 'json', label: 'JSON' },
] as const satisfies readonly { format: ExportFormat; label: string }[]

/** Downloads the events that the filter shows. */
export function ExportMenu({ matches }: { matches: readonly ListedEvent[] }) {
  const opener = useRef<HTMLButtonElement>(null)
  const [openedBy, setOpenedBy] = useState<HTMLElement | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const ids = matches.map(({ event }) => event.id)
      download(`events.${format}`, await exportEvents(format, ids))
    },
    networkMode: 'always',
    onError: (error) => {
      showError(messageOf(error, 'Failed to export events'))
    },
  })
  if (matches.length === 0) return null
  const count = countLabel(matches.length, 'event')
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
                mutate(format)
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
