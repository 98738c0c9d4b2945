import { createContext, use } from 'react'
import type { CalendarEvent } from '../../../api/types'
import type { CalendarEntry } from './entries'
import type { Period } from './period'

/** The state that the calendar's components share. */
export interface CalendarState {
  /** The current minute, and the visitor's day in it. */
  now: number
  today: string
  /** The entries by day. */
  days: ReadonlyMap<string, CalendarEntry[]>
  /** Whether events open in a dialog, not on a page in a new tab. */
  hasDialog: boolean
  onOpen: (event: CalendarEvent) => void
  /** Called when the pointer or the focus is on an event, whose dialog can be loaded now. */
  onPreload: () => void
  hrefOf: (period: Period) => string
  onShow: (period: Period) => void
}

/** Provides the calendar's state to its components. */
export const CalendarContext = createContext<CalendarState | null>(null)

/** The state of the surrounding calendar. */
export function useCalendar(): CalendarState {
  const state = use(CalendarContext)
  if (!state) throw new Error('useCalendar needs a CalendarContext')
  return state
}
