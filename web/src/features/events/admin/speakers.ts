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

/** The name of a speaker, with the title if another one has the same name. */
export function distinctName(speaker: SpeakerSummary, all: readonly SpeakerSummary[] = []): string {
  const hasNamesake = all.some(({ id, name }) => id !== speaker.id && name === speaker.name)
  return hasNamesake ? `${speaker.name}, ${distinctTitle(speaker, all)}` : speaker.name
}

/** The title of a speaker, with the id if another one has the same name and title. */
export function distinctTitle(speaker: SpeakerSummary, all: readonly SpeakerSummary[]): string {
  const hasDouble = all.some(
    ({ id, name, title }) => id !== speaker.id && name === speaker.name && title === speaker.title,
  )
  return hasDouble ? `${speaker.title} (ID ${speaker.id})` : speaker.title
}

/** A speaker of the event. */
export interface ChosenSpeaker {
  id: number
  /** Differs from the other speakers' names. */
  name: string
  imageUrl: string | null | undefined
}
