import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useSearchParams } from 'react-router-dom'
import { beforeEach, expect, it, vi } from 'vitest'
import { anEvent } from '../../../testing/factories'
import { BackButton, renderComponent } from '../../../testing/render'
import { server } from '../../../testing/session'
import { SearchPage } from './search-page'

const scrollIntoView = vi.fn()

beforeEach(() => {
  scrollIntoView.mockClear()
  Element.prototype.scrollIntoView = scrollIntoView
})

function Page() {
  const [parameters] = useSearchParams()
  return (
    <>
      <SearchPage
        query={parameters.get('q') ?? ''}
        page={Number(parameters.get('page') ?? 1)}
        calendarHref="/calendar"
        hrefOf={(query, page = 1) => `/search?q=${query}${page > 1 ? `&page=${String(page)}` : ''}`}
      />
      <BackButton />
    </>
  )
}

function showSearch(path: string) {
  server.use(
    http.get('/api/search', ({ request: { url } }) =>
      HttpResponse.json({
        count: 70,
        marked: [],
        events: [{ event: anEvent({ title: `Result of ${new URL(url).search}` }), isPast: false }],
      }),
    ),
  )
  return renderComponent(<Page />, path)
}

const field = () => screen.getByRole('searchbox', { name: 'Search events' })

it('goes to the heading of the next page of results', async () => {
  const { user } = showSearch('/search?q=rent')
  await user.click(await screen.findByRole('link', { name: 'Next page' }))
  expect(await screen.findByText('Result of ?q=rent&page=2')).toBeInTheDocument()
  const heading = screen.getByRole('heading', { name: '70 events found, page 2 of 2' })
  expect(heading).toHaveFocus()
  expect(scrollIntoView.mock.contexts).toEqual([heading])

  // The browser restores the position.
  await user.click(screen.getByRole('button', { name: 'Back' }))
  expect(await screen.findByRole('heading', { name: '70 events found' })).not.toHaveFocus()
  expect(scrollIntoView).toHaveBeenCalledOnce()
})

it.each(['/search?q=', '/search?q=rent'])('keeps the focus in the field: %s', async (path) => {
  const { user } = showSearch(path)
  await user.clear(field())
  await user.type(field(), 'walk{Enter}')
  expect(await screen.findByText('Result of ?q=walk')).toBeInTheDocument()
  expect(field()).toHaveFocus()
  await user.clear(field())
  await user.keyboard('{Enter}')
  expect(await screen.findByText(/^Find events by title/)).toBeInTheDocument()
  expect(field()).toHaveFocus()

  await user.click(screen.getByRole('button', { name: 'Back' }))
  expect(field()).toHaveValue('walk')
})

it('leads from a page after the last one to the first', async () => {
  const { user } = showSearch('/search?q=rent&page=999')
  expect(await screen.findByText(/^This page has no events\./)).toBeVisible()
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument()
  await user.click(screen.getByRole('link', { name: 'First page' }))
  expect(await screen.findByRole('link', { name: 'Next page' })).toBeVisible()
  expect(screen.getByRole('heading', { name: '70 events found' })).toHaveFocus()
  expect(screen.queryByText(/^This page has no events\./)).not.toBeInTheDocument()
})
