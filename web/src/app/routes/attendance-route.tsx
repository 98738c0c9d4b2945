import { useQuery } from '@tanstack/react-query'
import { pageAttendanceQuery } from '../first-data'
import { EventRoute } from './event-route'

/**
 * An event's attendance page, to which the server sends visitors who changed their attendance
 * before the script ran: the event's page with what the server knows of this visitor.
 */
export function AttendanceRoute() {
  const { data: attendance } = useQuery(pageAttendanceQuery())
  return <EventRoute attendance={attendance} />
}
