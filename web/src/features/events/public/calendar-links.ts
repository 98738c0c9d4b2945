import type { CalendarEvent, EventLocation } from '../../../api/types'
import { cutAfter } from '../../../components/ui/cut-text'
import { endOf } from '../calendar/entries'
import { isInPerson } from '../event-presentation'
import { startOf } from '../event-time'
import { cityLine } from './event-facts'

/** How much of a description goes along where an event has no summary. */
const textLimit = 500

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
  const words = [
    cutAfter(event.summary ?? event.description, textLimit),
    '',
    ...(isInPerson(event.type) ? [] : [`Register: ${event.registrationUrl}`]),
    baseUrl + event.path,
  ].join('\n')
  const place = event.location && placeOf(event.location)

  const google = addressWith('https://calendar.google.com/calendar/render', [
    ['action', 'TEMPLATE'],
    ['text', event.title],
    ['dates', `${compact(start)}/${compact(end)}`],
    ['details', words],
    ['location', place],
  ])
  const outlook = addressWith('https://outlook.live.com/calendar/0/deeplink/compose', [
    ['path', '/calendar/action/compose'],
    ['rru', 'addevent'],
    ['subject', event.title],
    ['startdt', utc(start)],
    ['enddt', utc(end)],
    ['body', asHtml(words)],
    ['location', place],
  ])
  const own = event.calendarLinks
  return {
    google: own.google ?? google,
    outlook: own.outlook ?? outlook,
    ical: own.ical ?? `${event.path}.ics`,
  }
}

/** Name, address, city and state; without the last two where the address says the city already. */
function placeOf(location: EventLocation): string {
  const { venueName, venueAddress } = location
  return [venueName, venueAddress, cityLine(location)].filter(Boolean).join(', ')
}

/** `2026-03-11T00:00:00Z` */
const utc = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z')

/** `20260311T000000Z` */
const compact = (instant: number) => utc(instant).replace(/[-:]/g, '')

/** Outlook takes the text for HTML. */
const asHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '<br>')

/** The address with its parameters; times stand in it as they are. */
function addressWith(address: string, parameters: [string, string | null | undefined][]): string {
  const pairs = parameters.flatMap(([name, value]) =>
    value ? [`${name}=${times.has(name) ? value : encodeURIComponent(value)}`] : [],
  )
  return `${address}?${pairs.join('&')}`
}

const times = new Set(['dates', 'startdt', 'enddt'])
