import { type ChangeEvent, useDeferredValue, useMemo, useState } from 'react'
import { messages } from '../../../api/generated/validation'
import { useFailedAttempts } from '../../../lib/use-form-values'
import {
  differingFields,
  type FormField,
  type EventFormValues,
  isFormField,
  type TextField,
  toSaveEvent,
} from './form-values'
import { checkEvent, type EventErrors } from './rules'

type InputChange = ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>

/** The state of the event form. */
export interface EventForm {
  values: EventFormValues
  /** The duration of an existing event, which can be off the form's choices. */
  storedDuration: string | undefined
  /** Props of the input for this field. */
  field: (name: TextField) => {
    name: TextField
    value: string
    error: string | undefined
    onChange: (event: InputChange) => void
  }
  errorOf: (name: FormField) => string | undefined
  change: (changes: Partial<EventFormValues>) => void
}

/** Saved fields without an input that could show their error. */
const fieldsWithoutInput = ['location.placeId', 'brandliveId', 'calendarLinks']

/**
 * The values and their errors. Errors of the client's rules are shown after the first attempt to save
 * and update while typing; the server's errors are shown until their field changes.
 * `storedDuration` is that of an existing event. `initial` are the values of the edited version.
 */
export function useEventForm(initial: EventFormValues, siteUrl: string, storedDuration?: string) {
  const [values, setValues] = useState(initial)
  const [serverErrors, setServerErrors] = useState<EventErrors>({})
  const { form, attempts, focusFirstError } = useFailedAttempts()
  /** What the last attempt would have saved instead of the values: another status, or the first date of a repetition. */
  const [attempted, setAttempted] = useState<Partial<EventFormValues>>({})
  const ruleErrors = useMemo(
    () => checkEvent(toSaveEvent({ ...values, ...attempted }, { siteUrl }), storedDuration),
    [values, attempted, siteUrl, storedDuration],
  )

  const errorOf = (name: string) => {
    const ruleError = attempts > 0 ? ruleErrors[name] : undefined
    // Spec §5: the form has its own message for no speakers.
    if (ruleError === messages.speakersRequired) return messages.speakersNoneSelected
    return serverErrors[name] ?? ruleError
  }

  const change = (changes: Partial<EventFormValues>) => {
    setValues((current) => ({ ...current, ...changes }))
    if (changes.status !== undefined || changes.date !== undefined) setAttempted({})
    setServerErrors((current) =>
      Object.fromEntries(Object.entries(current).filter(([name]) => !(name in changes))),
    )
  }

  const field: EventForm['field'] = (name) => ({
    name,
    value: values[name],
    error: errorOf(name),
    onChange: (event) => {
      change({ [name]: event.target.value })
    },
  })

  return {
    values,
    storedDuration,
    field,
    errorOf,
    change,
    form,
    /** Focuses the first field with an error, after an attempt to save. */
    focusFirstError,
    /** An error that no input can show. */
    problem: Object.keys({ ...ruleErrors, ...serverErrors })
      .filter((name) => fieldsWithoutInput.includes(name) || !isFormField(name))
      .map(errorOf)
      .find(Boolean),
    isChanged: differingFields(initial, values).length > 0,
    /** The values for components that may render with a delay. */
    deferredValues: useDeferredValue(values),
    /** Whether `candidate` is valid; else its errors are marked and the first gets the focus. */
    validate: (candidate: EventFormValues = values): boolean => {
      setServerErrors({})
      setAttempted({ status: candidate.status, date: candidate.date })
      const errors = checkEvent(toSaveEvent(candidate, { siteUrl }), storedDuration)
      const isValid = Object.keys(errors).length === 0
      if (!isValid) focusFirstError()
      return isValid
    },
    /** Shows the server's field errors. */
    showErrors: (errors: EventErrors) => {
      setServerErrors(errors)
      focusFirstError()
    },
  }
}
