import { render, screen, waitFor, within } from '@testing-library/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { delay, http, HttpResponse } from 'msw'
import { renderToString } from 'react-dom/server'
import { useLocation } from 'react-router-dom'
import { StaticRouter } from 'react-router-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '../../../api/query-client'
import type { CalendarEvent } from '../../../api/types'
import { anEvent, aSpeaker } from '../../../testing/factories'
import { BackButton, renderComponent } from '../../../testing/render'
import { setScreen } from '../../../testing/screen-size'
import { PageTimeContext } from '../../../lib/hydration'
import { server } from '../../../testing/session'
import { type InitialEvents, initialEventsQuery } from '../api'
import { CalendarCard } from './calendar-card'
import './grid-navigation'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 2, 5, 12, 0) })
})

afterEach(() => {
  vi.useRealTimers()
})

const on = (date: string, over: Partial<CalendarEvent> = {}) => anEvent({ date, ...over })

function UrlQuery() {
  return (
    <>
      <output aria-label="Query">{useLocation().search}</output>
      <BackButton />
    </>
  )
}

function showCalendar(
  events: readonly CalendarEvent[],
  { failures = 0, path = '/', ...props }: { failures?: number; path?: string; type?: string } = {},
) {
  const requests: string[] = []
  server.use(
    http.get('/api/events', ({ request }) => {
      requests.push(new URL(request.url).search)
      return requests.length > failures
        ? HttpResponse.json(events)
        : new HttpResponse(null, { status: 500, headers: { 'x-request-id': 'q7w2' } })
    }),
  )
  const onOpen = vi.fn()
  const view = renderComponent(
    <>
      <CalendarCard
        headingLevel={3}
        announcesCount
        onOpen={onOpen}
        onPreload={vi.fn()}
        {...props}
      />
      <UrlQuery />
    </>,
    path,
  )
  return { ...view, onOpen, requests }
}

/** Names of the events in the order of the page. */
const names = () =>
  screen
    .getAllByRole('link', { name: /, [A-Z][a-z]+day, / })
    .map((link) => link.getAttribute('aria-label')?.split(',')[0])

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
    const event = await screen.findByRole('link', {
      name: 'Reading an operating agreement, Thursday, March 12, 8:00 PM ET, Pillars of Wealthbuilding',
    })
    expect(event).toHaveAttribute('aria-haspopup', 'dialog')
    await user.click(event)
    expect(onOpen).toHaveBeenCalledWith(expect.objectContaining({ date: '2026-03-12' }))
  })

  it('says which events are in progress or over', async () => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const at = (title: string, time: string) => on('2026-03-05', { title, time, timezone: zone })
    showCalendar([at('Early', '10:00'), at('Current', '11:30'), at('Late', '12:30')])
    const link = async (title: string) => screen.findByRole('link', { name: RegExp(`^${title}`) })
    expect(await link('Early')).toHaveAccessibleName(/, This event is over$/)
    expect(await link('Early')).toHaveTextContent('This event is over')
    expect(await link('Current')).toHaveAccessibleName(/, Live now$/)
    expect(await link('Current')).toHaveTextContent(/^11:30 AM .*Live now.*Current/)
    // A description would repeat parts of the name.
    for (const title of ['Early', 'Current', 'Late']) {
      expect(await link(title)).not.toHaveAccessibleDescription()
    }
    expect(screen.getAllByTitle('Current, Live now')).not.toEqual([])
    expect(await link('Late')).not.toHaveTextContent(/over|Live/)
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
    expect(screen.queryByRole('link', { name: /April one/ })).not.toBeInTheDocument()
  })

  it('lists all events of a full day in a dialog', async () => {
    const titles = ['One', 'Two', 'Three', 'Four']
    const { user, onOpen } = showCalendar(
      titles.map((title, hour) => on('2026-03-19', { title, time: `1${hour}:00` })),
    )
    const more = await screen.findByRole('link', { name: '+2 more on March 19' })
    // The phone's list shows all of them, so they are in the document.
    const hidden = names().map((name) =>
      screen.getByRole('link', { name: new RegExp(`^${name}`) }).closest('[class*=extra]'),
    )
    expect(hidden.map(Boolean)).toEqual([false, false, true, true])
    // Without a script it opens the day's cell.
    const cell = more.closest('td')
    expect(more).toHaveAttribute('href', `#${cell?.id}`)

    await user.click(more)
    const dialog = within(await screen.findByRole('dialog', { name: 'Thursday, March 19' }))
    expect(dialog.getAllByRole('link', { name: /March 19/ })).toHaveLength(4)
    expect(screen.getByRole('heading', { name: 'Thursday, March 19' })).toHaveFocus()

    await user.click(dialog.getByRole('link', { name: /^Three/ }))
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
    const [next] = screen.getAllByRole('link', { name: 'Next month' })
    if (!next) throw new Error('There is no way to the next month')
    await user.click(next)
    await user.click(next)
    expect(screen.getByRole('heading', { name: 'May 2026' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: '+2 more on May 19' })).toBeInTheDocument()
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
    await user.click(screen.getByRole('link', { name: 'Previous month' }))
    expect(screen.getByRole('heading', { name: 'February 2026' })).toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: 'Today' }))
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
    const event = await screen.findByRole('link', { name: /^Twelfth/ })
    event.focus()
    await user.keyboard(key)
    expect(screen.getByRole('link', { name: new RegExp(`^${title}`) })).toHaveFocus()
  })

  it('keeps the focus if there is no event a week away', async () => {
    const { user } = showCalendar(season)
    const last = await screen.findByRole('link', { name: /^Last/ })
    last.focus()
    await user.keyboard('{ArrowUp}{ArrowDown}{ArrowRight}')
    expect(last).toHaveFocus()
  })

  it('focuses the title of a month without events', async () => {
    const { user } = showCalendar(season)
    ;(await screen.findByRole('link', { name: /^Twelfth/ })).focus()
    await user.keyboard('{PageUp}')
    expect(screen.getByRole('heading', { name: 'February 2026' })).toHaveFocus()
  })

  it('reaches every event by Tab in the order of the dates', async () => {
    showCalendar([...season].reverse())
    await screen.findByRole('link', { name: /^Twelfth/ })
    expect(names()).toEqual(['Third', 'Twelfth', 'Seventeenth', 'Eighteenth', 'Last'])
  })
})

