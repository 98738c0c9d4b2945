import type { CalendarEvent } from '../../../api/types'
import { endOf } from '../calendar/entries'
import { startOf } from '../event-time'

/** Where an event is put into a visitor's own calendar. */
export interface CalendarLinks {
  google: string
  outlook: string
  /** A file for Apple's calendar and any other. */
  ical: string
}

/**
 * The addresses that add an event to a calendar. Those that the event has of its own win (spec §3,
 * calendarLinks); the server writes the same ones, over one table of cases.
 */
export function calendarLinks(event: CalendarEvent, baseUrl: string): CalendarLinks {
  const start = startOf(event)
  const end = endOf(event)
  const url = baseUrl + event.path
  const text = [event.summary ?? event.description, url].filter(Boolean).join('\n\n')
  const place = placeOf(event)

  const google = addressWith('https://calendar.google.com/calendar/render', {
    action: 'TEMPLATE',
    text: event.title,
    dates: `${compact(start)}/${compact(end)}`,
    details: text,
    location: place,
  })
  const outlook = addressWith('https://outlook.live.com/calendar/0/deeplink/compose', {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: event.title,
    startdt: utc(start),
    enddt: utc(end),
    body: text,
    location: place,
  })
  const own = event.calendarLinks
  return {
    google: own.google ?? google,
    outlook: own.outlook ?? outlook,
    ical: own.ical ?? `${event.path}.ics`,
  }
}

/** Where it takes place; for an event that isn't in person, where one registers. */
function placeOf({ location, registrationUrl }: CalendarEvent): string {
  if (!location) return registrationUrl
  const { venueName, venueAddress, city, state } = location
  return [venueName, venueAddress, city, state].filter(Boolean).join(', ')
}

/** `2026-03-11T00:00:00Z` */
const utc = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z')

/** `20260311T000000Z` */
const compact = (instant: number) => utc(instant).replace(/[-:]/g, '')

function addressWith(address: string, parameters: Record<string, string>): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return `${address}?${pairs.join('&')}`
}
