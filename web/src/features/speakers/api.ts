import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, readJson, writeJson } from '../../api/client'
import { useCreate, useFormSave } from '../../api/forms'
import type { SaveSpeaker, Speaker, SpeakerDeletionConflict } from '../../api/types'

/** The key of all queries about speakers: they are invalidated together. */
export const speakersKey = ['speakers'] as const

/** All speakers, by name (spec §7). */
export const speakersQuery = () =>
  queryOptions({
    queryKey: speakersKey,
    queryFn: ({ signal }) => readJson<readonly Speaker[]>('/api/speakers', { signal }),
    // Offline it fails at once, instead of waiting for a connection.
    networkMode: 'always',
  })

/** Creates a speaker, or changes the one with this id. */
export function useSaveSpeaker(id: number | null) {
  const queryClient = useQueryClient()
  const refresh = useRefresh()
  const { create, resume } = useCreate<Speaker>('/api/speakers')
  const formSave = useFormSave({
    mutationFn: (speaker: SaveSpeaker) =>
      id === null ? create(speaker) : writeJson<Speaker>('PUT', `/api/speakers/${id}`, speaker),
    onSuccess: async (saved) => {
      if (id === null && saved) {
        // Forms that have just chosen it know its name, even if the list can't be fetched.
        queryClient.setQueryData(speakersQuery().queryKey, (all) => all && [...all, saved])
      }
      await refresh()
    },
  })
  return {
    ...formSave,
    /** Continues with the restored input of an earlier form, whose creation may have been lost. */
    resume: (speaker: SaveSpeaker) => {
      resume([speaker])
    },
  }
}

/** Deletes a speaker; rejected if an event would be left without any. */
export function useDeleteSpeaker(id: number) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => writeJson('DELETE', `/api/speakers/${id}`),
    networkMode: 'always',
    onSuccess: refresh,
  })
}

/** The events that would be left without a speaker, if a deletion was rejected for that. */
export function eventsWithoutSpeaker(
  error: unknown,
): Pick<SpeakerDeletionConflict, 'events' | 'more'> | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  const { events, more = 0 } = (error.body ?? {}) as Partial<SpeakerDeletionConflict>
  return events && { events, more }
}

/** Refetches the speakers before the form closes, and the events, which contain them, later. */
function useRefresh() {
  const queryClient = useQueryClient()
  return async () => {
    void queryClient.invalidateQueries({ queryKey: ['events'] })
    await queryClient.invalidateQueries({ queryKey: speakersKey })
  }
}
