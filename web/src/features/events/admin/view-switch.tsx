import { useState } from 'react'
import { Button } from '../../../components/ui/button'
import { readStored, writeStored } from '../../../lib/storage'
import styles from './view-switch.module.css'

const key = 'lectern.events.view'
const views = { cards: 'Cards', table: 'Table' } as const

/** How the events are listed. */
export type EventsView = keyof typeof views

/** How the events are listed, as it was chosen last in this browser. */
export function useEventsView() {
  const [view, setView] = useState<EventsView>(() =>
    readStored(key) === 'table' ? 'table' : 'cards',
  )
  return [
    view,
    (next: EventsView) => {
      setView(next)
      writeStored(key, next === 'cards' ? null : next)
    },
  ] as const
}

interface ViewSwitchProps {
  view: EventsView
  onChange: (view: EventsView) => void
}

/** Lists the events as cards or as a table. */
export function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  return (
    <div className={styles.root} role="group" aria-label="Show as">
      {(['cards', 'table'] as const).map((one) => (
        <Button
          key={one}
          variant="ghost"
          size="small"
          className={styles.button}
          aria-pressed={view === one}
          onClick={() => {
            onChange(one)
          }}
        >
          {views[one]}
        </Button>
      ))}
    </div>
  )
}
