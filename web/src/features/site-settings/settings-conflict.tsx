import { useId } from 'react'
import { Button } from '../../components/ui/button'
import { Dialog } from '../../components/ui/dialog'
import { fieldLabels, type SettingsField, type SettingsValues } from './rules'
import styles from './settings-conflict.module.css'

interface SettingsConflictProps {
  mine: SettingsValues
  theirs: SettingsValues
  /** The fields that both editors have changed. */
  fields: readonly SettingsField[]
  textOf: (values: SettingsValues, field: SettingsField) => string
  onKeepMine: () => void
  onTakeTheirs: () => void
  onCancel: () => void
}

/** Shows both versions of the fields that two editors have changed, to choose one. */
export function SettingsConflict(props: SettingsConflictProps) {
  const { mine, theirs, fields, textOf, onKeepMine, onTakeTheirs, onCancel } = props
  const headingId = useId()
  return (
    <Dialog headingId={headingId} onClose={onCancel}>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="Both versions">
        <h2 className={styles.title} id={headingId} tabIndex={-1}>
          Somebody else changed these settings while you were editing them
        </h2>
        <p className={styles.message}>
          Choose what to keep in the fields that both of you changed. Nothing is saved until you do.
        </p>
        {fields.map((field) => (
          <section key={field} className={styles.field}>
            <h3 className={styles.name}>{fieldLabels[field]}</h3>
            <dl className={styles.versions}>
              {[
                { side: 'Yours', text: textOf(mine, field) },
                { side: 'Theirs', text: textOf(theirs, field) },
              ].map(({ side, text }) => (
                <div key={side} className={styles.version}>
                  <dt className={styles.side}>{side}</dt>
                  <dd className={styles.text}>{text || <i>Nothing</i>}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className={styles.foot}>
        <Button onClick={onCancel}>Back to Editing</Button>
        <Button onClick={onTakeTheirs}>Take All of Theirs</Button>
        <Button variant="primary" onClick={onKeepMine}>
          Keep All of Yours
        </Button>
      </div>
    </Dialog>
  )
}
