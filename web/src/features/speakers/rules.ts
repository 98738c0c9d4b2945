import { defaults, limits, messages, speakerTypes } from '../../api/generated/validation'
import type { SaveSpeaker, Speaker } from '../../api/types'
import { isImageUrl, lengthOf } from '../../lib/text'

/** The speaker form's values. */
export interface SpeakerFormValues {
  name: string
  title: string
  bio: string
  imageUrl: string
  type: string
}

/** The label of each field. */
export const speakerLabels: Readonly<Record<keyof SpeakerFormValues, string>> = {
  name: 'Name',
  title: 'Title',
  bio: 'Bio',
  imageUrl: 'Image URL',
  type: 'Speaker type',
}

/** An empty form, or one filled with a speaker's values. */
export function formValuesOf(speaker: Speaker | null): SpeakerFormValues {
  return {
    name: speaker?.name ?? '',
    title: speaker?.title ?? '',
    bio: speaker?.bio ?? '',
    imageUrl: speaker?.imageUrl ?? '',
    type: speaker?.type ?? defaults.speakerType,
  }
}

/** Validation messages by field, as specified (spec §5). */
export function checkSpeaker(
  values: SpeakerFormValues,
): Partial<Record<keyof SpeakerFormValues, string>> {
  const name = values.name.trim()
  const title = values.title.trim()
  const imageUrl = values.imageUrl.trim()
  const type = values.type.trim()
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
      : imageUrl !== '' && !isImageUrl(imageUrl) && { imageUrl: messages.urlInvalid }),
    ...(lengthOf(values.bio.trim()) > limits.bio && { bio: messages.bioTooLong }),
  }
}

/** The request body: optional fields that are blank are null. */
export function speakerToSave({
  name,
  title,
  bio,
  imageUrl,
  type,
}: SpeakerFormValues): SaveSpeaker {
  return {
    name: name.trim(),
    title: title.trim(),
    bio: bio.trim() || null,
    imageUrl: imageUrl.trim() || null,
    type: type.trim(),
  }
}
