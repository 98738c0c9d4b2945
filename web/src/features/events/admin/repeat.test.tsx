import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import type { CalendarEvent, RepeatRule, SaveEvent } from '../../../api/types'
import { anEvent } from '../../../testing/factories'
import {
  anEventServer,
  button,
  fill,
  fillNew,
  openTab,
  startNew,
} from '../../../testing/events-tab'
import { loseFirstResponse } from '../../../testing/lost-response'
import { server } from '../../../testing/session'

/** A fake API for repetitions; returns the bodies that it received. */
function aRepeatServer() {
  const rules: RepeatRule[] = []
  const sent: (SaveEvent & { dates: string[] })[] = []
  const date = (date: string) => ({ date, startsAt: `${date}T23:00:00Z`, isShifted: false })
  server.use(
    http.post('/api/events/repeats/dates', async ({ request }) => {
      rules.push((await request.json()) as RepeatRule)
      return HttpResponse.json({
        dates: [date('2031-01-31'), date('2031-03-31'), date('2031-05-31')],
        skipped: ['February 2031 has no day 31', 'April 2031 has no day 31'],
        isLimited: false,
      })
    }),
    http.post('/api/events/repeats', async ({ request }) => {
      const body = (await request.json()) as SaveEvent & { dates: string[] }
      sent.push(body)
      const events = body.dates.map((day) => anEvent({ title: 'Month end', date: day }))
      return HttpResponse.json({ id: 3, undoUntil: '', events }, { status: 201 })
    }),
  )
  return { rules, sent }
}

/** Stores each created repetition, of which the first response is lost, until the first is undone. */
function loseRepeats(stored: Map<number, CalendarEvent>) {
  loseFirstResponse('/api/events/repeats', ({ event, dates }: SaveEvent & { dates: string[] }) => {
    const events = dates.map((date) => anEvent({ title: event?.title ?? '', date }))
    for (const one of events) stored.set(one.id, one)
    return { id: stored.size, undoUntil: '', events }
  })
  server.use(
    http.post('/api/events/bulk-edits/3/undo', () => {
      const count = stored.size
      stored.clear()
      return HttpResponse.json({ count })
    }),
  )
}

async function fillForm(user: ReturnType<typeof openTab>['user']) {
  await fillNew(user, 'Month end')
  await fill(user, 'Date', '2031-01-31')
  await fill(user, 'Time', '18:00')
  await user.click(screen.getByRole('combobox', { name: 'Add a speaker or host' }))
  await user.click(within(screen.getByRole('listbox')).getByText('Ada Okafor'))
}

