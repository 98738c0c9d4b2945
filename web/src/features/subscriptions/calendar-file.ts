import { eventTypes } from '../../api/generated/contract'
import { slugOf } from '../../lib/slug'

/** The path of the calendar file, optionally for one event type only. */
export function calendarFile(type: string | null): string {
  const validType = eventTypes.find((each) => each === type)
  return validType ? `/calendar.ics?type=${slugOf(validType)}` : '/calendar.ics'
}

/** A series to subscribe to. */
export interface SubscribedSeries {
  name: string
  /** Path of its page. */
  path: string
}

/** The query string of the calendar file and the feed of a series. */
export const seriesParameter = ({ path }: SubscribedSeries) =>
  `?series=${path.slice('/series/'.length)}`
