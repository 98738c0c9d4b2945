import { useEffect, useRef, useState } from 'react'
import { useUnsavedChanges } from './unsaved-changes'

/** Error messages by field; valid fields have none. */
export type FieldErrors = Readonly<Partial<Record<string, string>>>

/**
 * The state of a form of text fields: their values and their errors, from validation on the page or
 * on the server. Leaving the page with changed values asks for confirmation (`useUnsavedChanges`).
 */
export function useFormValues<Values extends { readonly [Field in keyof Values]: string }>(
  start: () => Values,
) {
  type Field = keyof Values & string
  const [initial] = useState(start)
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors>({})
  const { form, fail } = useFailedAttempts()
  useUnsavedChanges(
    (Object.keys(initial) as Field[]).some((name) => values[name] !== initial[name]),
  )

  const change = (name: Field, value: string) => {
    setValues((previous) => ({ ...previous, [name]: value }))
    setErrors((previous) => (name in previous ? { ...previous, [name]: undefined } : previous))
  }

  return {
    /** The form element. */
    form,
    values,
    /** Sets the value of a field and clears its error. */
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
      const hasErrors = Object.keys(errors).length > 0
      setErrors(errors)
      if (hasErrors) fail()
      return hasErrors
    },
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
    fail: () => {
      setAttempts((count) => count + 1)
    },
  }
}