describe('week and day', () => {
  /** The toolbar's link; the second is in the empty state. */
  const next = (name: string) =>
    within(screen.getByRole('group', { name: 'Calendar controls' })).getByRole('link', { name })

  it('show events at their own clock time, with their zone', async () => {
    const { user } = showCalendar([on('2026-03-06', { timezone: 'Pacific/Honolulu' })])
    await user.click(await screen.findByRole('button', { name: 'Week' }))
    expect(await screen.findByRole('heading', { name: 'March 1 – 7, 2026' })).toBeInTheDocument()
    const friday = within(await screen.findByRole('group', { name: 'Friday, March 6' }))
    expect(friday.getByRole('link', { name: /Friday, March 6, 8:00 PM HT/ })).toBeInTheDocument()

    await user.click(screen.getByRole('button', { name: 'Day' }))
    expect(screen.getByRole('heading', { name: 'Thursday, March 5, 2026' })).toBeInTheDocument()
    await user.click(next('Next day'))
    expect(screen.getByText('Line by line.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Day' })).toHaveAttribute('aria-pressed', 'true')
  })

  it('replace the month at once, with their heading, when their code has loaded', async () => {
    const { user } = showCalendar([on('2026-03-06')])
    const week = await screen.findByRole('button', { name: 'Week' })
    await screen.findByRole('link', { name: /March 6/ })
    const states: string[] = []
    const look = () => {
      const heading = screen.getByRole('heading', { level: 3 }).textContent
      const grid = screen.queryByRole('table') ? 'month' : 'week'
      if (!document.querySelector('[data-event]')) states.push('nothing')
      const state = `${heading} ${grid} ${week.ariaPressed}${week.ariaBusy ? ' busy' : ''}`
      if (states.at(-1) !== state) states.push(state)
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { subtree: true, childList: true, attributes: true })
    await user.click(week)
    await screen.findByRole('group', { name: 'Friday, March 6' })
    await Promise.resolve()
    observer.disconnect()
    expect(states.filter((state) => state !== 'March 2026 month false')).toEqual([
      'March 2026 month false busy',
      'March 1 – 7, 2026 week true',
    ])
  })

  it('name weeks across months and years', async () => {
    const { user } = showCalendar([])
    await user.click(await screen.findByRole('button', { name: 'Week' }))
    await screen.findByRole('heading', { name: 'March 1 – 7, 2026' })
    for (let weeks = 0; weeks < 4; weeks++) {
      await user.click(next('Next week'))
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
    const card = await screen.findByRole('link', { name: /Reading an operating agreement/ })
    expect(card).toHaveTextContent('8:00 PM ET / 5:00 PM PT')
    expect(card).toHaveTextContent('Pillars of Wealthbuilding')
    expect(card).toHaveTextContent('Ann, Ben, Cem +2 more')
    expect(screen.queryByText('April')).not.toBeInTheDocument()

    await user.click(card)
    expect(onOpen).toHaveBeenCalledWith(expect.objectContaining({ date: '2026-03-10' }))
  })

  it('marks today', async () => {
    showCalendar([on('2026-03-05')])
    expect(await screen.findByText('Today', { selector: 'td *' })).toBeInTheDocument()
  })

  it('collapses the past days of the current month, and of no other', async () => {
    const { user } = showCalendar([
      on('2026-02-02'),
      on('2026-03-02', { title: 'Second' }),
      on('2026-03-04', { title: 'Fourth' }),
      on('2026-03-05', { title: 'Fifth' }),
    ])
    const summary = await screen.findByText('2 earlier events')
    expect(summary.closest('details')).not.toHaveAttribute('open')
    const collapsed = names().filter((name) =>
      screen.getByRole('link', { name: new RegExp(`^${name}`) }).closest('[class*=collapsed]'),
    )
    expect(collapsed).toEqual(['Second', 'Fourth'])
    await user.click(screen.getByRole('link', { name: 'Previous month' }))
    expect(screen.queryByText(/earlier event/)).not.toBeInTheDocument()
  })

  it('leads on from a month whose events are over', async () => {
    const { user } = showCalendar([
      on('2026-03-02', { title: 'Second' }),
      on('2026-05-05', { title: 'May evening' }),
    ])
    await user.click(
      await screen.findByRole('link', { name: 'Next event: May evening, May 5, 2026' }),
    )
    expect(screen.getByRole('heading', { name: 'May 2026' })).toHaveFocus()
  })

  it('offers the next month in a month without events', async () => {
    const { user } = showCalendar([on('2026-04-02', { title: 'April evening' })])
    expect(await screen.findByText('No events scheduled this month')).toBeInTheDocument()
    await user.click(screen.getByText('Next month', { selector: 'a' }))
    expect(screen.getByRole('heading', { name: 'April 2026' })).toBeInTheDocument()
    expect(screen.getByText('April evening')).toBeInTheDocument()
  })
})

