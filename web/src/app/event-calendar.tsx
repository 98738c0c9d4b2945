import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useEffect } from 'react'
import { useLoadFailure } from '../components/load-failure'
import { CalendarCard } from '../features/events/calendar/calendar-card'
import { useOpenEvent } from '../features/events/public/use-open-event'
import { componentQuery, HydrationSignal } from '../lib/lazy'
import type { InterestInDialog } from './page-event-dialog'

const dialogQuery = componentQuery(
  'event-dialog',
  async () => (await import('./page-event-dialog')).PageEventDialog,
)

type CardProps = Omit<ComponentProps<typeof CalendarCard>, 'onOpen' | 'onPreload'>

interface EventCalendarProps extends CardProps {
  /** The interest toggle for in-person events; the public calendar has its own (spec §7, §8). */
  interest: InterestInDialog
}

/** The calendar, and the dialog of the open event. */
export function EventCalendar({ interest, ...card }: EventCalendarProps) {
  const queryClient = useQueryClient()
  const { event, open, close } = useOpenEvent()
  const dialogCode = useQuery({ ...dialogQuery, enabled: event !== undefined })
  const Dialog = dialogCode.data
  const hasFailed = event && !Dialog && (dialogCode.isError || dialogCode.fetchStatus === 'paused')

  const onFailure = useLoadFailure('The event could not be opened. Please try again.')
  const path = event?.path
  useEffect(() => {
    if (!hasFailed || path === undefined) return
    onFailure(path)
    close()
  }, [hasFailed, path, close, onFailure])

  return (
    <>
      <CalendarCard
        {...card}
        onOpen={open}
        onPreload={() => {
          // Opening the event tries again and handles the error.
          queryClient.query(dialogQuery).catch(() => undefined)
        }}
      />
      {event && Dialog && (
        // After a reload for a link in the dialog, `early_clicks.js` clicks it when the dialog is there.
        <HydrationSignal>
          <Dialog key={event.id} event={event} interest={interest} onClose={close} />
        </HydrationSignal>
      )}
    </>
  )
}
