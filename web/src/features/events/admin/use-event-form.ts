import { type ChangeEvent, useDeferredValue, useMemo, useState } from 'react'
import { messages } from '../../../api/generated/validation'
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

type InputChange = ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>

/** The state of the event form. */
export interface EventForm {
  draft: EventDraft
  /** The duration of an existing event, which can be off the form's choices. */
  storedDuration: string | undefined
  /** Props of the input for this field. */
  field: (name: TextField) => {
    name: TextField
    value: string
    error: string | undefined
    onChange: (event: InputChange) => void
  }
  errorOf: (name: DraftField) => string | undefined
  change: (changes: Partial<EventDraft>) => void
}

/** Saved fields without an input that could show their error. */
const fieldsWithoutInput = ['location.placeId', 'brandliveId', 'calendarLinks']

/**
 * The draft and its errors. Errors of the client's rules are shown after the first attempt to save
 * and update while typing; the server's errors are shown until their field changes.
 * `storedDuration` is that of an existing event.
 */
export function useEventForm(initial: EventDraft, siteUrl: string, storedDuration?: string) {
  const [draft, setDraft] = useState(initial)
  const [serverErrors, setServerErrors] = useState<EventErrors>({})
  const { form, attempts, fail } = useFailedAttempts()
  const ruleErrors = useMemo(
    () => checkEvent(toSaveEvent(draft, { siteUrl }), storedDuration),
    [draft, siteUrl, storedDuration],
  )

  const errorOf = (name: string) => {
    const ruleError = attempts > 0 ? ruleErrors[name] : undefined
    // Spec §5: the form has its own message for no speakers.
    if (ruleError === messages.speakersRequired) return messages.speakersNoneSelected
    return serverErrors[name] ?? ruleError
  }

  const change = (changes: Partial<EventDraft>) => {
    setDraft((current) => ({ ...current, ...changes }))
    setServerErrors((current) =>
      Object.fromEntries(Object.entries(current).filter(([name]) => !(name in changes))),
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
    storedDuration,
    field,
    errorOf,
    change,
    form,
    /** An error that no input can show. */
    problem: Object.keys({ ...ruleErrors, ...serverErrors })
      .filter((name) => fieldsWithoutInput.includes(name) || !isDraftField(name))
      .map(errorOf)
      .find(Boolean),
    isChanged: differingFields(initial, draft).length > 0,
    /** The draft for parts that may render with a delay. */
    deferredDraft: useDeferredValue(draft),
    /** Whether `candidate` is valid; else its errors are marked and the first gets the focus. */
    validate: (candidate: EventDraft = draft): boolean => {
      setServerErrors({})
      const errors = checkEvent(toSaveEvent(candidate, { siteUrl }), storedDuration)
      const isValid = Object.keys(errors).length === 0
      if (!isValid) fail()
      return isValid
    },
    /** Shows the server's field errors. */
    showErrors: (errors: EventErrors) => {
      setServerErrors(errors)
      fail()
    },
  }
}