describe('the URL', () => {
  it('has the month, to which links lead without scripts and Back returns', async () => {
    const { user } = showCalendar([on('2026-05-05')], { path: '/calendar?type=Special&utm=x' })
    const next = await screen.findByRole('link', { name: 'Next month' })
    expect(next).toHaveAttribute('href', '/calendar?type=Special&month=2026-04#calendar')
    await user.dblClick(next)
    expect(screen.getByRole('heading', { name: 'May 2026' })).toBeInTheDocument()
    expect(screen.getByLabelText('Query')).toHaveTextContent('?type=Special&month=2026-05')
    expect(screen.getByRole('link', { name: 'Today' })).toHaveAttribute(
      'href',
      '/calendar?type=Special#calendar',
    )
    await user.click(screen.getByRole('button', { name: 'Back' }))
    expect(screen.getByRole('heading', { name: 'April 2026' })).toBeInTheDocument()
  })

  it.each([
    ['?month=2027-01', 'January 2027'],
    ['?month=2027-13', 'March 2026'],
    ['?month=x', 'March 2026'],
    ['?month=9999-12', 'March 2026'],
    ['?month=0000-01', 'March 2026'],
    ['?view=week&day=2027-01-05', 'January 3 – 9, 2027'],
    ['?view=day&day=2027-02-30', 'Thursday, March 5, 2026'],
    ['?view=year', 'March 2026'],
  ])('%s shows %s', async (queryString, title) => {
    showCalendar([], { path: `/calendar${queryString}` })
    expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument()
  })

  it('shows the month of a week on a phone', async () => {
    setScreen('phone')
    showCalendar([], { path: '/calendar?view=week&day=2027-01-05' })
    expect(await screen.findByRole('heading', { name: 'January 2027' })).toBeInTheDocument()
  })
})

