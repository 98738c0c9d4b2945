import { type ReactNode, useEffect, useId, useRef } from 'react'
import { classNames } from '../../lib/class-names'
import styles from './tabs.module.css'

/** A tab. */
export interface Tab<Id extends string> {
  id: Id
  label: string
}

interface TabsProps<Id extends string> {
  /** The accessible name of the tab list. */
  label: string
  tabs: readonly Tab<Id>[]
  selected: Id
  /** Called when another tab is pressed or reached with the arrow keys. */
  onSelect: (id: Id, how: 'press' | 'arrow') => void
  /** The panel of the selected tab. */
  children: ReactNode
}

/** The index of the tab that a key moves to. */
const moves: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * Tabs, and the panel of the selected one (guide §6). The tab list is one tab stop; the arrow keys
 * move along it. If the tabs don't fit, the list scrolls sideways with the selected one in view,
 * and arrows at its ends show where there are more (`data-more`).
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
    if (!box) return
    const mark = () => {
      const end = box.scrollWidth - box.clientWidth - box.scrollLeft
      const sides = [box.scrollLeft > 1 && 'start', end > 1 && 'end']
      box.parentElement?.setAttribute('data-more', sides.filter(Boolean).join(' '))
    }
    mark()
    box.addEventListener('scroll', mark, { passive: true })
    const observer = new ResizeObserver(mark)
    observer.observe(box)
    for (const tab of box.children) observer.observe(tab)
    return () => {
      box.removeEventListener('scroll', mark)
      observer.disconnect()
    }
  }, [])

  useEffect(() => {
    const box = list.current
    const tab = box?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (!box || !tab) return
    // scrollIntoView would also scroll the page.
    box.scrollLeft = tab.offsetLeft - (box.clientWidth - tab.offsetWidth) / 2
  }, [selected])

  return (
    <>
      <div className={classNames(styles.bar, 'on-deep')}>
        <div className={classNames('wrap', styles.scroller)}>
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

interface TabHeaderProps {
  title: string
  /** The tab's actions. */
  children?: ReactNode
}

/** The heading of a tab of the portal, with its actions at the end of the row. */
export function TabHeader({ title, children }: TabHeaderProps) {
  return (
    <div className={styles.header}>
      <h1 className={styles.title} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  )
}
