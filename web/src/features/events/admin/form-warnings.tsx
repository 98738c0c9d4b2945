import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { limits } from '../../../api/generated/validation'
import type { CalendarEvent } from '../../../api/types'
import { NewTabLink } from '../../../components/links'
import { Icon } from '../../../components/ui/icon'
import { useMinute } from '../../../lib/hydration'
import { isInPerson } from '../event-presentation'
import { startOf, whenLabel, durationOf } from '../event-time'
import { overlapsQuery } from './api'
import { type EventFormValues, hasVenue, publicationOf } from './form-values'
import { isInRange } from './rules'
import styles from './form-warnings.module.css'

/** Other events that overlap with the same speakers are listed up to this number. */
const maxListed = 3

interface FormWarningsOptions {
  values: EventFormValues
  /** The values with which the form opened. */
  start: EventFormValues
  /** The event to edit; undefined for a new one. */
  event: CalendarEvent | undefined
  nameOf: (id: number) => string
}

/** What an admin should know before saving; none of it prevents saving. */
export function useFormWarnings({ values, start, event, nameOf }: FormWarningsOptions) {
  const now = useMinute()
  const { date, time, timezone, duration, speakerIds, status, type } = values
  const startsAt = startOf(values)
  const minutes = Math.min(durationOf(duration), limits.overlapMinutes)
  // While a year is typed, it is one of the first century.
  const isKnown =
    isInRange(date) && !Number.isNaN(startsAt) && !Number.isNaN(minutes) && speakerIds.length > 0
  const { data } = useQuery({
    ...overlapsQuery({ startsAt, minutes, speakerIds }),
    enabled: isKnown,
  })
  const overlaps = isKnown && data ? overlapping(speakerIds, event?.id, data) : []

  const typeWarnings: ReactNode[] = []
  if (!isInPerson(type) && hasVenue(values)) {
    const venue = values['location.venueName'].trim() || 'The venue'
    typeWarnings.push(
      `“${venue}” is removed when you save, because only in-person events have a venue. Choose In-Person Events again to keep it.`,
    )
  }

  const scheduleWarnings: ReactNode[] = []
  const isRescheduled =
    date !== start.date || time !== start.time || timezone !== start.timezone || !event
  if (startsAt < now && isInRange(date) && isRescheduled && status !== 'cancelled') {
    scheduleWarnings.push(
      `${whenLabel(startsAt, timezone)} is in the past. Visitors will find this event among those that are over.`,
    )
  }
  if (status !== 'cancelled' && status !== 'postponed' && status !== 'hidden') {
    for (const { other, speakers } of overlaps.slice(0, maxListed)) {
      scheduleWarnings.push(
        <>
          {speakers.map(nameOf).join(' and ')} also {speakers.length > 1 ? 'speak' : 'speaks'} at{' '}
          <NewTabLink href={`/admin?event=${other.id}`}>{other.title}</NewTabLink> on{' '}
          {whenLabel(Date.parse(other.startsAt), other.timezone)} for {other.duration}, at the same
          time.
        </>,
      )
    }
    if (overlaps.length > maxListed) {
      const more = overlaps.length - maxListed
      scheduleWarnings.push(
        more === 1
          ? '1 more event overlaps with this one.'
          : `${more} more events overlap with this one.`,
      )
    }
  }
  const publication =
    status === 'scheduled' ? publicationWarnings(publicationOf(values), startsAt, now) : []
  return { type: typeWarnings, schedule: scheduleWarnings, publication }
}

/** What an admin should know of a publication time; NaN is a time that is not known yet. */
export function publicationWarnings(publishAt: number, startsAt: number, now: number): string[] {
  const warnings: string[] = []
  if (publishAt <= now) {
    warnings.push('This time has passed: the event is published when you save.')
  }
  if (startsAt <= publishAt) warnings.push('The event begins before it is published.')
  return warnings
}

/** The other events of these, with the speakers that they share. */
function overlapping(
  speakerIds: readonly number[],
  ownId: number | undefined,
  events: readonly CalendarEvent[],
): { other: CalendarEvent; speakers: number[] }[] {
  return events.flatMap((other) => {
    if (other.id === ownId) return []
    const speakers = other.speakers.map(({ speakerId }) => speakerId)
    const both = speakers.filter((id) => speakerIds.includes(id))
    return both.length > 0 ? [{ other, speakers: both }] : []
  })
}

/**
 * Warnings about what a form would do. They don't prevent saving. The region is there without any, so
 * that screen readers announce the first.
 */
export function Warnings({ children }: { children: readonly ReactNode[] }) {
  return (
    <div className={styles.root} role="status">
      {children.map((warning, index) => (
        <p key={index} className={styles.warning}>
          <Icon name="alert" />
          <span>{warning}</span>
        </p>
      ))}
    </div>
  )
}
