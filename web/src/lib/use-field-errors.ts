import { useEffect, useRef, useState } from 'react'

/** What is wrong with each field of a form; fields that are right are not in it. */
export type FieldErrors = Readonly<Partial<Record<string, string>>>

/**
 * Keeps what is wrong with a form's fields, whether the page's rules found it or the server, and
 * puts the focus into the first wrong field as soon as it is marked (guide §6, Forms).
 */
export function useFieldErrors() {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  // Each failed attempt is a new one, even with the same faults.
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempt])

  return {
    form,
    errors,
    /** Marks these fields and no others; says whether there are any. */
    show: (found: FieldErrors): boolean => {
      const isWrong = Object.keys(found).length > 0
      setErrors(found)
      if (isWrong) setAttempt((count) => count + 1)
      return isWrong
    },
    /** Forgets what was wrong with a field, which somebody is putting right. */
    clear: (field: string) => {
      setErrors((known) => (field in known ? { ...known, [field]: undefined } : known))
    },
  }
}
