import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { CalendarEvent } from '../../../api/types'
import { Button } from '../../../components/ui/button'
import { Dialog } from '../../../components/ui/dialog'
import { Spinner } from '../../../components/ui/loading'
import { dateTimeLabel } from './activity'
import { activityQuery } from './api'
import styles from './conflict-dialog.module.css'
import {
  type FormField,
  differingFields,
  formValuesOf,
  type EventFormValues,
  fieldLabels,
  copyFields,
} from './form-values'
import { isStatus, statusLabels } from './status-labels'

interface ConflictDialogProps {
  /** The event as it was when editing started. */
  started: EventFormValues
  mine: EventFormValues
  /** The version that another editor saved. */
  theirs: CalendarEvent
  siteUrl: string
  isSaving: boolean
  speakerName: (id: number) => string
  onSave: (values: EventFormValues) => void
  onCancel: () => void
}

/**
 * Resolves an edit conflict: shows both versions of each field that differs, to choose from, because
 * the last save would overwrite the other editor's. The default is this editor's value for fields
 * changed here, else the other editor's.
 */
export function ConflictDialog(props: ConflictDialogProps) {
  const { started, mine, theirs, siteUrl, isSaving, speakerName, onSave, onCancel } = props
  const headingId = useId()
  const theirValues = formValuesOf(theirs, siteUrl)
  const fields = differingFields(mine, theirValues)
  const [choices, setChoices] = useState<Partial<Record<FormField, 'own' | 'other'>>>({})
  const changedHere = new Set(differingFields(started, mine))
  const choiceOf = (field: FormField) =>
    choices[field] ?? (changedHere.has(field) ? 'own' : 'other')
  const chooseAll = (choice: 'own' | 'other') => {
    setChoices(Object.fromEntries(fields.map((field) => [field, choice])))
  }
  const textOf = (values: EventFormValues, field: FormField) => {
    if (field === 'speakerIds') return values.speakerIds.map(speakerName).join(', ')
    if (field === 'status' && isStatus(values.status)) return statusLabels[values.status]
    return field === 'publishAt' ? values.publishAt.replace('T', ' ') : values[field]
  }

  return (
    <Dialog headingId={headingId} onClose={onCancel}>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="Both versions">
        <h2 className={styles.title} id={headingId} tabIndex={-1}>
          Somebody else changed this event while you were editing it
        </h2>
        <p className={styles.message}>
          <LastChange id={theirs.id} /> Choose what to keep. Nothing is saved until you do.
        </p>
        {fields.length === 0 ? (
          <p className={styles.message}>Both versions are the same.</p>
        ) : (
          <div className={styles.all}>
            <Button
              size="small"
              onClick={() => {
                chooseAll('own')
              }}
            >
              Keep All of Yours
            </Button>
            <Button
              size="small"
              onClick={() => {
                chooseAll('other')
              }}
            >
              Take All of Theirs
            </Button>
          </div>
        )}
        {fields.map((field) => (
          <fieldset key={field} className={styles.field}>
            <legend className={styles.legend}>{fieldLabels[field]}</legend>
            <div className={styles.versions}>
              {(['own', 'other'] as const).map((side) => (
                <label key={side} className={styles.version}>
                  <span className={styles.side}>
                    <input
                      type="radio"
                      name={`${headingId}-${field}`}
                      checked={choiceOf(field) === side}
                      onChange={() => {
                        setChoices((previous) => ({ ...previous, [field]: side }))
                      }}
                    />
                    {side === 'own' ? 'Yours' : 'Theirs'}
                  </span>
                  <span className={styles.text}>
                    {textOf(side === 'own' ? mine : theirValues, field) || <i>Nothing</i>}
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <div className={styles.foot}>
        <Button onClick={onCancel}>Back to Editing</Button>
        <Button
          variant="primary"
          aria-disabled={isSaving}
          onClick={() => {
            if (isSaving) return
            const replaced = fields.filter((field) => choiceOf(field) === 'other')
            onSave(copyFields(mine, theirValues, replaced))
          }}
        >
          {isSaving && <Spinner />}
          Save This Version
        </Button>
      </div>
    </Dialog>
  )
}

/** The other editor and the time of the save, if the activity log has them. */
function LastChange({ id }: { id: number }) {
  const { data } = useQuery(activityQuery(id))
  const last = data?.[0]
  return last && `${last.who} saved it ${dateTimeLabel(last.at)}.`
}
