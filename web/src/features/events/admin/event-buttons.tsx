import type { CalendarEvent } from '../../../api/types'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Button } from '../../../components/ui/button'

interface EventButtonProps {
  event: Pick<CalendarEvent, 'id' | 'title'>
  onClick: (id: number) => void
}

/** Opens the form of an event, to which the focus returns. */
export function EditButton({ event, onClick }: EventButtonProps) {
  return (
    <Button
      variant="ghost"
      size="small"
      data-opens={event.id}
      aria-label={`Edit ${event.title}`}
      onClick={() => {
        onClick(event.id)
      }}
    >
      <AdminIcon name="edit" /> Edit
    </Button>
  )
}

interface IconButtonProps extends EventButtonProps {
  action: 'Duplicate' | 'Delete'
  className: string | undefined
}

/** Another action on an event, as an icon. */
export function EventIconButton({ action, event, className, onClick }: IconButtonProps) {
  return (
    <Button
      variant="ghost"
      size="small"
      className={className}
      aria-label={`${action} ${event.title}`}
      title={action}
      onClick={() => {
        onClick(event.id)
      }}
    >
      <AdminIcon name={action === 'Delete' ? 'delete' : 'copy'} />
    </Button>
  )
}
