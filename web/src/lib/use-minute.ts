import { useEffect, useState } from 'react'

const minute = 60 * 1000
const thisMinute = () => Math.floor(Date.now() / minute) * minute

/** The start of the current minute in epoch milliseconds, updated every 60 s (spec §9). */
export function useMinute(): number {
  const [now, setNow] = useState(thisMinute)

  useEffect(() => {
    const update = () => {
      setNow(thisMinute())
    }
    const timer = setInterval(update, minute)
    // Browsers pause timers in background tabs.
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [])

  return now
}
