import type { CalendarEvent, EventSpeaker, Speaker } from '../../../api/types'

/** All speakers, supplied by the route from the speakers feature. */
export interface PortalSpeakers {
  /** Undefined while they load. */
  all: readonly Speaker[] | undefined
  hasFailed: boolean
  retry: () => void
}

/** The speaker with this id: as they are now, else as the event has them. */
export function nameOf(
  id: number,
  { all }: PortalSpeakers,
  known: CalendarEvent['speakers'] = [],
): EventSpeaker | undefined {
  return (
    all?.find((speaker) => speaker.id === id) ??
    known.find(({ speakerId }) => speakerId === id)?.speaker
  )
}

/** A speaker of the event; undefined for one who was deleted meanwhile. */
export interface ChosenSpeaker {
  id: number
  speaker: EventSpeaker | undefined
}

/** The name to show for a chosen speaker. */
export const nameOfChosen = ({ speaker }: ChosenSpeaker) => speaker?.name ?? 'A deleted speaker'
