import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Dialog } from './dialog'
import { ToastAction } from './toast-action'
import { resumeToast, showToast, showToastAcrossPages } from './toast-store'
import { Toaster } from './toaster'

beforeEach(() => {
  vi.useFakeTimers()
  render(<Toaster />)
})

afterEach(() => {
  act(() => {
    vi.runOnlyPendingTimers()
  })
  vi.useRealTimers()
})

const show = (title: string, variant: 'default' | 'destructive' = 'default') => {
  act(() => {
    showToast({ title, description: 'More about it.', variant })
  })
}
const wait = (milliseconds: number) => {
  act(() => {
    vi.advanceTimersByTime(milliseconds)
  })
}

it('shows a toast for three seconds', () => {
  show('Saved')
  expect(screen.getByRole('status')).toHaveTextContent('SavedMore about it.')
  wait(2999)
  expect(screen.getByText('Saved')).toBeInTheDocument()
  wait(1)
  expect(screen.queryByText('Saved')).not.toBeInTheDocument()
})

it('announces a failure as an alert', () => {
  show('Error', 'destructive')
  expect(screen.getByRole('alert')).toHaveTextContent('Error')
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
})

it('shows only the latest toast', () => {
  show('First')
  wait(2000)
  show('Second')
  expect(screen.queryByText('First')).not.toBeInTheDocument()
  wait(2000)
  expect(screen.getByText('Second')).toBeInTheDocument()
})

it('shows a toast as long as it is hovered or focused', () => {
  show('Saved')
  const title = screen.getByText('Saved')
  const toast = title.closest('div')
  if (toast) fireEvent.pointerEnter(toast)
  wait(10_000)
  expect(title).toBeInTheDocument()

  const dismiss = screen.getByRole('button', { name: 'Dismiss' })
  act(() => {
    dismiss.focus()
  })
  if (toast) fireEvent.pointerLeave(toast)
  wait(10_000)
  expect(title).toBeInTheDocument()

  act(() => {
    dismiss.blur()
  })
  wait(3000)
  expect(title).not.toBeInTheDocument()
})

it('continues on the next page for the rest of its three seconds, once', () => {
  act(() => {
    showToastAcrossPages({ title: 'Login successful', description: 'Redirecting...' })
  })
  wait(800)
  fireEvent(window, new Event('pagehide'))
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))

  const { unmount } = render(<Toaster />)
  expect(screen.getAllByText('Login successful')).not.toHaveLength(0)
  wait(2199)
  expect(screen.getAllByText('Login successful')).not.toHaveLength(0)
  wait(1)
  expect(screen.queryByText('Login successful')).not.toBeInTheDocument()
  unmount()
  act(resumeToast)
  expect(screen.queryByText('Login successful')).not.toBeInTheDocument()
})

it('does not continue on the next page when it was dismissed', () => {
  act(() => {
    showToastAcrossPages({ title: 'Login successful', description: 'Redirecting...' })
  })
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  fireEvent(window, new Event('pagehide'))
  act(resumeToast)
  expect(screen.queryByText('Login successful')).not.toBeInTheDocument()
})

it('disappears when it is dismissed', () => {
  show('Saved')
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText('Saved')).not.toBeInTheDocument()
})

it('shows a toast with an action for ten seconds, and runs the action once', () => {
  const run = vi.fn()
  act(() => {
    showToast({ title: 'Deleted', action: <ToastAction label="Undo" run={run} /> })
  })
  wait(9999)
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(run).toHaveBeenCalledOnce()
  wait(1)
  expect(screen.queryByText('Deleted')).not.toBeInTheDocument()
})

it('runs the action on Ctrl+Z, except in a text field', () => {
  const run = vi.fn()
  const { container } = render(<input aria-label="Name" />)
  act(() => {
    showToast({ title: 'Deleted', action: <ToastAction label="Undo" run={run} /> })
  })
  const undo = { key: 'z', ctrlKey: true }
  fireEvent.keyDown(screen.getByLabelText('Name'), undo)
  expect(run).not.toHaveBeenCalled()
  fireEvent.keyDown(container, undo)
  expect(run).toHaveBeenCalledOnce()
})

it('is shown in the topmost dialog, where it can be read, and then on the page', () => {
  const openDialog = (name: string) =>
    render(
      <Dialog headingId={name} onClose={() => undefined}>
        <h2 id={name} tabIndex={-1}>
          {name}
        </h2>
      </Dialog>,
    )
  const first = openDialog('First')
  const second = openDialog('Second')
  const dialog = (name: string) => within(screen.getByRole('dialog', { name }))
  show('Saved')
  expect(screen.getAllByText('Saved')).toHaveLength(1)
  expect(dialog('Second').getByRole('status')).toHaveTextContent('Saved')

  second.unmount()
  expect(dialog('First').getByRole('status')).toHaveTextContent('Saved')
  first.unmount()
  expect(screen.getAllByText('Saved')).toHaveLength(1)
  wait(3000)
  expect(screen.queryByText('Saved')).not.toBeInTheDocument()
})

it('gives the focus back to the page when the toast closes with the focused button', () => {
  render(
    <main>
      <h1 tabIndex={-1}>Events</h1>
    </main>,
  )
  show('Saved')
  screen.getByRole('button', { name: 'Dismiss' }).focus()
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  wait(0)
  expect(screen.getByRole('heading', { name: 'Events' })).toHaveFocus()
})

it('gives the focus back to the open dialog when the toast closes with the focused button', () => {
  render(
    <>
      <main>
        <h1 tabIndex={-1}>Events</h1>
      </main>
      <Dialog headingId="delete" onClose={() => undefined}>
        <h2 id="delete" tabIndex={-1}>
          Delete Event
        </h2>
      </Dialog>
    </>,
  )
  show('Saved')
  screen.getByRole('button', { name: 'Dismiss' }).focus()
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  wait(0)
  expect(screen.getByRole('heading', { name: 'Delete Event' })).toHaveFocus()
})
