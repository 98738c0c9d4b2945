import { screen, waitFor, within } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CalendarEvent } from '../../../api/types'
import { anEvent, aSpeaker } from '../../../testing/factories'
import { renderPart } from '../../../testing/render'
import { setScreen } from '../../../testing/screen-size'
import { server } from '../../../testing/session'
import { CalendarCard } from './calendar-card'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 2, 5, 12, 0) })
})

afterEach(() => {
  vi.useRealTimers()
})

const on = (date: string, over: Partial<CalendarEvent> = {}) => anEvent({ date, ...over })

function showCalendar(
  events: readonly CalendarEvent[],
  { failures = 0, ...props }: { failures?: number; type?: string } = {},
) {
  const onRequest = vi.fn()
  server.use(
    http.get('/api/events', () => {
      onRequest()
      return onRequest.mock.calls.length > failures
        ? HttpResponse.json(events)
        : new HttpResponse(null, { status: 500 })
    }),
  )
  const onOpen = vi.fn()
  const view = renderPart(
    <CalendarCard headingLevel={3} isCounting onOpen={onOpen} onIntent={vi.fn()} {...props} />,
  )
  return { ...view, onOpen, onRequest }
}

/** Names of the event buttons in the order of the page. */
const names = () =>
  screen
    .getAllByRole('button', { name: /, [A-Z][a-z]+day, / })
    .map((button) => button.getAttribute('aria-label')?.split(',')[0])

