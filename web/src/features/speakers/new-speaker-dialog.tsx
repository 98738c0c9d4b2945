import { type SubmitEvent, useId, useState } from 'react'
import { fieldErrorsOf, messageOf } from '../../api/forms'
import type { Speaker } from '../../api/types'
import { Alert } from '../../components/ui/alert'
import { Button } from '../../components/ui/button'
import { ConfirmDialog } from '../../components/ui/confirm-dialog'
import { Dialog } from '../../components/ui/dialog'
import { SavedInputOffer } from '../../components/ui/saved-input-offer'
import { Spinner } from '../../components/ui/loading'
import { showError, showToast } from '../../components/ui/toast-store'
import { usePendingUpload } from '../../components/ui/use-pending-upload'
import { useBlockedInput } from '../../lib/use-blocked-input'
import { useFormValues } from '../../lib/use-form-values'
import { useSaveSpeaker } from './api'
import styles from './new-speaker-dialog.module.css'
import { checkSpeaker, formValuesOf, speakerToSave } from './rules'
import { SpeakerFields } from './speaker-fields'

interface NewSpeakerDialogProps {
  /** What was typed to find the speaker. */
  name: string
  onCreated: (speaker: Speaker) => void
  onClose: () => void
}

/** Creates a speaker from another form, which keeps its input. */
export function NewSpeakerDialog({ name, onCreated, onClose }: NewSpeakerDialogProps) {
  const headingId = useId()
  const { save, isPending, resume } = useSaveSpeaker(null)
  const { form, values, field, change, showErrors, savedInput, isInputLost, clearSavedInput } =
    useFormValues(() => ({ ...formValuesOf(null), name }), {
      check: checkSpeaker,
      storageName: 'speaker.new',
      onRestore: (values) => {
        resume(speakerToSave(values))
      },
    })
  const [isAsking, setIsAsking] = useState(false)
  const pendingUpload = usePendingUpload(form)
  useBlockedInput(form, isPending)

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pendingUpload.check() || isPending || showErrors(checkSpeaker(values))) return
    save(speakerToSave(values), {
      form,
      onSuccess: () => {
        clearSavedInput()
        showToast({ title: 'Success', description: 'Speaker created successfully' })
      },
      onClose: (speaker) => {
        if (speaker) onCreated(speaker)
      },
      onError: (cause) => {
        showErrors(fieldErrorsOf(cause))
        showError(messageOf(cause, 'Failed to save speaker'))
      },
    })
  }
  const close = () => {
    if (isPending) return
    if (isInputLost) setIsAsking(true)
    else onClose()
  }

  return (
    <Dialog headingId={headingId} onClose={close}>
      <form
        ref={form}
        className={styles.root}
        aria-labelledby={headingId}
        aria-busy={isPending}
        noValidate
        onSubmit={submit}
      >
        {/* Focusable, so that the keyboard can scroll it. */}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className={styles.scroll} tabIndex={0} role="group" aria-labelledby={headingId}>
          <h2 className={styles.title} id={headingId} tabIndex={-1}>
            Add New Speaker or Event Host
          </h2>
          <SavedInputOffer savedInput={savedInput} />
          <SpeakerFields values={values} field={field} change={change} />
          {pendingUpload.problem !== undefined && (
            <div className={styles.problem}>
              <Alert title={pendingUpload.problem} />
            </div>
          )}
        </div>
        <div className={styles.footer}>
          <Button size="small" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" size="small" aria-disabled={isPending}>
            {isPending && <Spinner />}
            {isPending ? 'Saving...' : 'Create and Add Speaker'}
          </Button>
        </div>
      </form>
      {isAsking && (
        <ConfirmDialog
          title="Discard This Speaker?"
          confirm="Discard"
          cancel="Keep Editing"
          onConfirm={onClose}
          onCancel={() => {
            setIsAsking(false)
          }}
        >
          What you typed here is not saved. To keep it, first restore or discard what you left here
          before.
        </ConfirmDialog>
      )}
    </Dialog>
  )
}
