import { eventTypes } from '../../api/generated/contract'
import { slugOf } from '../../lib/slug'

/** Where a visitor's own calendar follows this one. */
export interface SubscriptionLinks {
  apple: string
  google: string
  outlook: string
  /** The address of the calendar itself, for any other. */
  address: string
  /** New events for feed readers. */
  feed: string
}

/** The calendar's file on this site; of one event type only where one is given. */
export function calendarFile(type: string | null): string {
  const known = eventTypes.find((each) => each === type)
  return known ? `/calendar.ics?type=${slugOf(known)}` : '/calendar.ics'
}

/** The addresses by which calendars subscribe, by whose they are. */
export function subscriptionLinks(
  baseUrl: string,
  siteName: string,
  type: string | null,
): SubscriptionLinks {
  const address = baseUrl + calendarFile(type)
  const webcal = address.replace(/^https?:/, 'webcal:')
  const name = type ? `${siteName}: ${type}` : siteName
  return {
    apple: webcal,
    google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`,
    outlook: `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}&name=${encodeURIComponent(name)}`,
    address,
    feed: '/feed.xml',
  }
}

/** What people wonder about when a new event does not show up. */
export const googleNote =
  'Google refreshes subscribed calendars only once or twice a day; the others are quicker.'
