import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { http, HttpResponse } from 'msw'
import { readJson } from '../api/client'
import { server } from '../testing/session'
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

it('shows the id of a failed request', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
  const headers = { 'x-request-id': 'q7w2' }
  server.use(http.get('/api/events', () => new HttpResponse(null, { status: 503, headers })))
  await expect(readJson('/api/events')).rejects.toThrow('503')
  render(
    <ErrorBoundary>
      <Broken />
    </ErrorBoundary>,
  )
  expect(screen.getByText('Request id: q7w2')).toBeVisible()
})