describe('the first and the last month', () => {
  it.each([
    ['2099-12', 'December 2099', 'Next', 'Previous'],
    ['2000-01', 'January 2000', 'Previous', 'Next'],
  ])('of the calendar: %s has no link beyond', async (month, title, beyond, back) => {
    const { user } = showCalendar([], { path: `/calendar?month=${month}` })
    expect(await screen.findByText('No events scheduled this month')).toBeInTheDocument()
    const [link, ...others] = screen.getAllByRole('link', { name: `${beyond} month` })
    expect(link).toHaveAttribute('aria-disabled', 'true')
    expect(link).not.toHaveAttribute('href')
    expect(others).toEqual([])
    if (link) await user.click(link)
    expect(screen.getByRole('heading', { name: title })).toBeInTheDocument()
    const [there] = screen.getAllByRole('link', { name: `${back} month` })
    if (there) await user.click(there)
    screen.getAllByRole('link', { name: `${beyond} month` })[0]?.focus()
    await user.keyboard('{Enter}')
    expect(screen.getByRole('heading', { name: title })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: `${beyond} month` })).toHaveFocus()
  })
})

describe('an event that continues after midnight', () => {
  const late = on('2026-03-31', { title: 'Late evening', time: '23:30', duration: '90 minutes' })
  const ended = on('2026-03-31', {
    title: 'Ends at midnight',
    time: '23:00',
    duration: '60 minutes',
  })

  it('is shown on the day that it reaches into', async () => {
    showCalendar([late, ended], { path: '/calendar?view=day&day=2026-04-01' })
    expect(await screen.findByText('Late evening')).toBeInTheDocument()
    expect(screen.queryByText('Ends at midnight')).not.toBeInTheDocument()
    expect(screen.queryByText('No events scheduled on this day')).not.toBeInTheDocument()
  })

  it('is not shown in a later week', async () => {
    showCalendar([late, ended], { path: '/calendar?view=week&day=2026-04-05' })
    expect(await screen.findByText('No events scheduled this week')).toBeInTheDocument()
  })
})