describe('the month', () => {
  it('is a table named by its period, with full weekday names', async () => {
    showCalendar([])
    const table = await screen.findByRole('table', { name: 'March 2026' })
    expect(within(table).getAllByRole('columnheader')).toHaveLength(7)
    expect(within(table).getByRole('columnheader', { name: 'Sunday' })).toBeInTheDocument()
    expect(within(table).getAllByRole('cell')).toHaveLength(35)
  })

  it('names an event by title, day, time with zone, and type', async () => {
    const { user, onOpen } = showCalendar([on('2026-03-12')])
    const event = await screen.findByRole('button', {
      name: 'Reading an operating agreement, Thursday, March 12, 8:00 PM ET, Pillars of Wealthbuilding',
    })
    expect(event).toHaveAttribute('aria-haspopup', 'dialog')
    await user.click(event)
    expect(onOpen).toHaveBeenCalledWith(expect.objectContaining({ date: '2026-03-12' }))
  })

  it('marks today, and no other day', async () => {
    showCalendar([])
    await screen.findByRole('table')
    const today = screen
      .getAllByRole('cell')
      .filter((cell) => cell.getAttribute('aria-current') === 'date')
    expect(today).toHaveLength(1)
    expect(today[0]).toHaveTextContent('5 Today')
  })

  it('shows the numbers of other months’ days, without their events', async () => {
    showCalendar([on('2026-04-01', { title: 'April one' })])
    await screen.findByRole('table')
    expect(screen.getByText('Apr 1')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /April one/ })).not.toBeInTheDocument()
  })

  it('lists all events of a full day in a dialog', async () => {
    const titles = ['One', 'Two', 'Three', 'Four']
    const { user, onOpen } = showCalendar(
      titles.map((title, hour) => on('2026-03-19', { title, time: `1${hour}:00` })),
    )
    const more = await screen.findByRole('button', { name: '+2 more on March 19' })
    expect(screen.queryByRole('button', { name: /^Three/ })).not.toBeInTheDocument()

    await user.click(more)
    const dialog = within(screen.getByRole('dialog', { name: 'Thursday, March 19' }))
    expect(dialog.getAllByRole('button', { name: /March 19/ })).toHaveLength(4)
    expect(screen.getByRole('heading', { name: 'Thursday, March 19' })).toHaveFocus()

    await user.click(dialog.getByRole('button', { name: /^Three/ }))
    expect(onOpen).toHaveBeenCalledWith(expect.objectContaining({ title: 'Three' }))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(more).toHaveFocus()
  })

  it('shows one event less per day in a month of six weeks', async () => {
    const { user } = showCalendar(
      ['One', 'Two', 'Three'].map((title) => on('2026-05-19', { title })),
    )
    await screen.findByRole('table')
    // The second is in the empty state of a month.
    const [next] = screen.getAllByRole('button', { name: 'Next month' })
    if (!next) throw new Error('There is no way to the next month')
    await user.click(next)
    await user.click(next)
    expect(screen.getByRole('heading', { name: 'May 2026' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: '+2 more on May 19' })).toBeInTheDocument()
    expect(next).toHaveFocus()
  })

  it('offers a skip link with more than ten events', async () => {
    const events = Array.from({ length: 11 }, (_, day) => on(`2026-03-${String(day + 10)}`))
    showCalendar(events)
    const skip = await screen.findByRole('link', { name: 'Skip calendar' })
    const end = document.querySelector(skip.getAttribute('href')?.replaceAll(':', '\\:') ?? '')
    expect(end).toHaveAttribute('tabindex', '-1')
  })

  it('returns to today', async () => {
    const { user } = showCalendar([])
    await screen.findByRole('table')
    await user.click(screen.getByRole('button', { name: 'Previous month' }))
    expect(screen.getByRole('heading', { name: 'February 2026' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Today' }))
    expect(screen.getByRole('heading', { name: 'March 2026' })).toBeInTheDocument()
  })
})

describe('the keyboard in the month', () => {
  const season = [
    on('2026-03-03', { title: 'Third' }),
    on('2026-03-12', { title: 'Twelfth' }),
    on('2026-03-17', { title: 'Seventeenth' }),
    on('2026-03-18', { title: 'Eighteenth' }),
    on('2026-03-31', { title: 'Last' }),
    on('2026-04-20', { title: 'April' }),
  ]

  it.each([
    ['{ArrowRight}', 'Seventeenth'],
    ['{ArrowLeft}', 'Third'],
    ['{ArrowDown}', 'Eighteenth'],
    ['{ArrowUp}', 'Third'],
    ['{Home}', 'Third'],
    ['{End}', 'Last'],
    ['{PageDown}', 'April'],
  ])('moves by %s from the twelfth to: %s', async (key, title) => {
    const { user } = showCalendar(season)
    const event = await screen.findByRole('button', { name: /^Twelfth/ })
    event.focus()
    await user.keyboard(key)
    expect(screen.getByRole('button', { name: new RegExp(`^${title}`) })).toHaveFocus()
  })

  it('keeps the focus if there is no event a week away', async () => {
    const { user } = showCalendar(season)
    const last = await screen.findByRole('button', { name: /^Last/ })
    last.focus()
    await user.keyboard('{ArrowUp}{ArrowDown}{ArrowRight}')
    expect(last).toHaveFocus()
  })

  it('focuses the title of a month without events', async () => {
    const { user } = showCalendar(season)
    ;(await screen.findByRole('button', { name: /^Twelfth/ })).focus()
    await user.keyboard('{PageUp}')
    expect(screen.getByRole('heading', { name: 'February 2026' })).toHaveFocus()
  })

  it('reaches every event by Tab in the order of the dates', async () => {
    showCalendar([...season].reverse())
    await screen.findByRole('table')
    expect(names()).toEqual(['Third', 'Twelfth', 'Seventeenth', 'Eighteenth', 'Last'])
  })
})

describe('week and day', () => {
  it('show events at their own clock time, with their zone', async () => {
    const { user } = showCalendar([on('2026-03-06', { timezone: 'Pacific/Honolulu' })])
    await user.click(await screen.findByRole('button', { name: 'Week' }))
    expect(screen.getByRole('heading', { name: 'March 1 – 7, 2026' })).toBeInTheDocument()
    const friday = within(screen.getByRole('group', { name: 'Friday, March 6' }))
    expect(friday.getByRole('button', { name: /Friday, March 6, 8:00 PM HT/ })).toBeInTheDocument()

    await user.click(screen.getByRole('button', { name: 'Day' }))
    expect(screen.getByRole('heading', { name: 'Thursday, March 5, 2026' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Next day' }))
    expect(screen.getByText('Line by line.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Day' })).toHaveAttribute('aria-pressed', 'true')
  })

  it('name weeks across months and years', async () => {
    const { user } = showCalendar([])
    await user.click(await screen.findByRole('button', { name: 'Week' }))
    for (let weeks = 0; weeks < 4; weeks++) {
      await user.click(screen.getByRole('button', { name: 'Next week' }))
    }
    expect(screen.getByRole('heading', { name: 'March 29 – April 4, 2026' })).toBeInTheDocument()
  })
})

describe('the month list of phones', () => {
  beforeEach(() => {
    setScreen('phone')
  })

  it('lists the days that have events, with time, type and speakers', async () => {
    const speakers = ['Ann', 'Ben', 'Cem', 'Dee', 'Eve'].map((name) => aSpeaker({ name }))
    const { user, onOpen } = showCalendar([
      anEvent({ date: '2026-03-10' }, speakers),
      on('2026-04-02', { title: 'April' }),
    ])
    const card = await screen.findByRole('button', { name: /Reading an operating agreement/ })
    expect(card).toHaveTextContent('8:00 PM ET / 5:00 PM PT')
    expect(card).toHaveTextContent('Pillars of Wealthbuilding')
    expect(card).toHaveTextContent('Ann, Ben, Cem +2 more')
    expect(screen.queryByText('April')).not.toBeInTheDocument()
    expect(screen.queryByRole('table')).not.toBeInTheDocument()

    await user.click(card)
    expect(onOpen).toHaveBeenCalledWith(expect.objectContaining({ date: '2026-03-10' }))
  })

  it('marks today', async () => {
    showCalendar([on('2026-03-05')])
    expect(await screen.findByText('Today')).toBeInTheDocument()
  })

  it('offers the next month in a month without events', async () => {
    const { user } = showCalendar([on('2026-04-02', { title: 'April evening' })])
    expect(await screen.findByText('No events scheduled this month')).toBeInTheDocument()
    await user.click(screen.getByText('Next month', { selector: 'button' }))
    expect(screen.getByRole('heading', { name: 'April 2026' })).toBeInTheDocument()
    expect(screen.getByText('April evening')).toBeInTheDocument()
  })
})

describe('the calendar', () => {
  it('filters by type and announces the number of events', async () => {
    showCalendar(
      [
        on('2026-03-10'),
        on('2026-03-11', { type: 'Special' }),
        on('2026-04-11', { type: 'Special' }),
      ],
      { type: 'Special' },
    )
    await waitFor(() => {
      expect(screen.getByText('1 event shown')).toHaveAttribute('aria-live', 'polite')
    })
  })

  it('shows that it is loading', async () => {
    server.use(http.get('/api/events', () => delay('infinite')))
    renderPart(<CalendarCard headingLevel={3} onOpen={vi.fn()} onIntent={vi.fn()} />)
    expect(await screen.findByText('Loading events...')).toBeInTheDocument()
  })

  it.each(['desktop', 'phone'] as const)('offers a retry on a %s', async (screenSize) => {
    setScreen(screenSize)
    const { user } = showCalendar([on('2026-03-10', { title: 'Back again' })], { failures: 1 })
    expect(await screen.findByText('Unable to load events')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'March 2026' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('button', { name: /Back again/ })).toBeInTheDocument()
  })

  it('fetches all events once across many months', async () => {
    const { user, onRequest } = showCalendar([])
    await screen.findByRole('table')
    for (let months = 0; months < 5; months++) {
      // The second is in the empty state of a month.
      const [next] = screen.getAllByRole('button', { name: 'Next month' })
      if (next) await user.click(next)
    }
    expect(onRequest).toHaveBeenCalledOnce()
  })
})
