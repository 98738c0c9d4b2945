import { useEffect, useState } from 'react'

const minute = 60 * 1000
const thisMinute = () => Math.floor(Date.now() / minute) * minute

/** The current minute as an instant in milliseconds, kept up to date (spec §9: every 60 s). */
export function useMinute(): number {
  const [now, setNow] = useState(thisMinute)

  useEffect(() => {
    const update = () => {
      setNow(thisMinute())
    }
    const timer = setInterval(update, minute)
    // Timers stand still in a tab that sleeps.
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [])

  return now
}
