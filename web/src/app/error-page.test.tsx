import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ErrorBoundary } from './error-page'

function Broken(): never {
  throw new Error('broken')
}

it('shows the error page if rendering fails', () => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
  render(
    <ErrorBoundary>
      <Broken />
    </ErrorBoundary>,
  )
  expect(screen.getByRole('heading', { name: 'Application Error' })).toBeVisible()
  expect(
    screen.getByText(
      'Sorry, there was a problem starting the application. Please try again later.',
    ),
  ).toBeVisible()
})
