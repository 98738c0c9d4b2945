import type { ReactNode } from 'react'
import type { CalendarEvent } from '../../../api/types'
import type { CalendarEntry } from './entries'

/** What the month list and the grid show, and what they tell of. */
export interface CalendarProps {
  /** A day of the period that is shown. */
  date: Date
  /** Nothing while they are not known. */
  entries: CalendarEntry[] | undefined
  /** The current minute, and the visitor's day in it. */
  now: number
  today: string
  /** Stands in for the events where they can't be shown. */
  problem: ReactNode
  Heading: 'h2' | 'h3'
  /** Whether events open in a dialog, rather than on a page in a new tab. */
  hasDialog: boolean
  onDate: (date: Date) => void
  onOpen: (event: CalendarEvent) => void
  onIntent: () => void
}
