import { createContext, use } from 'react'
import type { CalendarEntry, CalendarProps } from '../entries'
import type { CalendarView } from '../period'

/** State of the views that the library does not pass on. */
export interface GridState extends CalendarProps {
  view: CalendarView
  /** The entries by day. */
  days: ReadonlyMap<string, CalendarEntry[]>
  titleId: string
  /** The target of "Skip calendar". */
  endId: string
}

/** Provides that state to the views. */
export const GridContext = createContext<GridState | null>(null)

/** The state of the grid around a view. */
export function useGrid(): GridState {
  const grid = use(GridContext)
  if (!grid) throw new Error('useGrid needs a GridContext')
  return grid
}
