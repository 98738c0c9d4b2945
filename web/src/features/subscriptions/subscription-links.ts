import { calendarFile, type SubscribedSeries, seriesParameter } from './calendar-file'

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

/** The addresses to subscribe with, by calendar application. */
export function subscriptionLinks(
  baseUrl: string,
  siteName: string,
  type: string | null,
  series?: SubscribedSeries,
): SubscriptionLinks {
  const address =
    baseUrl + (series ? `/calendar.ics${seriesParameter(series)}` : calendarFile(type))
  const webcal = address.replace(/^https?:/, 'webcal:')
  const name = [siteName, series?.name ?? type].filter(Boolean).join(': ')
  return {
    apple: webcal,
    google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`,
    outlook: `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}&name=${encodeURIComponent(name)}`,
    address,
    feed: `/feed.xml${series ? seriesParameter(series) : ''}`,
  }
}

/** Explains why a new event may take time to show up. */
export const googleNote =
  'Google refreshes subscribed calendars only once or twice a day; the others are quicker.'
