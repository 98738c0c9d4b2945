import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Venue } from '../../api/types'
import { aVenue, anInPersonEvent } from '../../testing/factories'
import { renderSite } from '../../testing/render'
import { portalList } from '../../testing/portal-list'
import { server, signIn } from '../../testing/session'

const uploaded = '/pictures/house.jpg'

beforeEach(() => {
  signIn()
  server.use(
    http.get('/api/events/:id/activity', () => HttpResponse.json([])),
    http.get('/api/speakers', () => HttpResponse.json([])),
  )
})

/** Opens the form of an event at this venue, on a wide screen. */
async function edit(location: Partial<Venue>, site = {}) {
  const event = anInPersonEvent({ location: aVenue(location) })
  server.use(...portalList(() => [event]))
  const { user } = renderSite(`/admin?event=${event.id}`, { site })
  const preview = await screen.findByRole('complementary', { name: 'Preview' })
  const images = () =>
    [...preview.querySelectorAll('img')].map((image) => image.getAttribute('src'))
  return { user, preview: within(preview), images }
}

const mapName = 'Map of The Arcadia House'

describe('the preview of an in-person event', () => {
  it('shows the map as on the site, even if an image was uploaded', async () => {
    const { user, preview, images } = await edit(
      { placeId: 'place-1', imageUrl: uploaded },
      { mapsBrowserKey: 'key' },
    )
    const map = preview.getByTitle(mapName)
    expect(map).toHaveAttribute('src', expect.stringContaining('place_id%3Aplace-1'))
    expect(map.closest('[inert]')).not.toBeNull()
    expect(images()).not.toContain(uploaded)

    // Other input must not reload the map.
    await user.type(screen.getByLabelText('Title'), '!')
    await user.type(screen.getByLabelText(/^Venue image URL/), 'x')
    expect(preview.getByTitle(mapName)).toBe(map)

    await user.click(screen.getByRole('button', { name: 'Unlink' }))
    await waitFor(() => {
      expect(preview.queryByTitle(mapName)).not.toBeInTheDocument()
    })
  })

  it('shows the uploaded image if the site has no maps key', async () => {
    const { images, preview } = await edit({ placeId: 'place-1', imageUrl: uploaded })
    expect(images()).toContain(uploaded)
    expect(preview.queryByTitle(mapName)).not.toBeInTheDocument()
  })

  it('shows the place’s photo if there is neither a map nor an image', async () => {
    server.use(
      http.get('/api/places/photo/place-2', () =>
        HttpResponse.json({ photoUrl: '/api/places/photo/place-2/image', attributions: [] }),
      ),
    )
    const { images } = await edit({ placeId: 'place-2' })
    await waitFor(() => {
      expect(images()).toContain('/api/places/photo/place-2/image')
    })
  })

  it('shows the banner until the typed image URL is complete', async () => {
    const onRequest = vi.fn()
    server.events.on('request:start', onRequest)
    const { user, images } = await edit({})
    onRequest.mockClear()
    const field = screen.getByLabelText(/^Venue image URL/)
    await user.type(field, 'https:/')
    expect(images()).toEqual([expect.stringContaining('/art/banner-in-person-events')])
    await user.type(field, '/example.com/house.jpg')
    await waitFor(() => {
      expect(images()).toContain('https://example.com/house.jpg')
    })
    expect(onRequest).not.toHaveBeenCalled()
    server.events.removeListener('request:start', onRequest)
  })
})