describe('a new event that repeats', () => {
  it('offers the rules that fit its date', async () => {
    anEventServer([anEvent()])
    const { user } = openTab()
    await startNew(user)
    const rules = () =>
      within(screen.getByLabelText('How often'))
        .getAllByRole('option')
        .map((option) => option.textContent)
    await fill(user, 'Date', '2031-03-11')
    expect(rules()).toEqual([
      'Does not repeat',
      'Every week on Tuesday',
      'Every two weeks on Tuesday',
      'Every month on day 11',
      'Every month on the 2nd Tuesday',
    ])
    await fill(user, 'Date', '2031-01-31')
    expect(rules().slice(3)).toEqual(['Every month on day 31', 'Every month on the last Friday'])
  })

  it('shows all dates, what is skipped, and creates those that stay', async () => {
    anEventServer([anEvent()])
    const { rules, sent } = aRepeatServer()
    const { user } = openTab()
    await fillForm(user)
    await user.selectOptions(screen.getByLabelText('How often'), 'month-day')
    await fill(user, 'Number of dates', '3')
    expect(await screen.findByText(/^3 dates\. February 2031 has no day 31: skipped/)).toBeVisible()
    await waitFor(() => {
      expect(rules.at(-1)).toEqual({
        date: '2031-01-31',
        time: '18:00',
        timezone: 'America/New_York',
        every: 'month-day',
        count: 3,
      })
    })
    await user.click(await screen.findByRole('button', { name: 'Remove Mar 31, 2031' }))
    expect(screen.getByText(/^2 dates/)).toBeVisible()
    await user.click(button('Create 2 Events'))
    expect(await screen.findByText('2 events created successfully')).toBeVisible()
    expect(sent[0]?.dates).toEqual(['2031-01-31', '2031-05-31'])
    server.use(http.post('/api/events/bulk-edits/3/undo', () => HttpResponse.json({ count: 2 })))
    await user.click(button('Undo'))
    expect(await screen.findByText('2 new events were removed')).toBeVisible()
  })

  it('is created once if it is corrected after a save with a lost response', async () => {
    const { stored } = anEventServer([])
    aRepeatServer()
    loseRepeats(stored)
    const { user } = openTab()
    await fillForm(user)
    await user.selectOptions(screen.getByLabelText('How often'), 'month-day')
    await user.click(await screen.findByRole('button', { name: 'Create 3 Events' }))
    expect(await screen.findByText('Failed to create event')).toBeVisible()
    await user.click(button('Remove Mar 31, 2031'))
    await fill(user, 'Title', 'Corrected')
    await user.click(button('Create 2 Events'))
    expect(await screen.findByText('2 events created successfully')).toBeVisible()
    expect([...stored.values()].map(({ title, date }) => `${title} ${date}`)).toEqual([
      'Corrected 2031-01-31',
      'Corrected 2031-05-31',
    ])
  })

  it('may be published after a date that was removed', async () => {
    anEventServer([])
    const { sent } = aRepeatServer()
    const { user } = openTab()
    await fillForm(user)
    await user.selectOptions(screen.getByLabelText('How often'), 'month-day')
    await user.click(await screen.findByRole('button', { name: 'Remove Jan 31, 2031' }))
    await user.selectOptions(screen.getByLabelText('Status'), 'Scheduled')
    await fill(user, 'Publish at', '2031-02-03T09:00')
    await user.click(button('Create 2 Events'))
    expect(await screen.findByText('2 events created successfully')).toBeVisible()
    expect(sent[0]?.dates).toEqual(['2031-03-31', '2031-05-31'])
  })

  it('is not created twice if it becomes a single event after a lost response, or the reverse', async () => {
    const { stored } = anEventServer([])
    aRepeatServer()
    loseRepeats(stored)
    loseFirstResponse('/api/events', ({ event }: SaveEvent) => {
      const made = anEvent({ title: event?.title ?? '', date: event?.date ?? '' })
      stored.set(made.id, made)
      return made
    })
    const { user } = openTab()
    await fillForm(user)
    const howOften = screen.getByLabelText('How often')
    await user.selectOptions(howOften, 'month-day')
    await user.click(await screen.findByRole('button', { name: 'Create 3 Events' }))
    expect(await screen.findByText('Failed to create event')).toBeVisible()
    expect(stored.size).toBe(3)
    await user.selectOptions(howOften, '')
    await user.click(button('Create Event'))
    await waitFor(() => {
      expect(stored.size).toBe(1)
    })
    expect(await screen.findByText('Failed to create event')).toBeVisible()
    await user.selectOptions(howOften, 'month-day')
    await user.click(await screen.findByRole('button', { name: 'Create 3 Events' }))
    expect(await screen.findByText('3 events created successfully')).toBeVisible()
    expect(stored.size).toBe(3)
  })

  it('is not saved by a rule that no longer fits after I change the date', async () => {
    anEventServer([anEvent()])
    const { rules, sent } = aRepeatServer()
    const { user } = openTab()
    await fillForm(user)
    const often = () => screen.getByLabelText('How often')
    await fill(user, 'Date', '2027-01-12')
    await user.selectOptions(often(), 'Every month on the 2nd Tuesday')
    expect(await screen.findByText(/^3 dates/)).toBeVisible()
    const requestCount = rules.length
    await fill(user, 'Date', '2027-01-31')
    expect(often()).toBeInvalid()
    expect(
      screen.getByText('This rule does not fit the date of the event. Choose another rule.'),
    ).toBeVisible()
    expect(screen.queryByText(/^3 dates/)).not.toBeInTheDocument()
    await user.click(button('Create Event'))
    expect(often()).toHaveFocus()
    expect([rules.length, sent]).toEqual([requestCount, []])
    await user.selectOptions(often(), 'Every month on the last Sunday')
    await user.click(await screen.findByRole('button', { name: 'Create 3 Events' }))
    expect(await screen.findByText('3 events created successfully')).toBeVisible()
  })

  it('is restored with its rule, its end and the dates that I removed', async () => {
    anEventServer([anEvent()])
    aRepeatServer()
    const first = openTab()
    await fillForm(first.user)
    await first.user.selectOptions(screen.getByLabelText('How often'), 'month-day')
    await fill(first.user, 'Number of dates', '3')
    await first.user.click(await screen.findByRole('button', { name: 'Remove Mar 31, 2031' }))
    first.unmount()

    const { user } = openTab()
    await startNew(user)
    await user.click(button('Restore'))
    expect(screen.getByLabelText('How often')).toHaveValue('month-day')
    expect(screen.getByLabelText('Number of dates')).toHaveValue(3)
    expect(await screen.findByText(/^2 dates/)).toBeVisible()
    expect(button('Keep Mar 31, 2031')).toBeVisible()
    expect(button('Create 2 Events')).toBeVisible()
  })

  it.each(['0', '2.5', '1000', ''])(
    'says that %j is not a number of dates when I leave the field',
    async (count) => {
      anEventServer([anEvent()])
      aRepeatServer()
      const { user } = openTab()
      await startNew(user)
      await user.selectOptions(screen.getByLabelText('How often'), 'week')
      const field = screen.getByLabelText('Number of dates')
      await user.clear(field)
      if (count !== '') await user.paste(count)
      expect(field).not.toHaveAccessibleDescription()
      await user.tab()
      expect(field).toHaveAccessibleDescription('An event can be repeated on 1 to 100 dates')
      // The other end has not been checked yet.
      await user.selectOptions(screen.getByLabelText('Ends'), 'until')
      expect(screen.getByLabelText('Last date')).not.toHaveAccessibleDescription()
    },
  )

  it('says at the field why its end cannot be saved, and puts me there', async () => {
    anEventServer([anEvent()])
    const { sent } = aRepeatServer()
    const { user } = openTab()
    await fillForm(user)
    await user.selectOptions(screen.getByLabelText('How often'), 'week')
    const end = (label: string) => screen.getByLabelText(label)
    const expectError = async (label: string, message: string) => {
      await user.click(button('Create Event'))
      expect(end(label)).toHaveAccessibleDescription(message)
      expect(end(label)).toBeInvalid()
      expect(end(label)).toHaveFocus()
    }
    const count = 'An event can be repeated on 1 to 100 dates'
    await fill(user, 'Number of dates', '0')
    await expectError('Number of dates', count)
    await fill(user, 'Number of dates', '101')
    await expectError('Number of dates', count)

    await user.selectOptions(screen.getByLabelText('Ends'), 'until')
    await expectError('Last date', 'Say until when the event repeats, or how often')
    await fill(user, 'Last date', '2030-12-31')
    await expectError('Last date', 'The last date must not be before the first')
    await fill(user, 'Last date', '2031-06-01')
    expect(end('Last date')).toBeValid()
    expect(sent).toEqual([])
  })
})