describe('a period without events', () => {
  const later = [on('2026-04-20', { title: 'April evening' }), on('2026-03-01')]

  it.each([
    ['week', 'this week', 'April 19 – 25, 2026'],
    ['day', 'on this day', 'Monday, April 20, 2026'],
  ])('leads to the next event in the %s', async (view, when, title) => {
    const { user } = showCalendar(later, { path: `/calendar?view=${view}&day=2026-03-20` })
    expect(await screen.findByText(`No events scheduled ${when}`)).toBeInTheDocument()
    await user.click(
      screen.getByRole('link', { name: 'Next event: April evening, April 20, 2026' }),
    )
    expect(screen.getByRole('heading', { name: title })).toHaveFocus()
  })

  it.each(['month=2025-12', 'view=week&day=2026-02-24', 'view=day&day=2026-03-03'])(
    'of the past leads to the next event from now on: %s',
    async (period) => {
      const [over, upcoming] = [
        on('2026-03-04', { title: 'Yesterday evening' }),
        on('2026-05-20', { title: 'May evening' }),
      ]
      const first = showCalendar([over, upcoming], { path: `/calendar?${period}` })
      expect(
        await screen.findByRole('link', { name: 'Next event: May evening, May 20, 2026' }),
      ).toBeInTheDocument()
      first.unmount()
      showCalendar([over], { path: `/calendar?${period}` })
      expect(
        await screen.findByRole('link', { name: 'Last event: Yesterday evening, March 4, 2026' }),
      ).toBeInTheDocument()
    },
  )

  it.each([
    ['month', 'month=2027-05', 'March 2026'],
    ['week', 'view=week&day=2027-05-20', 'March 8 – 14, 2026'],
  ])('leads back from a %s after the last event', async (_, period, title) => {
    const events = [on('2026-02-01'), on('2026-03-10', { title: 'March evening' })]
    const { user, requests } = showCalendar(events, { path: `/calendar?${period}` })
    await user.click(
      await screen.findByRole('link', { name: 'Last event: March evening, March 10, 2026' }),
    )
    expect(screen.getByRole('heading', { name: title })).toHaveFocus()
    expect(requests.some((query) => query.includes('last='))).toBe(false)
  })

  it('asks for the last event of the type shown', async () => {
    const special = on('2024-03-10', { title: 'Special evening', type: 'Special' })
    const requests: string[] = []
    server.use(
      http.get('/api/events', ({ request: { url } }) => {
        requests.push(new URL(url).search)
        return HttpResponse.json(url.includes('last=1') ? [special] : [])
      }),
    )
    renderComponent(
      <CalendarCard headingLevel={2} type="Special" onOpen={vi.fn()} onPreload={vi.fn()} />,
    )
    expect(
      await screen.findByRole('link', { name: 'Last event: Special evening, March 10, 2024' }),
    ).toBeInTheDocument()
    expect(requests).toContain('?to=2026-02-28&type=Special&last=1')
  })

  it('leads to no event of another type', async () => {
    showCalendar(later, { type: 'Special' })
    expect(await screen.findByText('No events scheduled this month')).toBeInTheDocument()
    expect(screen.queryByText(/^(Next|Last) event/)).not.toBeInTheDocument()
  })
})

