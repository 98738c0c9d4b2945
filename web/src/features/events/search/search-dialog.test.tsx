import { onlineManager } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { useLocation } from 'react-router-dom'
import type { CalendarEvent, FoundEvents } from '../../../api/types'
import { normalized, normalizedWords } from '../../../lib/text'
import { aVenue, anEvent, anInPersonEvent, aSpeaker } from '../../../testing/factories'
import { renderComponent } from '../../../testing/render'
import { holdResponse, server } from '../../../testing/session'
import { SearchOpener } from './search-opener'

const later = anEvent({ title: 'Later reading', startsAt: '2099-05-01T00:00:00Z' }, [
  aSpeaker({ name: 'Dr. Ada Okafor' }),
])
const sooner = anInPersonEvent({
  title: 'Sooner reading',
  startsAt: '2099-04-01T00:00:00Z',
  location: aVenue({ city: 'San José' }),
})
const past = anEvent({ title: 'Reading of old', startsAt: '2020-01-01T00:00:00Z' })

function Where() {
  return <output aria-label="Path">{useLocation().pathname}</output>
}

/** What the server finds among these events: those that contain all words of the query. */
function foundBy(url: string, all: readonly CalendarEvent[]): FoundEvents {
  const parameters = new URL(url).searchParams
  const words = normalizedWords(parameters.get('q') ?? '')
  const found = all.filter((event) => {
    const text = normalized(JSON.stringify(event))
    return words.every((word) => text.includes(word))
  })
  const events = found
    .slice(0, Number(parameters.get('limit') ?? 50))
    .map((event) => ({ event, isPast: event === past }))
  return { count: found.length, marked: words, events }
}

function show(events: CalendarEvent[] = [sooner, later, past]) {
  server.use(
    http.get('/api/search', ({ request }) => HttpResponse.json(foundBy(request.url, events))),
  )
  return renderComponent(
    <main>
      <h1 tabIndex={-1}>Events Calendar</h1>
      <label>
        Notes <input />
      </label>
      <SearchOpener href="/search?q=" />
      <Where />
    </main>,
  )
}

const opener = () => screen.getByRole('link', { name: 'Search events' })
const field = () => screen.findByRole('combobox', { name: 'Search events' })
const titles = () =>
  screen.queryAllByRole('option').map((option) => option.querySelector('b')?.textContent)
const chosen = () => screen.getByRole('option', { selected: true })
const currentPath = () => screen.getByLabelText('Path')

/** Opens the search and enters a query, and waits for the results. */
async function search(user: ReturnType<typeof show>['user'], query: string) {
  await user.click(opener())
  await user.type(await field(), query)
  // A copy of the dialog of an earlier test may still be closing.
  await within(screen.getByRole('dialog')).findAllByText(/found/)
}

