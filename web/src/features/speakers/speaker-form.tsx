import { useState } from 'react'
import { fieldErrorsOf, messageOf, uploadImage } from '../../api/forms'
import { limits, speakerTypes } from '../../api/generated/validation'
import type { Speaker } from '../../api/types'
import { Portrait } from '../../components/portrait'
import { AdminIcon } from '../../components/ui/admin-icon'
import { Button } from '../../components/ui/button'
import { SelectField, TextAreaField, TextField } from '../../components/ui/field'
import { FormGroup, FormPanel } from '../../components/ui/form-panel'
import { ImageField } from '../../components/ui/image-field'
import { showError, showToast } from '../../components/ui/toast-store'
import { confirmBeforeLeaving } from '../../lib/unsaved-changes'
import { useFormValues } from '../../lib/use-form-values'
import { useSaveSpeaker } from './api'
import { DeleteSpeaker } from './delete-speaker'
import { checkSpeaker, formValuesOf, speakerToSave } from './rules'
import styles from './speaker-form.module.css'

interface SpeakerFormProps {
  /** The speaker to edit; null for a new one. */
  speaker: Speaker | null
  onClose: () => void
}

/** The form to create or edit a speaker (spec §2, Speakers tab). */
export function SpeakerForm({ speaker, onClose }: SpeakerFormProps) {
  const { form, values, field, change, showErrors } = useFormValues(() => formValuesOf(speaker))
  const [isDeleting, setIsDeleting] = useState(false)
  const { mutate: save, isPending } = useSaveSpeaker(speaker?.id ?? null)

  const submit = () => {
    if (showErrors(checkSpeaker(values))) return
    save(speakerToSave(values), {
      onSuccess: () => {
        showToast({
          title: 'Success',
          description: speaker ? 'Speaker updated successfully' : 'Speaker created successfully',
        })
        onClose()
      },
      onError: (cause) => {
        showErrors(fieldErrorsOf(cause))
        showError(messageOf(cause, 'Failed to save speaker'))
      },
    })
  }

  return (
    <>
      <FormPanel
        title={speaker ? 'Edit Speaker' : 'Add New Speaker or Event Host'}
        form={form}
        save={isPending ? 'Saving...' : speaker ? 'Update Speaker' : 'Create Speaker'}
        isSaving={isPending}
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
        onSave={submit}
        onCancel={() => {
          confirmBeforeLeaving(onClose)
        }}
      >
        <FormGroup
          title="Who it is"
          help="Visitors see name and title on the event, and the bio in its details."
        >
          <TextField label="Name" autoComplete="off" {...field('name')} />
          <TextField label="Title" width="half" autoComplete="off" {...field('title')} />
          <SelectField
            label="Speaker type"
            width="half"
            options={speakerTypes}
            {...field('type')}
          />
        </FormGroup>
        <FormGroup title="Image" help="Without one, visitors see the initials.">
          <ImageField
            label="Image URL"
            isOptional
            help="An address, or upload a JPEG, PNG or WebP of up to 8 MB."
            {...field('imageUrl')}
            onChange={(address) => {
              change('imageUrl', address)
            }}
            onUpload={uploadImage}
            preview={
              <Portrait
                className={styles.portrait}
                name={values.name}
                imageUrl={checkSpeaker(values).imageUrl ? null : values.imageUrl.trim()}
              />
            }
          />
        </FormGroup>
        <FormGroup title="About" help="A few sentences. Cards show the first two lines.">
          <TextAreaField label="Bio" isOptional rows={5} countTo={limits.bio} {...field('bio')} />
        </FormGroup>
      </FormPanel>
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
