import { AdminIcon } from '../../../components/ui/admin-icon'
import { Button } from '../../../components/ui/button'
import { Spinner } from '../../../components/ui/loading'
import type { PortalFilter } from './event-filter'
import { useExport } from './use-export'

/** `12 investors attending` (spec §4). */
export function attendingLabel(count: number): string {
  return `${count} ${count === 1 ? 'investor attending' : 'investors attending'}`
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
