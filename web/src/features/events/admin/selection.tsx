import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import type { CalendarEvent } from '../../../api/types'
import styles from './selection.module.css'
import type { PortalSpeakers } from './speakers'

/** The selected events, and how to change them. */
export interface Selection {
  ids: ReadonlySet<number>
  /** Selects these events or not. */
  toggle: (ids: readonly number[], isSelected: boolean) => void
  clear: () => void
  speakers: PortalSpeakers
}

/** The selection of the list; null outside of it. */
export const SelectionContext = createContext<Selection | null>(null)

interface EventSelectionProps {
  speakers: PortalSpeakers
  children: ReactNode
}

/** Holds the selected events of the list, also while a form is open. */
export function EventSelection({ speakers, children }: EventSelectionProps) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const selection = useMemo(
    () => ({
      ids,
      speakers,
      toggle: (changed: readonly number[], isSelected: boolean) => {
        setIds((current) => {
          const next = new Set(current)
          for (const id of changed) {
            if (isSelected) next.add(id)
            else next.delete(id)
          }
          return next
        })
      },
      clear: () => {
        setIds(new Set())
      },
    }),
    [ids, speakers],
  )
  return <SelectionContext value={selection}>{children}</SelectionContext>
}

/** The checkbox that selects an event; none outside of a selection. */
export function EventCheckbox({ event }: { event: Pick<CalendarEvent, 'id' | 'title'> }) {
  const selection = use(SelectionContext)
  if (!selection) return null
  return (
    <label className={styles.select} title="Select">
      <input
        type="checkbox"
        className={styles.box}
        aria-label={`Select ${event.title}`}
        checked={selection.ids.has(event.id)}
        onChange={({ target }) => {
          selection.toggle([event.id], target.checked)
        }}
      />
    </label>
  )
}
