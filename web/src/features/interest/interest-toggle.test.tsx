import { screen, waitFor } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from '../../testing/render'
import { server } from '../../testing/session'
import { InterestToggle } from './interest-toggle'

const path = '/api/events/:id/interest'

/** A server with one other investor and the visitors added by the test. */
function attendance() {
  const visitors = new Set(['user_other'])
  const respond = (userId: string) =>
    HttpResponse.json({ count: visitors.size, hasInterest: visitors.has(userId) })
  server.use(
    http.get(path, ({ request }) => respond(new URL(request.url).searchParams.get('userId') ?? '')),
    http.put(path, async ({ request }) => {
      const { action, userId } = (await request.json()) as { action: string; userId: string }
      if (action === 'add') visitors.add(userId)
      else visitors.delete(userId)
      await delay(30)
      return respond(userId)
    }),
  )
  return visitors
}

describe('InterestToggle', () => {
  it('adds and removes the visitor and confirms both', async () => {
    const visitors = attendance()
    const { user } = renderPart(<InterestToggle eventId={7} />)
    expect(await screen.findByText('investor attending', { exact: false })).toHaveTextContent(
      '1 investor attending',
    )

    await user.click(screen.getByRole('button', { name: 'Planning to Attend' }))
    expect(screen.getByRole('button', { name: 'Submitting...' })).toBeDisabled()
    const leave = await screen.findByRole('button', { name: "Can't Attend" })
    expect(leave).toHaveFocus()
    expect(screen.getByText(/attending/)).toHaveTextContent('2 investors attending')
    expect(screen.getByText('Interest Indicated')).toBeVisible()
    expect(screen.getByText('Thank you for your interest in this event!')).toBeVisible()
    expect([...visitors].at(-1)).toMatch(/^user_\d+_\w+$/)

    await user.click(leave)
    expect(await screen.findByRole('button', { name: 'Planning to Attend' })).toHaveFocus()
    expect(screen.getByText(/attending/)).toHaveTextContent('1 investor attending')
    expect(screen.getByText('Interest Removed')).toBeVisible()
    expect(screen.getByText('Your interest has been removed from this event.')).toBeVisible()
  })

  it('recognises a returning visitor', async () => {
    attendance()
    const first = renderPart(<InterestToggle eventId={7} />)
    await first.user.click(screen.getByRole('button', { name: 'Planning to Attend' }))
    await screen.findByRole('button', { name: "Can't Attend" })
    first.unmount()

    renderPart(<InterestToggle eventId={7} />)
    expect(await screen.findByRole('button', { name: "Can't Attend" })).toBeVisible()
  })

  it('stores the id in the cookie too', () => {
    attendance()
    renderPart(<InterestToggle eventId={7} />)
    expect(document.cookie).toContain(
      `visitor=${localStorage.getItem('lectern.visitor-id') ?? '-'}`,
    )
  })

  it('shows no count before it is loaded', async () => {
    server.use(http.get(path, () => delay('infinite')))
    renderPart(<InterestToggle eventId={7} />)
    await delay(20)
    expect(screen.queryByText(/attending/)).not.toBeInTheDocument()
  })

  it('shows a count of zero and no message if the request fails', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    server.use(http.get(path, () => new HttpResponse(null, { status: 500 })))
    renderPart(<InterestToggle eventId={7} />)
    expect(await screen.findByText(/attending/)).toHaveTextContent('0 investors attending')
    expect(screen.getByRole('alert')).toBeEmptyDOMElement()
    expect(warn).toHaveBeenCalled()
  })

  it('reports a failed change and retains its state', async () => {
    attendance()
    server.use(http.put(path, () => HttpResponse.json({ error: 'Unavailable' }, { status: 503 })))
    const { user } = renderPart(<InterestToggle eventId={7} />)
    await user.click(screen.getByRole('button', { name: 'Planning to Attend' }))

    const alert = screen.getByRole('alert')
    await waitFor(() => {
      expect(alert).toHaveTextContent('ErrorFailed to update interest. Please try again.')
    })
    expect(screen.getByRole('button', { name: 'Planning to Attend' })).toBeEnabled()
  })
})
