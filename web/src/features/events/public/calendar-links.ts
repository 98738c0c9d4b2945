import type { CalendarEvent, Venue } from '../../../api/types'
import { truncate } from '../../../components/ui/tooltip'
import { isInPerson } from '../event-presentation'
import { startOf, endOf } from '../event-time'
import { cityLine } from './event-facts'

/** The maximum length of the description, instead of a missing summary. */
const textLimit = 500

/** URLs that add an event to a visitor's calendar. */
export interface CalendarLinks {
  google: string
  outlook: string
  /** A file for Apple's calendar and any other. */
  ical: string
}

/**
 * The URLs that add an event to a calendar. The event's own links take precedence (spec §3,
 * calendarLinks).
 */
export function calendarLinks(event: CalendarEvent, baseUrl: string): CalendarLinks {
  const start = startOf(event)
  const end = endOf(event)
  const details = [
    truncate(event.summary ?? event.description, textLimit),
    '',
    ...(isInPerson(event.type) ? [] : [`Register: ${event.registrationUrl}`]),
    baseUrl + event.path,
  ].join('\n')
  const location = event.location && locationText(event.location)

  const google = urlWith('https://calendar.google.com/calendar/render', [
    ['action', 'TEMPLATE'],
    ['text', event.title],
    ['dates', `${compact(start)}/${compact(end)}`],
    ['details', details],
    ['location', location],
  ])
  const outlook = urlWith('https://outlook.live.com/calendar/0/deeplink/compose', [
    ['path', '/calendar/action/compose'],
    ['rru', 'addevent'],
    ['subject', event.title],
    ['startdt', utc(start)],
    ['enddt', utc(end)],
    ['body', asHtml(details)],
    ['location', location],
  ])
  const own = event.calendarLinks
  return {
    google: own.google ?? google,
    outlook: own.outlook ?? outlook,
    ical: own.ical ?? `${event.path}.ics`,
  }
}

/** Name, address, city and state; without the last two if the address contains the city. */
function locationText(location: Venue): string {
  const { venueName, venueAddress } = location
  return [venueName, venueAddress, cityLine(location)].filter(Boolean).join(', ')
}

/** `2026-03-11T00:00:00Z` */
const utc = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z')

/** `20260311T000000Z` */
const compact = (instant: number) => utc(instant).replace(/[-:]/g, '')

/** Outlook interprets the text as HTML. */
const asHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '<br>')

/** The URL with its parameters, encoded except for times. */
function urlWith(url: string, parameters: [string, string | null | undefined][]): string {
  const pairs = parameters.flatMap(([name, value]) =>
    value ? [`${name}=${times.has(name) ? value : encodeURIComponent(value)}`] : [],
  )
  return `${url}?${pairs.join('&')}`
}

const times = new Set(['dates', 'startdt', 'enddt'])
