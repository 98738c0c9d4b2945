import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ComponentType, useEffect } from 'react'
import type { CalendarEvent } from '../api/types'
import { showToast } from '../components/ui/toast-store'
import { CalendarCard } from '../features/events/calendar/calendar-card'
import { useOpenEvent } from '../features/events/public/use-open-event'
import type { partQuery } from '../lib/part-query'

/** What a page's own event dialog takes. */
export interface EventDialogProps {
  event: CalendarEvent
  onClose: () => void
}

/** Such a dialog. */
export type EventDialogComponent = ComponentType<EventDialogProps>

type CardProps = Omit<ComponentProps<typeof CalendarCard>, 'onOpen' | 'onIntent'>

interface EventCalendarProps extends CardProps {
  /** The code of the page's event dialog. */
  dialog: ReturnType<typeof partQuery<EventDialogComponent>>
}

/** The calendar and the dialog of the event that is open. */
export function EventCalendar({ dialog, ...card }: EventCalendarProps) {
  const queryClient = useQueryClient()
  const { event, open, close } = useOpenEvent()
  const part = useQuery({ ...dialog, enabled: event !== undefined })
  const EventDialog = part.data
  const hasFailed = event && !EventDialog && (part.isError || part.fetchStatus === 'paused')

  useEffect(() => {
    if (!hasFailed) return
    showToast({
      title: 'Error',
      description: 'The event could not be opened. Please try again.',
      variant: 'destructive',
    })
    close()
  }, [hasFailed, close])

  return (
    <>
      <CalendarCard
        {...card}
        onOpen={open}
        onIntent={() => {
          // Opening it tries again, and says so where that fails.
          queryClient.query(dialog).catch(() => undefined)
        }}
      />
      {event && EventDialog && <EventDialog key={event.id} event={event} onClose={close} />}
    </>
  )
}
