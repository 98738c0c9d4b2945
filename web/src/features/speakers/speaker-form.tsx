import { useState } from 'react'
import { fieldErrorsOf, messageOf, saveProblemOf } from '../../api/forms'
import type { Speaker } from '../../api/types'
import { AdminIcon } from '../../components/ui/admin-icon'
import { Button } from '../../components/ui/button'
import { SavedInputOffer } from '../../components/ui/saved-input-offer'
import { FormPanel } from '../../components/ui/form-panel'
import { showError, showToast } from '../../components/ui/toast-store'
import {
  type EditedVersion,
  theirChangesNote,
  useMergedSave,
} from '../../components/use-merged-save'
import { confirmBeforeLeaving } from '../../lib/unsaved-changes'
import { useFormValues } from '../../lib/use-form-values'
import { useSaveSpeaker } from './api'
import { DeleteSpeaker } from './delete-speaker'
import {
  checkSpeaker,
  formValuesOf,
  speakerLabels,
  speakerToSave,
  type SpeakerFormValues,
} from './rules'
import { SpeakerFields } from './speaker-fields'

interface SpeakerFormProps {
  /** The speaker to edit; null for a new one. */
  speaker: Speaker | null
  onClose: () => void
}

/** The form to create or edit a speaker (spec §2, Speakers tab). */
export function SpeakerForm({ speaker, onClose }: SpeakerFormProps) {
  const { save, isPending, resume } = useSaveSpeaker(speaker?.id ?? null)
  const { form, values, base, field, change, showErrors, rebase, savedInput, clearSavedInput } =
    useFormValues(() => formValuesOf(speaker), {
      check: checkSpeaker,
      storageName: `speaker.${speaker?.id ?? 'new'}`,
      revision: speaker?.revision,
      onRestore: (values) => {
        resume(speakerToSave(values))
      },
    })
  const [isDeleting, setIsDeleting] = useState(false)
  const [problem, setProblem] = useState<string>()

  const submit = (
    values: SpeakerFormValues,
    onto: EditedVersion<SpeakerFormValues>,
    theirLabels: string[] = [],
  ) => {
    setProblem(undefined)
    if (showErrors(checkSpeaker(values))) return
    save(
      { ...speakerToSave(values), ...(onto.revision !== null && { revision: onto.revision }) },
      {
        form,
        onSuccess: () => {
          const message = speaker ? 'Speaker updated successfully' : 'Speaker created successfully'
          showToast({ title: 'Success', description: message + theirChangesNote(theirLabels) })
          clearSavedInput()
        },
        onClose,
        onConflict: (cause) => merge.resolve(cause, values, onto),
        onError: (cause) => {
          setProblem(saveProblemOf(cause))
          showErrors(fieldErrorsOf(cause))
          showError(messageOf(cause, 'Failed to save speaker'))
        },
      },
    )
  }
  const merge = useMergedSave<Speaker, SpeakerFormValues>({
    subject: 'speaker',
    labels: speakerLabels,
    valuesOf: formValuesOf,
    rebase,
    save: submit,
  })

  return (
    <>
      <FormPanel
        title={speaker ? 'Edit Speaker' : 'Add New Speaker or Event Host'}
        form={form}
        save={isPending ? 'Saving...' : speaker ? 'Update Speaker' : 'Create Speaker'}
        isSaving={isPending}
        problem={problem}
        more={
          speaker && (
            <Button
              variant="ghost"
              onClick={() => {
                setIsDeleting(true)
              }}
            >
              <AdminIcon name="delete" />
              Delete Speaker
            </Button>
          )
        }
        aboveFields={<SavedInputOffer savedInput={savedInput} />}
        onSave={() => {
          submit(values, base)
        }}
        onCancel={() => {
          confirmBeforeLeaving(onClose)
        }}
      >
        <SpeakerFields values={values} field={field} change={change} />
      </FormPanel>
      {merge.dialog}
      {isDeleting && speaker && (
        <DeleteSpeaker
          speaker={speaker}
          onCancel={() => {
            setIsDeleting(false)
          }}
          onDeleted={onClose}
        />
      )}
    </>
  )
}