describe('the server’s markup', () => {
  const calendar = (
    queryString = '',
    nearestEvent: InitialEvents['nearestEvent'] = null,
    type?: string,
  ) => {
    const queryClient = createQueryClient()
    const events = [on('2026-03-12', { title: 'Twelfth' }), on('2026-03-02', { title: 'Second' })]
    queryClient.setQueryData(initialEventsQuery().queryKey, {
      window: { from: '2026-02-01', to: '2026-04-30' },
      events: nearestEvent ? [] : events,
      nextEvent: null,
      nearestEvent,
    })
    return (
      <PageTimeContext value={Date.now()}>
        <QueryClientProvider client={queryClient}>
          <StaticRouter location={`/calendar${queryString}`}>
            <CalendarCard
              headingLevel={2}
              type={type ?? null}
              onOpen={vi.fn()}
              onPreload={vi.fn()}
            />
          </StaticRouter>
        </QueryClientProvider>
      </PageTimeContext>
    )
  }

  it('leads from an empty month to a later event of the type shown', () => {
    const html = (type: string | undefined, event: CalendarEvent, nearestType: string | null) =>
      renderToString(calendar('?month=2026-03', { type: nearestType, isLast: false, event }, type))
    const special = on('2026-09-09', { title: 'Ninth', type: 'Special' })
    expect(html(undefined, special, null)).toContain('href="/calendar?month=2026-09#calendar"')
    expect(html('Special', special, 'Special')).toContain('Ninth')
    // The first of one type need not be the first of all.
    expect(html(undefined, special, 'Special')).not.toContain('Ninth')
  })

  it('leads from an empty month back to the last event if none is later', () => {
    const last = on('2025-09-09', { title: 'Ninth' })
    const nearest = { type: null, isLast: true, event: last }
    const html = renderToString(calendar('?month=2026-03', nearest))
    expect(html).toContain('Last event: Ninth')
    expect(html).toContain('href="/calendar?month=2025-09#calendar"')
  })

  it('leads from a month of the past to the next event from now on', () => {
    const event = on('2026-09-09', { title: 'Ninth' })
    const html = renderToString(calendar('?month=2026-02', { type: null, isLast: false, event }))
    expect(html).toContain('Next event: Ninth')
    const last = on('2026-03-04', { title: 'Yesterday' })
    expect(
      renderToString(calendar('?month=2026-02', { type: null, isLast: true, event: last })),
    ).toContain('Last event: Yesterday')
  })

  it('has the month for all widths, without style attributes', () => {
    const html = renderToString(calendar())
    expect(html).toContain('March 2026</h2>')
    expect(html).toContain('Twelfth')
    expect(html).toMatch(/<details [^>]*><summary [^>]*>1<!-- --> earlier/)
    expect(html).toContain('href="/calendar?month=2026-04#calendar"')
    expect(html).not.toContain('style=')
  })

  it('is kept by the browser, which then marks the visitor’s own day', async () => {
    // Still March 5 in New York, but March 6 in Kolkata.
    vi.setSystemTime(new Date('2026-03-05T20:00:00Z'))
    const element = calendar()
    const container = document.createElement('div')
    container.innerHTML = renderToString(element)
    const today = () =>
      container.querySelector('[aria-current=date] time')?.getAttribute('datetime')
    expect(today()).toBe('2026-03-05')
    const link = container.querySelector('[data-event]')
    const onRecoverableError = vi.fn()
    render(element, { container, hydrate: true, onRecoverableError })
    await waitFor(() => {
      expect(today()).toBe('2026-03-06')
    })
    expect(container.querySelector('[data-event]')).toBe(link)
    expect(onRecoverableError).not.toHaveBeenCalled()
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
    renderComponent(<CalendarCard headingLevel={3} onOpen={vi.fn()} onPreload={vi.fn()} />)
    expect(await screen.findByText('Loading events...')).toBeInTheDocument()
  })

  it.each(['desktop', 'phone'] as const)('offers a retry on a %s', async (screenSize) => {
    setScreen(screenSize)
    const { user } = showCalendar([on('2026-03-10', { title: 'Back again' })], { failures: 1 })
    expect(await screen.findByText('Unable to load events')).toBeVisible()
    expect(screen.getByText('Request id: q7w2')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'March 2026' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('link', { name: /Back again/ })).toBeInTheDocument()
  })

  it('fetches some months at once, and shows no placeholder at the next one', async () => {
    const months = ['03', '04', '05', '06', '07']
    const { user, requests } = showCalendar(months.map((month) => on(`2026-${month}-20`)))
    await screen.findByRole('link', { name: /March 20/ })
    for (const month of ['April 20', 'May 20', 'June 20', 'July 20']) {
      const [next] = screen.getAllByRole('link', { name: 'Next month' })
      if (next) await user.click(next)
      expect(screen.getByRole('link', { name: new RegExp(month) })).toBeInTheDocument()
    }
    expect(requests).toEqual([
      '?from=2025-12-01&to=2026-04-30',
      '?from=2026-03-01&to=2026-07-31',
      '?from=2026-06-01&to=2026-10-31',
    ])
  })

  it('shows a placeholder for months that were not fetched', async () => {
    const { user } = showCalendar([on('2027-03-10')])
    const next = await screen.findByRole('link', { name: /^Next event: .* March 10, 2027$/ })
    server.use(http.get('/api/events', () => delay('infinite')))
    await user.click(next)
    expect(await screen.findByText('Loading events...')).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'March 2027' })).toBeInTheDocument()
  })
})

it('says on the card of a past event that there is a recording, and not before it', async () => {
  const recordingUrl = 'https://video.example.com/1'
  showCalendar([
    on('2026-03-02', { title: 'Seen', startsAt: '2026-03-03T01:00:00Z', recordingUrl }),
    on('2026-03-20', { title: 'Upcoming', startsAt: '2026-03-21T00:00:00Z', recordingUrl }),
  ])
  const seen = await screen.findByRole('link', { name: /^Seen, .*Recording available$/ })
  expect(within(seen).getByText('Recording available')).toBeInTheDocument()
  expect(screen.getByRole('link', { name: /^Upcoming/ })).not.toHaveTextContent('Recording')
})

it('counts the speakers that a card does not name, and prints them', async () => {
  const speakers = ['Ada', 'Bo', 'Cy', 'Di', 'Ed'].map((name) => aSpeaker({ name }))
  showCalendar([anEvent({ date: '2026-03-20' }, speakers)])
  const card = await screen.findByRole('link', { name: /March 20/ })
  expect(card).toHaveTextContent(/Ada, Bo, Cy \+2 more, Di, Ed$/)
})
