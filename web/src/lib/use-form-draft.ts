import { useEffect, useRef, useState } from 'react'
import { useLeaveGuard } from './leave-guard'

/** What is wrong with each field of a form; fields that are right are not in it. */
export type FieldErrors = Readonly<Partial<Record<string, string>>>

/**
 * A form of text fields as it is being filled in: what stands in each, what is wrong with it, whether
 * the page's rules found that or the server. What was typed is guarded until the form is closed.
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
    setDraft((known) => ({ ...known, [name]: value }))
    // Somebody is putting it right.
    setErrors((known) => (name in known ? { ...known, [name]: undefined } : known))
  }

  return {
    /** Where the fields are: the focus goes to the first that is wrong. */
    form,
    draft,
    /** Puts a value into a field, as typing does. */
    change,
    /** What the component that shows a field is given. */
    field: (name: Field) => ({
      name,
      value: draft[name] as string,
      error: errors[name],
      onChange: ({ target }: { target: { value: string } }) => {
        change(name, target.value)
      },
    }),
    /** Marks these fields and no others; says whether there are any. */
    mark: (found: FieldErrors): boolean => {
      const isWrong = Object.keys(found).length > 0
      setErrors(found)
      if (isWrong) fail()
      return isWrong
    },
  }
}

/**
 * Counts a form's failed attempts to save, and puts the focus into the first wrong field as soon as
 * it is marked (guide §6, Forms). Each failed attempt is a new one, even with the same faults.
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
