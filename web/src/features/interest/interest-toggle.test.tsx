import { screen, waitFor } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { renderComponent } from '../../testing/render'
import { holdResponse, server } from '../../testing/session'
import { CalendarInterestToggle, InterestToggle } from './interest-toggle'

const path = '/api/events/:id/interest'
const event = { id: 7, path: '/events/7-property-walk' }

/** A server with one other investor and the visitors added by the test; changes wait for `released`. */
function interestServer(released = Promise.resolve()) {
  const visitors = new Set(['user_other'])
  const respond = (userId: string) =>
    HttpResponse.json({ count: visitors.size, hasInterest: visitors.has(userId) })
  server.use(
    http.get(path, ({ request }) => respond(new URL(request.url).searchParams.get('userId') ?? '')),
    http.put(path, async ({ request }) => {
      const { action, userId } = (await request.json()) as { action: string; userId: string }
      if (action === 'add') visitors.add(userId)
      else visitors.delete(userId)
      await released
      return respond(userId)
    }),
  )
  return visitors
}

/** A toggle in what can be closed, such as a dialog. */
function Reopened() {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <>
      <button
        onClick={() => {
          setIsOpen(!isOpen)
        }}
      >
        Open or close
      </button>
      {isOpen && <InterestToggle event={event} />}
    </>
  )
}

