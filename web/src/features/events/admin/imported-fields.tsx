import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../api/client'
import { Alert } from '../../../components/ui/alert'
import { Button } from '../../../components/ui/button'
import { FormGroup } from '../../../components/ui/form-panel'
import { momentLabel } from './activity'
import { importQuery } from './api'
import { fieldLabels, textFields } from './draft'
import styles from './imported-fields.module.css'
import type { EventForm } from './use-event-form'

/** What of an imported event was changed here, and the way back to what the provider says. */
export function ImportedFields({ id, form }: { id: number; form: EventForm }) {
  const { data, error, refetch } = useQuery(importQuery(id))
  if (error) {
    // The provider's item may be gone from the server's books; then there is nothing to follow.
    const isUnknown = error instanceof ApiError && error.status === 404
    return isUnknown ? null : (
      <FormGroup title="Brandlive">
        <Alert title="Unable to load what Brandlive says" onRetry={() => void refetch()} />
      </FormGroup>
    )
  }
  if (!data) return null
  const local = data.fields.flatMap((known) => {
    const field = textFields.find((name) => name === known.field)
    return field && known.isLocal ? [{ field, imported: known.imported }] : []
  })

  return (
    <FormGroup
      title="Brandlive"
      help="The sync keeps this event up to date, except for the fields that were changed here."
    >
      {data.hiddenSince && (
        <p className={styles.words}>
          Hidden: cancelled or no longer listed by Brandlive since {momentLabel(data.hiddenSince)}.
        </p>
      )}
      {local.length === 0 && <p className={styles.words}>Every field follows Brandlive.</p>}
      {local.map(({ field, imported }) => {
        const isReset = form.draft[field].trim() === imported.trim()
        return (
          <div key={field} className={styles.field}>
            <div className={styles.words}>
              <b className={styles.label}>{fieldLabels[field]}</b>
              <span className={styles.text} role="status">
                {isReset ? 'Follows Brandlive again once you save.' : `Brandlive says: ${imported}`}
              </span>
            </div>
            <Button
              size="dense"
              aria-disabled={isReset}
              aria-label={`Reset to Brandlive: ${fieldLabels[field]}`}
              onClick={() => {
                if (!isReset) form.change({ [field]: imported })
              }}
            >
              Reset to Brandlive
            </Button>
          </div>
        )
      })}
    </FormGroup>
  )
}
