import { useEffect, useMemo, useRef, useState } from 'react'
import { useSavedInput } from './saved-input'
import { differingTexts } from './merge-edits'
import { useUnsavedChanges } from './unsaved-changes'

/** Error messages by field; valid fields have none. */
export type FieldErrors = Readonly<Partial<Record<string, string>>>

interface FormOptions<Values> {
  /** The rules of the form: an error stays while typing until its field follows them. */
  check?: ((values: Values) => FieldErrors) | undefined
  /** The name under which typed input is stored, such as `speaker.12`; without one it is not. */
  storageName?: string | undefined
  /** The fields that are never stored, such as passwords; their start value takes their place. */
  secret?: keyof Values & string
  /** The revision of the item that the form edits. */
  revision?: number | undefined
  /** Called with the input of an earlier visit when it is restored. */
  onRestore?: (values: Values) => void
}

/**
 * The state of a form of text fields: their values and their errors, from validation on the page or
 * on the server. Leaving the page with changed values asks for confirmation (`useUnsavedChanges`).
 */
export function useFormValues<Values extends { readonly [Field in keyof Values]: string }>(
  initial: () => Values,
  { check, storageName, secret, revision, onRestore }: FormOptions<Values> = {},
) {
  type Field = keyof Values & string
  // The version that was edited: the initial one, that of restored input, or one that was merged.
  const [base, setBase] = useState(() => ({ values: initial(), revision: revision ?? null }))
  const [values, setValues] = useState(base.values)
  const [errors, setErrors] = useState<FieldErrors>({})
  const { form, focusFirstError } = useFailedAttempts()
  const isChanged = (Object.keys(base.values) as Field[]).some(
    (name) => values[name] !== base.values[name],
  )
  const stored = useMemo(
    () => (secret === undefined ? values : { ...values, [secret]: base.values[secret] }),
    [values, secret, base.values],
  )
  const savedInput = useSavedInput({
    name: storageName,
    start: base.values,
    values: stored,
    revision: base.revision,
    isChanged: differingTexts(base.values, stored).length > 0,
  })
  useUnsavedChanges(isChanged, savedInput.isStored)

  const change = (name: Field, value: string) => {
    const changed = { ...values, [name]: value }
    setValues((previous) => ({ ...previous, [name]: value }))
    setErrors((previous) =>
      name in previous ? { ...previous, [name]: check?.(changed)[name] } : previous,
    )
  }

  return {
    /** The form element. */
    form,
    values,
    /** The version that was edited. */
    base,
    /** Continues with these values, as an edit of another version. */
    rebase: (newBase: { values: Values; revision: number }, newValues: Values) => {
      setBase(newBase)
      setValues(newValues)
      setErrors({})
    },
    /** Sets the value of a field, and clears its error if the value is valid. */
    change,
    /** The props of a field's component. */
    field: (name: Field) => ({
      name,
      value: values[name] as string,
      error: errors[name],
      onChange: ({ target }: { target: { value: string } }) => {
        change(name, target.value)
      },
    }),
    /** Replaces the errors and focuses the first invalid field; returns whether there are any. */
    showErrors: (errors: FieldErrors): boolean => {
      const hasErrors = Object.values(errors).some(Boolean)
      setErrors(errors)
      if (hasErrors) focusFirstError()
      return hasErrors
    },
    /** The input of an earlier visit, for `SavedInputOffer`. */
    savedInput: {
      offered: savedInput.offered,
      isChanged,
      restore: () => {
        if (!savedInput.offered) return
        setBase({ values: savedInput.offered.start, revision: savedInput.offered.revision })
        setValues(savedInput.offered.values)
        onRestore?.(savedInput.offered.values)
        savedInput.dismiss(true)
      },
      discard: () => {
        savedInput.dismiss(false)
      },
    },
    /** Whether closing the form would lose input, because that of an earlier visit is still offered. */
    isInputLost: isChanged && !savedInput.isStored,
    /** Deletes the stored input, after the form was saved. */
    clearSavedInput: savedInput.clear,
  }
}

/**
 * Counts a form's failed attempts to save, and focuses the first invalid field after each one, also
 * if the errors are the same as before (guide §6, Forms).
 */
export function useFailedAttempts() {
  const form = useRef<HTMLFormElement>(null)
  const [attempts, setAttempts] = useState(0)

  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])

  return {
    form,
    attempts,
    focusFirstError: () => {
      setAttempts((count) => count + 1)
    },
  }
}
