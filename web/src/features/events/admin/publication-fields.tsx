import type { ReactNode } from 'react'
import { SelectField, TextField } from '../../../components/ui/field'
import { FormGroup } from '../../../components/ui/form-panel'
import { Warnings } from './form-warnings'
import { useMinute } from '../../../lib/hydration'
import { zoneAbbreviation } from '../event-time'
import { urlInput } from './form-groups'
import { publicationOf } from './form-values'
import { isStatus, statuses, statusHelp, statusLabels } from './status-labels'
import type { EventForm } from './use-event-form'

const options = statuses.map((value) => ({ value, label: statusLabels[value] }))

interface PublicationFieldsProps {
  form: EventForm
  /** Warnings about the publication time. */
  warnings: readonly ReactNode[]
}

/** Who sees the event and from when, and its recording. */
export function PublicationFields({ form, warnings }: PublicationFieldsProps) {
  const { field, values } = form
  const { status, timezone } = values
  const now = useMinute()
  const instant = publicationOf(values)
  const zone = zoneAbbreviation(Number.isNaN(instant) ? now : instant, timezone)
  return (
    <FormGroup title="Publication" help="Who sees the event, and whether it takes place.">
      <SelectField
        label="Status"
        width="half"
        options={options}
        {...(isStatus(status) && { help: statusHelp[status] })}
        {...field('status')}
      />
      {status === 'scheduled' && (
        <TextField
          label="Publish at"
          type="datetime-local"
          width="half"
          help={`In the event’s time zone (${zone}).`}
          {...field('publishAt')}
        />
      )}
      <Warnings>{warnings}</Warnings>
      <TextField
        label="Recording URL"
        isOptional
        help="Visitors can watch the recording here after the event."
        {...urlInput}
        {...field('recordingUrl')}
      />
    </FormGroup>
  )
}
