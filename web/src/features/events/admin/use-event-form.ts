import { type ChangeEvent, useDeferredValue, useMemo, useState } from 'react'
import { messages } from '../../../api/generated/contract'
import { useFailedAttempts } from '../../../lib/use-form-draft'
import {
  differingFields,
  type DraftField,
  type EventDraft,
  isDraftField,
  type TextField,
  toSaveEvent,
} from './draft'
import { checkEvent, type EventErrors } from './rules'

type TypedInto = ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>

/** The event form as it is being filled in. */
export interface EventForm {
  draft: EventDraft
  /** What the field holds and what is wrong with it, for the component that shows it. */
  field: (name: TextField) => {
    name: TextField
    value: string
    error: string | undefined
    onChange: (event: TypedInto) => void
  }
  errorOf: (name: DraftField) => string | undefined
  change: (changes: Partial<EventDraft>) => void
}

/** Fields that are saved and have no place in the form where their fault could stand. */
const unseen = ['location.placeId', 'brandliveId', 'calendarLinks']

/**
 * Keeps the draft and what is wrong with it: what the page's rules find is shown from the first
 * attempt to save on and follows the typing; what the server refused, until that field is changed.
 * `storedDuration` is that of an event that exists.
 */
export function useEventForm(initial: EventDraft, siteUrl: string, storedDuration?: string) {
  const [draft, setDraft] = useState(initial)
  const [refused, setRefused] = useState<EventErrors>({})
  const { form, attempts, fail } = useFailedAttempts()
  const found = useMemo(
    () => checkEvent(toSaveEvent(draft, { siteUrl }), storedDuration),
    [draft, siteUrl, storedDuration],
  )

  const errorOf = (name: string) => {
    const own = attempts > 0 ? found[name] : undefined
    // Spec §5: the form has its own message for no speakers.
    if (own === messages.speakersRequired) return messages.speakersNoneSelected
    return refused[name] ?? own
  }

  const change = (changes: Partial<EventDraft>) => {
    setDraft((known) => ({ ...known, ...changes }))
    setRefused((known) =>
      Object.fromEntries(Object.entries(known).filter(([name]) => !(name in changes))),
    )
  }

  const field: EventForm['field'] = (name) => ({
    name,
    value: draft[name],
    error: errorOf(name),
    onChange: (event) => {
      change({ [name]: event.target.value })
    },
  })

  return {
    draft,
    field,
    errorOf,
    change,
    form,
    /** A fault that no field can show. */
    problem: Object.keys({ ...found, ...refused })
      .filter((name) => unseen.includes(name) || !isDraftField(name))
      .map(errorOf)
      .find(Boolean),
    isChanged: differingFields(initial, draft).length > 0,
    /** For what may follow the typing a moment later. */
    deferredDraft: useDeferredValue(draft),
    /** Whether `candidate` is valid; else its errors are marked and the first gets the focus. */
    isRight: (candidate: EventDraft = draft): boolean => {
      setRefused({})
      const errors = checkEvent(toSaveEvent(candidate, { siteUrl }), storedDuration)
      const isRight = Object.keys(errors).length === 0
      if (!isRight) fail()
      return isRight
    },
    /** Marks what the server refused. */
    refuse: (faults: EventErrors) => {
      setRefused(faults)
      fail()
    },
  }
}
