import { defaults, speakerTypes } from '../../api/generated/contract'
import { limits, messages } from '../../api/generated/validation'
import type { SaveSpeaker, Speaker } from '../../api/types'
import { isImageAddress, lengthOf } from '../../lib/checks'

/** The speaker form's values. */
export interface SpeakerDraft {
  name: string
  title: string
  bio: string
  imageUrl: string
  type: string
}

/** An empty form, or one filled with a speaker's values. */
export function draftOf(speaker: Speaker | null): SpeakerDraft {
  return {
    name: speaker?.name ?? '',
    title: speaker?.title ?? '',
    bio: speaker?.bio ?? '',
    imageUrl: speaker?.imageUrl ?? '',
    type: speaker?.type ?? defaults.speakerType,
  }
}

/** Validation messages by field, as specified (spec §5). */
export function checkSpeaker(draft: SpeakerDraft): Partial<Record<keyof SpeakerDraft, string>> {
  const name = draft.name.trim()
  const title = draft.title.trim()
  const imageUrl = draft.imageUrl.trim()
  const type = draft.type.trim()
  return {
    ...(name === ''
      ? { name: messages.nameRequired }
      : lengthOf(name) > limits.name && { name: messages.nameTooLong }),
    ...(title === ''
      ? { title: messages.titleRequired }
      : lengthOf(title) > limits.title && { title: messages.speakerTitleTooLong }),
    ...(type === ''
      ? { type: messages.speakerTypeRequired }
      : !speakerTypes.some((valid) => valid === type) && { type: messages.speakerTypeInvalid }),
    ...(lengthOf(imageUrl) > limits.url
      ? { imageUrl: messages.urlTooLong }
      : imageUrl !== '' && !isImageAddress(imageUrl) && { imageUrl: messages.urlInvalid }),
    ...(lengthOf(draft.bio.trim()) > limits.bio && { bio: messages.bioTooLong }),
  }
}

/** The request body: optional fields that are blank are null. */
export function speakerToSave({ name, title, bio, imageUrl, type }: SpeakerDraft): SaveSpeaker {
  return {
    name: name.trim(),
    title: title.trim(),
    bio: bio.trim() || null,
    imageUrl: imageUrl.trim() || null,
    type: type.trim(),
  }
}
