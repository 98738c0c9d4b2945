import { useClientValue, usePageTime } from './first-render'

const minute = 60 * 1000
const minuteOf = (instant: number) => Math.floor(instant / minute) * minute
const thisMinute = () => minuteOf(Date.now())

function subscribe(onChange: () => void) {
  const timer = setInterval(onChange, minute)
  // Browsers pause timers in background tabs.
  document.addEventListener('visibilitychange', onChange)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onChange)
  }
}

/** The start of the current minute in epoch milliseconds, updated every 60 s (spec §9). */
export function useMinute(): number {
  return useClientValue(thisMinute, minuteOf(usePageTime() ?? 0), subscribe)
}
