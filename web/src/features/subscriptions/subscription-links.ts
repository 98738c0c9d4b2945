import { calendarFile, type SubscribedSeries, seriesParameter } from './calendar-file'

/** URLs to subscribe to the calendar. */
export interface SubscriptionLinks {
  apple: string
  google: string
  outlook: string
  /** The URL of the calendar itself, for any other. */
  url: string
  /** New events for feed readers. */
  feed: string
}

/** The URLs to subscribe with, by calendar application. */
export function subscriptionLinks(
  baseUrl: string,
  siteName: string,
  type: string | null,
  series?: SubscribedSeries,
): SubscriptionLinks {
  const url = baseUrl + calendarFile(type, series)
  const webcal = url.replace(/^https?:/, 'webcal:')
  const name = [siteName, series?.name ?? type].filter(Boolean).join(': ')
  return {
    apple: webcal,
    google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`,
    outlook: `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(url)}&name=${encodeURIComponent(name)}`,
    url,
    feed: `/feed.xml${series ? seriesParameter(series) : ''}`,
  }
}

/** Explains why a new event may take time to show up. */
export const googleNote =
  'Google refreshes subscribed calendars only once or twice a day; the others are quicker.'
