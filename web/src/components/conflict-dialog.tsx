import { type ReactNode, useId, useState } from 'react'
import styles from './conflict-dialog.module.css'
import { Button } from './ui/button'
import { Dialog } from './ui/dialog'
import { Spinner } from './ui/loading'

/** A field that two people changed to different values. */
export interface ConflictingField<Field extends string> {
  field: Field
  label: string
  mine: string
  theirs: string
}

interface ConflictDialogProps<Field extends string> {
  title: string
  /** The other admin and the time of the save, if they are known. */
  lastChange?: ReactNode
  fields: readonly ConflictingField<Field>[]
  isSaving: boolean
  /** Saves; `theirFields` are those with the other admin's value. */
  onSave: (theirFields: Field[]) => void
  onCancel: () => void
}

/**
 * Resolves an edit conflict: shows both versions of each field that two people changed, to choose
 * from, because the last save would overwrite the other admin's.
 */
export function ConflictDialog<Field extends string>(props: ConflictDialogProps<Field>) {
  const { title, lastChange, fields, isSaving, onSave, onCancel } = props
  const headingId = useId()
  const [theirFields, setTheirFields] = useState<ReadonlySet<Field>>(new Set())

  return (
    <Dialog headingId={headingId} onClose={onCancel}>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="Both versions">
        <h2 className={styles.title} id={headingId} tabIndex={-1}>
          {title}
        </h2>
        <p className={styles.message}>
          {lastChange} Both versions changed the same fields. Choose what to keep; all other changes
          of both of you are kept. Nothing is saved until you do.
        </p>
        <div className={styles.all}>
          <Button
            size="small"
            onClick={() => {
              setTheirFields(new Set())
            }}
          >
            Keep All of Yours
          </Button>
          <Button
            size="small"
            onClick={() => {
              setTheirFields(new Set(fields.map(({ field }) => field)))
            }}
          >
            Take All of Theirs
          </Button>
        </div>
        {fields.map(({ field, label, mine, theirs }) => (
          <fieldset key={field} className={styles.field}>
            <legend className={styles.legend}>{label}</legend>
            <div className={styles.versions}>
              {(['own', 'other'] as const).map((side) => (
                <label key={side} className={styles.version}>
                  <span className={styles.side}>
                    <input
                      type="radio"
                      name={`${headingId}-${field}`}
                      checked={theirFields.has(field) === (side === 'other')}
                      onChange={() => {
                        const next = new Set(theirFields)
                        if (side === 'other') next.add(field)
                        else next.delete(field)
                        setTheirFields(next)
                      }}
                    />
                    {side === 'own' ? 'Yours' : 'Theirs'}
                  </span>
                  <span className={styles.text}>
                    {(side === 'own' ? mine : theirs) || <i>Nothing</i>}
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <div className={styles.footer}>
        <Button onClick={onCancel}>Back to Editing</Button>
        <Button
          variant="primary"
          aria-disabled={isSaving}
          onClick={() => {
            if (!isSaving) onSave([...theirFields])
          }}
        >
          {isSaving && <Spinner />}
          Save This Version
        </Button>
      </div>
    </Dialog>
  )
}
