// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { anEvent } from '../../../testing/factories'
import { listedEvent, pageOf } from './event-filter'

const now = Date.parse('2026-06-01T12:00:00Z')

describe('listedEvent', () => {
  it('lists a scheduled event as published from its time on', () => {
    const event = anEvent({ status: 'scheduled', publishAt: '2026-06-01T12:00:00Z' })
    expect(listedEvent(event, now).status).toBe('published')
    expect(listedEvent(event, now - 1).status).toBe('scheduled')
  })

  it('tells what has started, which a draft without a date has not', () => {
    expect(listedEvent(anEvent({ startsAt: '2026-05-31T12:00:00Z' }), now).isPast).toBe(true)
    expect(listedEvent(anEvent({ startsAt: '' }), now).isPast).toBe(false)
  })
})

describe('pageOf', () => {
  it.each([
    [0, 1, 1, 1],
    [6, 1, 1, 1],
    [7, 2, 2, 2],
    [7, 9, 2, 2],
    [13, -1, 1, 3],
  ])('limits, for %i events, page %i to page %i of %i', (count, requested, page, pages) => {
    expect(pageOf(count, requested)).toEqual({ page, pages })
  })
})
