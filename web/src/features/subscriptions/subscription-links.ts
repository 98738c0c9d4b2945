import { eventTypes } from '../../api/generated/contract'
import { slugOf } from '../../lib/slug'

/** Addresses to subscribe to the calendar. */
export interface SubscriptionLinks {
  apple: string
  google: string
  outlook: string
  /** The address of the calendar itself, for any other. */
  address: string
  /** New events for feed readers. */
  feed: string
}

/** The path of the calendar file, optionally for one event type only. */
export function calendarFile(type: string | null): string {
  const validType = eventTypes.find((each) => each === type)
  return validType ? `/calendar.ics?type=${slugOf(validType)}` : '/calendar.ics'
}

/** The addresses to subscribe with, by calendar application. */
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

/** Explains why a new event may take time to show up. */
export const googleNote =
  'Google refreshes subscribed calendars only once or twice a day; the others are quicker.'
