import { messageOf } from '../../api/client'
import type { Speaker } from '../../api/types'
import { Alert } from '../../components/ui/alert'
import { ConfirmDialog } from '../../components/ui/confirm-dialog'
import { showToast } from '../../components/ui/toast-store'
import { eventsWithoutSpeaker, useDeleteSpeaker } from './api'

interface DeleteSpeakerProps {
  speaker: Speaker
  onCancel: () => void
  onDeleted: () => void
}

/** Asks before a speaker is deleted, and says what stands against it. */
export function DeleteSpeaker({ speaker, onCancel, onDeleted }: DeleteSpeakerProps) {
  const { mutate, error, isPending } = useDeleteSpeaker(speaker.id)
  const words = error && messageOf(error, 'Failed to delete speaker')
  const bound = eventsWithoutSpeaker(error)

  if (bound) {
    const isOne = bound.events.length + bound.more === 1
    return (
      <ConfirmDialog
        key="bound"
        title="This speaker can’t be deleted yet"
        cancel="Close"
        onConfirm={onCancel}
        onCancel={onCancel}
      >
        <p>
          {speaker.name} is the only speaker of {isOne ? 'this event' : 'these events'}. Give{' '}
          {isOne ? 'it' : 'each of them'} another speaker first.
        </p>
        <ul>
          {bound.events.map(({ id, title }) => (
            <li key={id}>{title}</li>
          ))}
          {bound.more > 0 && <li>and {bound.more} more</li>}
        </ul>
      </ConfirmDialog>
    )
  }

  return (
    <ConfirmDialog
      key="ask"
      title="Delete Speaker"
      confirm="Delete"
      isBusy={isPending}
      onCancel={onCancel}
      onConfirm={() => {
        mutate(undefined, {
          onSuccess: () => {
            showToast({ title: 'Success', description: 'Speaker deleted successfully' })
            onDeleted()
          },
        })
      }}
    >
      <p>
        Are you sure you want to delete "{speaker.name}"? Events keep their other speakers. This
        action cannot be undone.
      </p>
      {words !== null && <Alert title={words} />}
    </ConfirmDialog>
  )
}
