import { eventTypes } from '../../api/generated/contract'
import { slugOf } from '../../lib/slug'

/** A series to subscribe to. */
export interface SubscribedSeries {
  name: string
  /** Path of its page. */
  path: string
}

/** The query string of the calendar file and the feed of a series. */
export const seriesParameter = ({ path }: SubscribedSeries) =>
  `?series=${path.slice('/series/'.length)}`

/**
 * The path of the calendar file, optionally for one series or one event type only. The initial chunk has this
 * file, but not `subscription-links.ts`.
 */
export function calendarFile(type: string | null, series?: SubscribedSeries): string {
  if (series) return `/calendar.ics${seriesParameter(series)}`
  const validType = eventTypes.find((each) => each === type)
  return validType ? `/calendar.ics?type=${slugOf(validType)}` : '/calendar.ics'
}
