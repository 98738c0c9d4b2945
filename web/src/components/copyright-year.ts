import { defaults } from '../api/generated/contract'

const year = new Intl.DateTimeFormat('en-US', { timeZone: defaults.timezone, year: 'numeric' })

/** The year in the footer, in the default time zone. */
export function copyrightYear(instant = Date.now()): string {
  return year.format(instant)
}