describe('InterestToggle', () => {
  it('adds and removes the visitor and confirms both', async () => {
    const { released, release } = holdResponse()
    const visitors = interestServer(released)
    const { user } = renderComponent(<InterestToggle event={event} />)
    expect(await screen.findByText('investor attending', { exact: false })).toHaveTextContent(
      '1 investor attending',
    )

    await user.click(screen.getByRole('button', { name: 'Planning to Attend' }))
    expect(screen.getByRole('button', { name: 'Submitting...' })).toBeDisabled()
    release()
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

  it('is still busy when it is shown again, and confirms once', async () => {
    const { released, release } = holdResponse()
    interestServer(released)
    const { user } = renderComponent(<Reopened />)
    await user.click(screen.getByRole('button', { name: 'Planning to Attend' }))
    await user.click(screen.getByRole('button', { name: 'Open or close' }))
    await user.click(screen.getByRole('button', { name: 'Open or close' }))
    expect(screen.getByRole('button', { name: 'Submitting...' })).toBeDisabled()
    release()
    expect(await screen.findByRole('button', { name: "Can't Attend" })).toBeEnabled()
    expect(await screen.findAllByText('Interest Indicated')).toHaveLength(1)
  })

  it('recognizes a returning visitor', async () => {
    interestServer()
    const first = renderComponent(<InterestToggle event={event} />)
    await first.user.click(screen.getByRole('button', { name: 'Planning to Attend' }))
    await screen.findByRole('button', { name: "Can't Attend" })
    first.unmount()

    renderComponent(<InterestToggle event={event} />)
    expect(await screen.findByRole('button', { name: "Can't Attend" })).toBeVisible()
  })

  it('has one id in the cookie and in local storage, that of the cookie if they differ', async () => {
    const visitors = interestServer()
    visitors.add('user_from_the_form')
    const first = renderComponent(<InterestToggle event={event} />)
    await screen.findByRole('button', { name: 'Planning to Attend' })
    await waitFor(() => {
      expect(document.cookie).toContain(
        `visitor=${localStorage.getItem('lectern.visitor-id') ?? '-'}`,
      )
    })
    first.unmount()

    document.cookie = 'visitor=user_from_the_form; path=/'
    renderComponent(<InterestToggle event={event} />)
    expect(await screen.findByRole('button', { name: "Can't Attend" })).toBeVisible()
    expect(localStorage.getItem('lectern.visitor-id')).toBe('user_from_the_form')
  })

  it('is a form for the server, and begins with what the server wrote', async () => {
    server.use(http.get(path, () => delay('infinite')))
    const served = { initialData: { count: 2, hasInterest: true } }
    renderComponent(<InterestToggle event={event} served={served} />)
    const button = screen.getByRole<HTMLButtonElement>('button', { name: "Can't Attend" })
    expect([button.name, button.value]).toEqual(['action', 'remove'])
    expect(button.form).toHaveAttribute('action', '/events/7-property-walk/attendance')
    expect(button.form).toHaveAttribute('method', 'post')
    expect(screen.getByText(/attending/)).toHaveTextContent('2 investors attending')
    await delay(20)
  })

  it('can only remove the visitor once the event is over', async () => {
    const visitors = interestServer()
    const first = renderComponent(
      <>
        <p id="why">This event is over.</p>
        <InterestToggle event={event} closedBy="why" />
      </>,
    )
    const add = screen.getByRole('button', { name: 'Planning to Attend' })
    expect(add).toBeDisabled()
    expect(add).toHaveAccessibleDescription('This event is over.')
    expect(screen.getAllByText(/This event is over/)).toHaveLength(1)
    first.unmount()

    visitors.add(localStorage.getItem('lectern.visitor-id') ?? '')
    const { user } = renderComponent(<InterestToggle event={event} closedBy="why" />)
    await user.click(await screen.findByRole('button', { name: "Can't Attend" }))
    await waitFor(() => {
      expect(screen.getByRole('button', { name: 'Planning to Attend' })).toBeDisabled()
    })
  })

  it('states that the event is over if it ended while the page was open', async () => {
    interestServer()
    const error = 'This event is over'
    server.use(http.put(path, () => HttpResponse.json({ error }, { status: 409 })))
    const { user } = renderComponent(<InterestToggle event={event} />)
    await user.click(screen.getByRole('button', { name: 'Planning to Attend' }))
    await waitFor(() => {
      expect(screen.getByRole('alert')).toHaveTextContent('ErrorThis event is over')
    })
  })

  it('toggles on the public calendar too, with that page’s messages', async () => {
    const visitors = interestServer()
    server.use(
      http.post(path, () => {
        visitors.add(localStorage.getItem('lectern.visitor-id') ?? '')
        return HttpResponse.json({ count: visitors.size, hasInterest: true })
      }),
    )
    const close = <button type="button">Close</button>
    const { user } = renderComponent(<CalendarInterestToggle event={event} closeButton={close} />)
    await user.click(screen.getByRole('button', { name: 'Planning to Attend' }))
    const leave = await screen.findByRole('button', { name: "Can't Attend" })
    expect(leave).toHaveFocus()
    expect(screen.getByText('Interest indicated')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Close' })).toBeVisible()
    await user.click(leave)
    expect(await screen.findByRole('button', { name: 'Planning to Attend' })).toBeVisible()
    expect(screen.getByText('Interest Removed')).toBeVisible()
  })

  it('shows no count before it is loaded', async () => {
    server.use(http.get(path, () => delay('infinite')))
    renderComponent(<InterestToggle event={event} />)
    await delay(20)
    expect(screen.queryByText(/attending/)).not.toBeInTheDocument()
  })

  it('shows a count of zero and no message if the request fails', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    server.use(http.get(path, () => new HttpResponse(null, { status: 500 })))
    renderComponent(<InterestToggle event={event} />)
    expect(await screen.findByText(/attending/)).toHaveTextContent('0 investors attending')
    expect(screen.getByRole('alert')).toBeEmptyDOMElement()
    expect(warn).toHaveBeenCalled()
  })

  it('reports a failed change and retains its state', async () => {
    interestServer()
    server.use(http.put(path, () => HttpResponse.json({ error: 'Unavailable' }, { status: 503 })))
    const { user } = renderComponent(<InterestToggle event={event} />)
    await user.click(screen.getByRole('button', { name: 'Planning to Attend' }))

    const alert = screen.getByRole('alert')
    await waitFor(() => {
      expect(alert).toHaveTextContent('ErrorFailed to update interest. Please try again.')
    })
    expect(screen.getByRole('button', { name: 'Planning to Attend' })).toBeEnabled()
  })
})
