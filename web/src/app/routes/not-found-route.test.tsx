import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { anEvent } from '../../testing/factories'
import { http, HttpResponse } from 'msw'
import { renderSite } from '../../testing/render'
import { server } from '../../testing/session'

it('an unknown path leads back to the events', async () => {
  server.use(
    http.get('/api/events', () => HttpResponse.json([anEvent()])),
    http.get('/api/page-content/home', () => HttpResponse.json({ error: 'None' }, { status: 404 })),
  )
  const { user } = renderSite('/nothing-here')
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()

  await user.click(screen.getByRole('link', { name: 'Back to Events' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Event Calendar' })).toHaveFocus()
  expect(await screen.findByRole('region', { name: 'Next Event' })).toBeVisible()
})

it('the page of a deleted event says so', async () => {
  renderSite('/410')
  const heading = await screen.findByRole('heading', { level: 1, name: 'This event was deleted' })
  expect(heading).toBeVisible()
  expect(screen.getByText(/^It is no longer on the calendar\./)).toBeVisible()
})
