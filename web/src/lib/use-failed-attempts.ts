import { useEffect, useRef, useState } from 'react'

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
