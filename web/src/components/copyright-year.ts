import { defaults } from '../api/generated/contract'

const year = new Intl.DateTimeFormat('en-US', { timeZone: defaults.timezone, year: 'numeric' })

/** The year in the footer: that of the default time zone, as on the server. */
export function copyrightYear(instant = Date.now()): string {
  return year.format(instant)
}
