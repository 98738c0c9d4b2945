import { type ReactNode, useEffect, useId, useRef } from 'react'
import { AdminIcon } from '../../components/ui/admin-icon'
import { Button } from '../../components/ui/button'
import { TextField } from '../../components/ui/field'
import { Icon } from '../../components/ui/icon'
import styles from './link-list-field.module.css'
import { type LinkRow, linkRow, type SettingsErrors } from './rules'

interface LinkListFieldProps {
  /** The name of the field, with which the keys of its errors begin. */
  name: string
  label: string
  rows: readonly LinkRow[]
  errors: SettingsErrors
  help?: ReactNode
  isDisabled: boolean
  onChange: (rows: readonly LinkRow[]) => void
}

/** A list of links, which can be added, changed, moved and removed. */
export function LinkListField(props: LinkListFieldProps) {
  const { name, label, rows, errors, help, isDisabled, onChange } = props
  const id = useId()
  const box = useRef<HTMLFieldSetElement>(null)
  // What gets the focus once the rows have changed: the element with this name in the list.
  const nextFocus = useRef<string>(undefined)
  const listError = errors[name]
  const hasNotes = help !== undefined || listError !== undefined

  useEffect(() => {
    if (nextFocus.current === undefined) return
    box.current?.querySelector<HTMLElement>(`[data-focus="${nextFocus.current}"]`)?.focus()
    nextFocus.current = undefined
  }, [rows])

  const set = (focus: string, changed: readonly LinkRow[]) => {
    nextFocus.current = focus
    onChange(changed)
  }
  const move = (from: number, to: number) => {
    const moved = rows.filter((_, index) => index !== from)
    const row = rows[from]
    // The same button again, to move the link further.
    if (row) set(`${to < from ? 'up' : 'down'}-${String(to)}`, moved.toSpliced(to, 0, row))
  }

  return (
    <fieldset
      ref={box}
      className={styles.root}
      disabled={isDisabled}
      aria-describedby={hasNotes ? `${id}-notes` : undefined}
    >
      <legend className={styles.legend}>{label}</legend>
      {rows.length > 0 && (
        <div className={styles.rows}>
          {rows.map((row, index) => {
            const title = `${label}, link ${String(index + 1)}`
            const edit = (part: Partial<LinkRow>) => {
              onChange(rows.map((other) => (other === row ? { ...row, ...part } : other)))
            }
            return (
              <div key={row.key} className={styles.row} role="group" aria-label={title}>
                <TextField
                  label="Text"
                  name={`${name}.${String(index)}.label`}
                  autoComplete="off"
                  data-focus={`text-${String(index)}`}
                  value={row.label}
                  error={errors[`${name}.${String(index)}.label`]}
                  onChange={({ target }) => {
                    edit({ label: target.value })
                  }}
                />
                <TextField
                  label="URL"
                  name={`${name}.${String(index)}.url`}
                  type="url"
                  placeholder="https://"
                  autoComplete="off"
                  value={row.url}
                  error={errors[`${name}.${String(index)}.url`]}
                  onChange={({ target }) => {
                    edit({ url: target.value })
                  }}
                />
                <div className={styles.actions}>
                  <Button
                    variant="ghost"
                    size="small"
                    aria-label={`Move up: ${title}`}
                    data-focus={`up-${String(index)}`}
                    aria-disabled={index === 0}
                    onClick={() => {
                      if (index > 0) move(index, index - 1)
                    }}
                  >
                    <span className={styles.up}>
                      <Icon name="previous" />
                    </span>
                  </Button>
                  <Button
                    variant="ghost"
                    size="small"
                    aria-label={`Move down: ${title}`}
                    data-focus={`down-${String(index)}`}
                    aria-disabled={index === rows.length - 1}
                    onClick={() => {
                      if (index < rows.length - 1) move(index, index + 1)
                    }}
                  >
                    <span className={styles.up}>
                      <Icon name="next" />
                    </span>
                  </Button>
                  <Button
                    variant="ghost"
                    size="small"
                    aria-label={`Remove: ${title}`}
                    onClick={() => {
                      const left = rows.filter((other) => other !== row)
                      const next = Math.min(index, left.length - 1)
                      set(next < 0 ? 'add' : `text-${String(next)}`, left)
                    }}
                  >
                    <AdminIcon name="delete" />
                  </Button>
                </div>
              </div>
            )
          })}
        </div>
      )}
      <Button
        size="small"
        className={styles.add}
        data-focus="add"
        aria-label={`Add a link to ${label}`}
        onClick={() => {
          set(`text-${String(rows.length)}`, [...rows, linkRow()])
        }}
      >
        <AdminIcon name="plus" />
        Add a Link
      </Button>
      {hasNotes && (
        <div id={`${id}-notes`}>
          {help !== undefined && <p className={styles.help}>{help}</p>}
          {listError !== undefined && (
            <p className={styles.error} role="alert">
              <Icon name="alert" />
              {listError}
            </p>
          )}
        </div>
      )}
    </fieldset>
  )
}
