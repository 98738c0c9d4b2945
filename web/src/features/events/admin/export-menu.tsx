import { useRef, useState } from 'react'
import type { ExportFormat } from '../../../api/types'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Button } from '../../../components/ui/button'
import { Spinner } from '../../../components/ui/loading'
import { Menu, menuItem, menuNote } from '../../../components/ui/menu'
import { countLabel } from '../../../lib/text'
import type { PortalFilter } from './event-filter'
import { useExport } from './use-export'

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
