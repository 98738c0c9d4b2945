import { useEffect, useRef, useState } from 'react'
import { useLeaveGuard } from './leave-guard'

/** Error messages by field; valid fields have none. */
export type FieldErrors = Readonly<Partial<Record<string, string>>>

/**
 * The state of a form of text fields: their values and their errors, from validation on the page or
 * on the server. Leaving the page with changed values asks for confirmation (`useLeaveGuard`).
 */
export function useFormDraft<Draft extends { readonly [Field in keyof Draft]: string }>(
  start: () => Draft,
) {
  type Field = keyof Draft & string
  const [initial] = useState(start)
  const [draft, setDraft] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors>({})
  const { form, fail } = useFailedAttempts()
  useLeaveGuard((Object.keys(initial) as Field[]).some((name) => draft[name] !== initial[name]))

  const change = (name: Field, value: string) => {
    setDraft((previous) => ({ ...previous, [name]: value }))
    setErrors((previous) => (name in previous ? { ...previous, [name]: undefined } : previous))
  }

  return {
    /** The form element. */
    form,
    draft,
    /** Sets the value of a field and clears its error. */
    change,
    /** The props of a field's component. */
    field: (name: Field) => ({
      name,
      value: draft[name] as string,
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
