import type { CalendarEvent } from '../../../api/types'
import { Alert } from '../../../components/ui/alert'
import { FormGroup } from '../../../components/ui/form-panel'
import { SpeakerPicker } from './speaker-picker'
import { nameOf, type PortalSpeakers } from './speakers'
import type { EventForm } from './use-event-form'

interface SpeakerFieldsProps {
  form: EventForm
  speakers: PortalSpeakers
  /** Those of the event as it is stored. */
  known: CalendarEvent['speakers'] | undefined
}

/** Who speaks, in order. */
export function SpeakerFields({ form, speakers, known }: SpeakerFieldsProps) {
  const { speakerIds } = form.draft
  return (
    <FormGroup
      title="Who speaks"
      help="At least one speaker, in the order in which they are shown."
    >
      {speakers.hasFailed && <Alert title="Failed to fetch speakers" onRetry={speakers.retry} />}
      <SpeakerPicker
        all={speakers.all}
        chosen={speakerIds.map((id) => ({ id, speaker: nameOf(id, speakers, known) }))}
        error={form.errorOf('speakerIds')}
        onChange={(ids) => {
          form.change({ speakerIds: ids })
        }}
      />
    </FormGroup>
  )
}
