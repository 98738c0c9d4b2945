import { useQuery } from '@tanstack/react-query'
import { speakerTypes } from '../../api/generated/validation'
import type { Speaker } from '../../api/types'
import { AdminIcon } from '../../components/ui/admin-icon'
import { Alert } from '../../components/ui/alert'
import { Button } from '../../components/ui/button'
import { EmptyState } from '../../components/ui/empty-state'
import { TabHeader } from '../../components/ui/tabs'
import { useEditedItem, useOpenForm } from '../../lib/use-open-form'
import { speakersQuery } from './api'
import { SpeakerCards, SpeakerCardsSkeleton } from './speaker-cards'
import { SpeakerForm } from './speaker-form'

const [team, guest] = speakerTypes

/** The speakers' groups, by their type (spec §2). */
const groups = [
  { type: team, title: team },
  { type: guest, title: 'Guest Speakers' },
] as const

/** The portal's Speakers tab: the list, or the form (spec §2, /admin). */
export function SpeakersTab() {
  const { data: speakers, isPending, isError, refetch } = useQuery(speakersQuery())
  const { isNew, editedId, isUnknown, openNew, openEdit, close } = useOpenForm('speaker')
  const edited = useEditedItem(editedId, speakers)
  const hasForm = isNew || edited !== undefined

  return (
    <>
      <TabHeader title="All Speakers and Event Hosts">
        {!hasForm && (
          <Button variant="primary" size="small" data-opens="new" onClick={openNew}>
            <AdminIcon name="plus" />
            New Speaker
          </Button>
        )}
      </TabHeader>
      {hasForm ? (
        <SpeakerForm key={editedId ?? 'new'} speaker={edited ?? null} onClose={close} />
      ) : isPending ? (
        <SpeakerCardsSkeleton />
      ) : isError ? (
        <Alert
          title="Failed to fetch speakers"
          onRetry={() => {
            void refetch()
          }}
        />
      ) : (
        <>
          {(editedId !== null || isUnknown) && (
            <Alert title="The speaker of this link is not there" />
          )}
          <SpeakerGroups speakers={speakers} onEdit={openEdit} />
        </>
      )}
    </>
  )
}

function SpeakerGroups({
  speakers,
  onEdit,
}: {
  speakers: readonly Speaker[]
  onEdit: (id: number) => void
}) {
  if (speakers.length === 0) {
    return <EmptyState title="No speakers found. Create your first speaker to get started." />
  }
  return groups.map(({ type, title }) => {
    // Other types count as guest, including unknown ones of an imported database.
    const members = speakers.filter((speaker) => (speaker.type === team) === (type === team))
    return (
      members.length > 0 && (
        <SpeakerCards key={type} title={title} speakers={members} onEdit={onEdit} />
      )
    )
  })
}
