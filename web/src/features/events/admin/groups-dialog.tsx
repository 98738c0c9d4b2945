import { useId } from 'react'
import type { EventMatch } from '../../../api/types'
import { Button } from '../../../components/ui/button'
import { Dialog } from '../../../components/ui/dialog'
import { countLabel } from '../../../lib/text'
import dialogStyles from './bulk-edit-dialog.module.css'
import { monthLabel } from './event-filter'
import styles from './groups-dialog.module.css'

interface GroupsDialogProps {
  matches: readonly EventMatch[]
  isFiltered: boolean
  ids: ReadonlySet<number>
  onToggle: (ids: readonly number[], isSelected: boolean) => void
  onClose: () => void
}

/** Selects the events of whole series and months, of those that the list shows. */
export function GroupsDialog({ matches, isFiltered, ids, onToggle, onClose }: GroupsDialogProps) {
  const headingId = useId()
  const series = groupsOf(matches, ({ series }) => series?.trim() ?? '')
  const months = groupsOf(matches, ({ date }) => date.slice(0, 7))
  const columns = [
    { title: 'Series', groups: series.sort((a, b) => a.name.localeCompare(b.name)), label: String },
    {
      title: 'Months',
      groups: months.sort((a, b) => (a.name < b.name ? -1 : 1)),
      label: monthLabel,
    },
  ]
  const selected = matches.filter(({ id }) => ids.has(id)).length

  return (
    <Dialog headingId={headingId} size="small" className={dialogStyles.root} onClose={onClose}>
      <div className={dialogStyles.body}>
        <h2 className={dialogStyles.title} id={headingId} tabIndex={-1}>
          Select by Series or Month
        </h2>
        <p className={dialogStyles.intro}>
          Of the {countLabel(matches.length, 'event')} {isFiltered ? 'that match' : 'in the list'}.
          What is selected already stays selected.
        </p>
        <div className={styles.columns}>
          {columns.map(({ title, groups, label }) => (
            <fieldset key={title} className={styles.column}>
              <legend className={styles.legend}>{title}</legend>
              {groups.length === 0 && <p className={dialogStyles.intro}>None of them has one.</p>}
              {groups.map(({ name, members }) => {
                const count = members.filter((id) => ids.has(id)).length
                return (
                  <label key={name} className={styles.option}>
                    <input
                      type="checkbox"
                      className={styles.box}
                      ref={(box) => {
                        if (box) box.indeterminate = count > 0 && count < members.length
                      }}
                      checked={count === members.length}
                      onChange={({ target }) => {
                        onToggle(members, target.checked)
                      }}
                    />
                    <span>
                      {label(name)}{' '}
                      <span className={styles.count}>{countLabel(members.length, 'event')}</span>
                    </span>
                  </label>
                )
              })}
            </fieldset>
          ))}
        </div>
      </div>
      <div className={dialogStyles.footer}>
        <p className={dialogStyles.note} role="status">
          {countLabel(selected, 'event')} selected
        </p>
        <Button variant="primary" size="small" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

interface Group {
  name: string
  /** Ids of its events. */
  members: number[]
}

/** The events by a name, without those that have none. */
function groupsOf(events: readonly EventMatch[], nameOf: (event: EventMatch) => string): Group[] {
  const groups = new Map<string, Group>()
  for (const event of events) {
    const name = nameOf(event)
    if (name === '') continue
    // As the server compares the names of series.
    const key = name.toLowerCase().replaceAll(/\s+/g, ' ')
    const group = groups.get(key) ?? { name, members: [] }
    group.members.push(event.id)
    groups.set(key, group)
  }
  return [...groups.values()]
}
