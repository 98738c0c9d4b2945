// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { calendarFile } from './calendar-file'
import { subscriptionLinks } from './subscription-links'

const base = 'https://events.example.com'

describe('subscriptionLinks', () => {
  it('has the same file for each calendar application', () => {
    expect(subscriptionLinks(base, 'EM Events', null)).toEqual({
      apple: 'webcal://events.example.com/calendar.ics',
      google:
        'https://calendar.google.com/calendar/r?cid=webcal%3A%2F%2Fevents.example.com%2Fcalendar.ics',
      outlook:
        'https://outlook.live.com/calendar/0/addfromweb?url=https%3A%2F%2Fevents.example.com%2Fcalendar.ics&name=EM%20Events',
      url: `${base}/calendar.ics`,
      feed: '/feed.xml',
    })
  })

  it('is limited to a chosen type', () => {
    const links = subscriptionLinks('http://127.0.0.1:8080', 'EM & Co', 'IRA-Related Webinars')
    expect(links.apple).toBe('webcal://127.0.0.1:8080/calendar.ics?type=ira-related-webinars')
    expect(links.outlook).toContain('type%3Dira-related-webinars&name=EM%20%26%20Co%3A%20IRA')
  })

  it('ignores unknown types', () => {
    expect(calendarFile('Party')).toBe('/calendar.ics')
  })
})
