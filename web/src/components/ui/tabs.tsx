import { type ReactNode, useEffect, useId, useRef } from 'react'
import { classNames } from '../../lib/class-names'
import styles from './tabs.module.css'

/** A tab: its id and what it says. */
export interface Tab<Id extends string> {
  id: Id
  label: string
}

interface TabsProps<Id extends string> {
  /** What the tabs are tabs of. */
  label: string
  tabs: readonly Tab<Id>[]
  selected: Id
  /** Asked to show another tab, by a press or on the way with the arrow keys. */
  onSelect: (id: Id, how: 'press' | 'arrow') => void
  /** What the selected tab shows. */
  children: ReactNode
}

/** Where each key leads among `count` tabs. */
const moves: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * Tabs cut from the page's colour, and the selected one's panel below (guide §6). They are one stop
 * of the Tab key; the arrow keys go along them. Where they don't fit they scroll sideways, with the
 * selected one in view.
 */
export function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
  children,
}: TabsProps<Id>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const idOf = (tab: Id) => `${id}-${tab}`

  useEffect(() => {
    const box = list.current
    const tab = box?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (!box || !tab) return
    // Only sideways: the page itself must not move.
    box.scrollLeft = tab.offsetLeft - (box.clientWidth - tab.offsetWidth) / 2
  }, [selected])

  return (
    <>
      <div className={classNames(styles.bar, 'on-deep')}>
        <div className="wrap">
          <div ref={list} className={styles.list} role="tablist" aria-label={label}>
            {tabs.map((tab, index) => (
              <button
                key={tab.id}
                type="button"
                role="tab"
                id={idOf(tab.id)}
                className={styles.tab}
                aria-selected={tab.id === selected}
                aria-controls={`${id}-panel`}
                tabIndex={tab.id === selected ? 0 : -1}
                onClick={() => {
                  if (tab.id !== selected) onSelect(tab.id, 'press')
                }}
                onKeyDown={(event) => {
                  const next = tabs[moves[event.key]?.(index, tabs.length) ?? -1]
                  if (!next) return
                  event.preventDefault()
                  document.getElementById(idOf(next.id))?.focus()
                  if (next.id !== selected) onSelect(next.id, 'arrow')
                }}
              >
                {tab.label}
              </button>
            ))}
          </div>
        </div>
      </div>
      <div
        key={selected}
        className={classNames('wrap', styles.panel)}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={idOf(selected)}
      >
        {children}
      </div>
    </>
  )
}
