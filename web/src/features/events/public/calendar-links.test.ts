import { describe, expect, it } from 'vitest'
import cases from '../../../../../src/tests/rule_cases/calendar_links.json'
import { anEvent } from '../../../testing/factories'
import { calendarLinks } from './calendar-links'

describe('calendarLinks', () => {
  it.each(cases)('builds the same URLs as the server: $note', (one) => {
    const event = anEvent(one.event)
    expect(calendarLinks(event, one.baseUrl)).toEqual({
      google: one.google,
      outlook: one.outlook,
      ical: one.ical,
    })
  })
})
