import type { CalendarEvent, SpeakerSummary, Speaker } from '../../../api/types'

/** All speakers, supplied by the route from the speakers feature. */
export interface PortalSpeakers {
  /** Undefined while they load. */
  all: readonly Speaker[] | undefined
  hasFailed: boolean
  retry: () => void
}

/** The speaker with this id, from the list of all speakers, else from the event. */
export function findSpeaker(
  id: number,
  { all }: PortalSpeakers,
  eventSpeakers: CalendarEvent['speakers'] = [],
): SpeakerSummary | undefined {
  return (
    all?.find((speaker) => speaker.id === id) ??
    eventSpeakers.find(({ speakerId }) => speakerId === id)?.speaker
  )
}

/** A speaker of the event; undefined for one deleted since. */
export interface ChosenSpeaker {
  id: number
  speaker: SpeakerSummary | undefined
}

/** The name to show for a chosen speaker. */
export const displayName = ({ speaker }: ChosenSpeaker) => speaker?.name ?? 'A deleted speaker'
