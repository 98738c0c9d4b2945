import { useId } from 'react'
import { Button } from '../../../components/ui/button'
import { Dialog } from '../../../components/ui/dialog'
import { dayLabel } from '../event-time'
import { useCalendar } from './calendar-context'
import styles from './day-dialog.module.css'
import { EventChip } from './event-chip'

/** All events of a day that has more than fit (guide §6). */
export function DayDialog({ day, onClose }: { day: string; onClose: () => void }) {
  const headingId = useId()
  const { days } = useCalendar()
  return (
    <Dialog headingId={headingId} size="small" onClose={onClose}>
      <h2 className={styles.title} id={headingId} tabIndex={-1}>
        {dayLabel(day)}
      </h2>
      <ul className={styles.events}>
        {days.get(day)?.map((entry) => (
          <li key={entry.id}>
            <EventChip entry={entry} layout="block" onClick={onClose} />
          </li>
        ))}
      </ul>
      <div className={styles.footer}>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