describe('opening the search', () => {
  it('opens on `/` and focuses the field', async () => {
    const { user } = show()
    await user.keyboard('/')
    expect(await field()).toHaveFocus()
    expect(await field()).toHaveValue('')
    expect(screen.getByText(/^Find events by title, speaker, city, type or date/)).toBeVisible()
    expect(screen.queryByRole('option')).not.toBeInTheDocument()
  })

  it.each([
    ['while typing into a field', 'Notes', '/'],
    ['with Control, a browser shortcut', null, '{Control>}/{/Control}'],
  ])('ignores the key %s', async (_, label, keys) => {
    const { user } = show()
    if (label) screen.getByLabelText(label).focus()
    await user.keyboard(keys)
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('returns the focus when it is closed', async () => {
    const { user } = show()
    await user.click(opener())
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Close' }),
    )
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(opener()).toHaveFocus()
  })
})

describe('searching', () => {
  it('lists what the server finds in its order and marks past events', async () => {
    const { user } = show()
    await search(user, 'reading')
    expect(titles()).toEqual(['Sooner reading', 'Later reading', 'Reading of old'])
    expect(screen.getByText('3 events found')).toHaveRole('status')
    const [first, , last] = screen.getAllByRole('option')
    expect(first).not.toHaveTextContent('Past')
    expect(last).toHaveTextContent('Past')
  })

  it('marks the matches, with or without accents', async () => {
    const { user } = show()
    await search(user, 'jose')
    expect(titles()).toEqual(['Sooner reading'])
    expect(screen.getByText('José', { selector: 'mark' })).toBeVisible()
    expect(screen.getByText('1 event found')).toHaveRole('status')
  })

  it('cycles with the arrow keys and exposes the active option to assistive technology', async () => {
    const { user } = show()
    await search(user, 'reading')
    expect(chosen()).toHaveTextContent('Sooner reading')
    await user.keyboard('{ArrowUp}')
    expect(chosen()).toHaveTextContent('Reading of old')
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(chosen()).toHaveTextContent('Later reading')
    expect(await field()).toHaveAttribute('aria-activedescendant', chosen().id)
    expect(await field()).toHaveFocus()
  })

  it('returns to the first result when the query changes', async () => {
    const { user } = show()
    await search(user, 'reading')
    await user.keyboard('{ArrowDown}{ArrowDown}')
    await user.keyboard('{Backspace}')
    expect(chosen()).toHaveTextContent('Sooner reading')
  })

  it('opens the active event on Enter', async () => {
    const { user } = show()
    await search(user, 'okafor')
    await user.keyboard('{Enter}')
    expect(currentPath()).toHaveTextContent(later.path)
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('opens an event on click', async () => {
    const { user } = show()
    await search(user, 'reading')
    await user.click(screen.getByRole('option', { name: /Reading of old/ }))
    expect(currentPath()).toHaveTextContent(past.path)
  })

  it('ignores Enter during input method composition', async () => {
    const { user } = show()
    await search(user, 'okafor')
    fireEvent.keyDown(await field(), { key: 'Enter', isComposing: true })
    expect(currentPath()).toHaveTextContent(/^\/$/)
  })

  it('shows the number of all results, and renders more on the way down', async () => {
    const { user } = show(Array.from({ length: 120 }, (_, at) => anEvent({ title: `Talk ${at}` })))
    await search(user, 'talk')
    expect(screen.getByText('120 events found')).toHaveRole('status')
    expect(titles()).toHaveLength(50)
    await user.keyboard('{ArrowDown>49}')
    expect(titles().length).toBe(50)
    await user.keyboard('{ArrowDown}')
    await waitFor(() => {
      expect(titles().length).toBe(100)
    })
    expect(chosen()).toHaveTextContent('Talk 50')
  })
})

describe('without results', () => {
  it('shows the query, ignores Enter, and Escape clears the query first', async () => {
    const { user } = show()
    await search(user, ' yoga ')
    expect(screen.getAllByText('No events found for “yoga”.')[0]).toBeVisible()
    expect(await field()).toHaveAccessibleDescription('No events found for “yoga”.')
    expect(await field()).toHaveAttribute('aria-expanded', 'false')
    await user.keyboard('{ArrowDown}{Enter}')
    expect(currentPath()).toHaveTextContent(/^\/$/)

    await user.keyboard('{Escape}')
    expect(await field()).toHaveValue('')
    expect(screen.getByRole('dialog')).toBeVisible()
  })

  it('shows no such message while the events load', async () => {
    const { released, release } = holdResponse()
    const { user } = show()
    server.use(
      http.get('/api/search', async ({ request }) => {
        await released
        return HttpResponse.json(foundBy(request.url, [later]))
      }),
    )
    await user.click(opener())
    await user.type(await field(), 'yoga')
    expect(screen.getByText('Loading events...')).toBeVisible()
    expect(screen.queryByText(/^No events found/)).not.toBeInTheDocument()
    release()
    expect((await screen.findAllByText('No events found for “yoga”.'))[0]).toBeVisible()
  })

  it('shows a loading error and retries', async () => {
    const { user } = show()
    server.use(
      http.get('/api/search', () => new HttpResponse(null, { status: 503 }), { once: true }),
    )
    await user.click(opener())
    await user.type(await field(), 'okafor')
    expect(await screen.findByText('Unable to load events')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('option', { name: /Later reading/ })).toBeVisible()
    expect(screen.queryByText('Unable to load events')).not.toBeInTheDocument()
    expect(screen.getByRole('dialog')).toHaveFocus()
  })

  it('says that it is offline', async () => {
    const { user } = show()
    await user.click(opener())
    const input = await field()
    onlineManager.setOnline(false)
    try {
      await user.type(input, 'okafor')
      expect(await screen.findByText('You are offline')).toBeVisible()
    } finally {
      onlineManager.setOnline(true)
    }
    expect(await screen.findByRole('option', { name: /Later reading/ })).toBeVisible()
  })
})

describe('while other results load', () => {
  it('keeps the earlier results, and Enter opens the first one of the new query', async () => {
    const { user } = show()
    await search(user, 'reading')
    const { released, release } = holdResponse()
    server.use(
      http.get('/api/search', async ({ request }) => {
        await released
        return HttpResponse.json(foundBy(request.url, [sooner, later, past]))
      }),
    )
    await user.type(await field(), ' okafor{Enter}')
    expect(titles()).toHaveLength(3)
    expect(currentPath()).toHaveTextContent(/^\/$/)
    release()
    await waitFor(() => {
      expect(currentPath()).toHaveTextContent(later.path)
    })
  })

  it('sends fewer requests than keys were pressed', async () => {
    const { user } = show()
    let count = 0
    server.use(
      http.get('/api/search', ({ request }) => {
        count += 1
        return HttpResponse.json(foundBy(request.url, [later]))
      }),
    )
    await search(user, 'okafor')
    expect(count).toBeLessThan(6)
  })
})
