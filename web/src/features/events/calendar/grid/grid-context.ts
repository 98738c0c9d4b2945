import { createContext, use } from 'react'
import type { CalendarEntry, CalendarProps } from '../entries'
import type { CalendarView } from '../period'

/** What the views need to know that the library does not hand on. */
export interface GridState extends CalendarProps {
  view: CalendarView
  /** The entries by their days. */
  days: ReadonlyMap<string, CalendarEntry[]>
  titleId: string
  /** What "Skip calendar" leads to. */
  endId: string
}

/** Carries that state to the views. */
export const GridContext = createContext<GridState | null>(null)

/** The state of the grid around a view. */
export function useGrid(): GridState {
  const grid = use(GridContext)
  if (!grid) throw new Error('useGrid needs a GridContext')
  return grid
}
