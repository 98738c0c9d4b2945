import { defaults } from '../api/generated/contract'
import { wallClock } from '../lib/zones'

/** The year in the footer, in the default time zone. */
export function copyrightYear(instant: number): string {
  return String(wallClock(instant, defaults.timezone).getUTCFullYear())
}
