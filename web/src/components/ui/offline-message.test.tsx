import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { OfflineMessage } from './toaster'

it('shows a message while the browser is offline', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  render(<OfflineMessage />)
  expect(screen.getByRole('status')).toBeEmptyDOMElement()

  onLine.mockReturnValue(false)
  act(() => {
    window.dispatchEvent(new Event('offline'))
  })
  expect(screen.getByRole('status')).toHaveTextContent('You are offline')

  onLine.mockReturnValue(true)
  act(() => {
    window.dispatchEvent(new Event('online'))
  })
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
})
