import { messageOf } from '../../api/forms'
import type { Speaker } from '../../api/types'
import { SiteLink } from '../../components/links'
import { Alert } from '../../components/ui/alert'
import { ConfirmDialog } from '../../components/ui/confirm-dialog'
import { showToast } from '../../components/ui/toast-store'
import { eventsWithoutSpeaker, useDeleteSpeaker } from './api'

interface DeleteSpeakerProps {
  speaker: Speaker
  onCancel: () => void
  onDeleted: () => void
}

/** Confirms the deletion of a speaker, and lists the events that prevent it. */
export function DeleteSpeaker({ speaker, onCancel, onDeleted }: DeleteSpeakerProps) {
  const { mutate, error, isPending } = useDeleteSpeaker(speaker.id)
  const message = error && messageOf(error, 'Failed to delete speaker')
  const conflict = eventsWithoutSpeaker(error)

  if (conflict) {
    const isOne = conflict.events.length + conflict.more === 1
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
          {conflict.events.map(({ id, title }) => (
            <li key={id}>
              <SiteLink to={`/admin?event=${id}`}>{title}</SiteLink>
            </li>
          ))}
          {conflict.more > 0 && (
            <li>
              {/* The search finds events by the names of their speakers. */}
              <SiteLink to={`/admin?q=${encodeURIComponent(speaker.name)}`}>
                and {conflict.more} more
              </SiteLink>
            </li>
          )}
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
      {message !== null && <Alert title={message} />}
    </ConfirmDialog>
  )
}
