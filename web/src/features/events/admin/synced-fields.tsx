import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../api/client'
import type { CalendarEvent } from '../../../api/types'
import { Alert } from '../../../components/ui/alert'
import { Button } from '../../../components/ui/button'
import { FormGroup } from '../../../components/ui/form-panel'
import { dateTimeLabel } from './activity'
import { eventSyncQuery } from './api'
import { fieldLabels, textFields } from './form-values'
import styles from './synced-fields.module.css'
import type { EventForm } from './use-event-form'

/** The locally changed fields of a synced event, which can be reset to the provider's values. */
export function SyncedFields({ event, form }: { event: CalendarEvent; form: EventForm }) {
  const { id, status = 'published' } = event
  const { data, error, refetch } = useQuery(eventSyncQuery(id))
  if (error) {
    // The server may have no sync record for the event any more.
    const isMissing = error instanceof ApiError && error.status === 404
    return isMissing ? null : (
      <FormGroup title="Brandlive">
        <Alert title="Unable to load the values from Brandlive" onRetry={() => void refetch()} />
      </FormGroup>
    )
  }
  if (!data) return null
  const local = data.fields.flatMap((syncedField) => {
    const field = textFields.find((name) => name === syncedField.field)
    return field && syncedField.isLocal ? [{ field, synced: syncedField.synced }] : []
  })

  // The sync hides what is no longer listed; every other status but Published was chosen by an admin.
  const hasOwnStatus = status !== 'published' && !(status === 'hidden' && data.hiddenSince)

  return (
    <FormGroup
      title="Brandlive"
      help="The sync keeps this event up to date, except for the fields that were changed here."
    >
      {data.hiddenSince && (
        <p className={styles.message}>
          Hidden: cancelled or no longer listed by Brandlive since {dateTimeLabel(data.hiddenSince)}
          .
        </p>
      )}
      {local.length === 0 && !hasOwnStatus && (
        <p className={styles.message}>Every field follows Brandlive.</p>
      )}
      {hasOwnStatus && (
        <ResettableField
          label={fieldLabels.status}
          text="Chosen here: Brandlive does not change it."
          isReset={form.values.status === 'published'}
          onReset={() => {
            form.change({ status: 'published' })
          }}
        />
      )}
      {local.map(({ field, synced }) => (
        <ResettableField
          key={field}
          label={fieldLabels[field]}
          text={`Brandlive says: ${synced}`}
          isReset={form.values[field].trim() === synced.trim()}
          onReset={() => {
            form.change({ [field]: synced })
          }}
        />
      ))}
    </FormGroup>
  )
}

interface ResettableFieldProps {
  label: string
  text: string
  /** Whether the form has the provider's value again. */
  isReset: boolean
  onReset: () => void
}

function ResettableField({ label, text, isReset, onReset }: ResettableFieldProps) {
  return (
    <div className={styles.field}>
      <div className={styles.message}>
        <b className={styles.label}>{label}</b>
        <span className={styles.text} role="status">
          {isReset ? 'Follows Brandlive again once you save.' : text}
        </span>
      </div>
      <Button
        size="small"
        aria-disabled={isReset}
        aria-label={`Reset to Brandlive: ${label}`}
        onClick={() => {
          if (!isReset) onReset()
        }}
      >
        Reset to Brandlive
      </Button>
    </div>
  )
}
