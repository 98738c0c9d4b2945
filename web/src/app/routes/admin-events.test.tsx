import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventLocation } from '../../api/types'
import { aLocation, anInPersonEvent } from '../../testing/factories'
import { renderSite } from '../../testing/render'
import { server, signIn } from '../../testing/session'

const uploaded = '/pictures/house.jpg'

beforeEach(() => {
  signIn()
  server.use(
    http.get('/api/events/hidden', () => HttpResponse.json([])),
    http.get('/api/events/:id/activity', () => HttpResponse.json([])),
    http.get('/api/speakers', () => HttpResponse.json([])),
  )
})

/** Edits an event at this venue, on a wide screen. */
async function edit(location: Partial<EventLocation>, site = {}) {
  const event = anInPersonEvent({ location: aLocation(location) })
  server.use(http.get('/api/events', () => HttpResponse.json([event])))
  const { user } = renderSite(`/admin?event=${event.id}`, { site })
  const preview = await screen.findByRole('complementary', { name: 'Preview' })
  const pictures = () =>
    [...preview.querySelectorAll('img')].map((image) => image.getAttribute('src'))
  return { user, preview: within(preview), pictures }
}

const mapName = 'Map of The Arcadia House'

describe('the preview of an event in person', () => {
  it('shows the map that visitors will see, though a picture was uploaded', async () => {
    const { user, preview, pictures } = await edit(
      { placeId: 'place-1', imageUrl: uploaded },
      { mapsBrowserKey: 'key' },
    )
    const map = preview.getByTitle(mapName)
    expect(map).toHaveAttribute('src', expect.stringContaining('place_id%3Aplace-1'))
    expect(map.closest('[inert]')).not.toBeNull()
    expect(pictures()).not.toContain(uploaded)

    // It is the same frame for as long as it is the same place.
    await user.type(screen.getByLabelText('Title'), '!')
    await user.type(screen.getByLabelText(/^Venue image URL/), 'x')
    expect(preview.getByTitle(mapName)).toBe(map)

    await user.click(screen.getByRole('button', { name: 'Unlink' }))
    await waitFor(() => {
      expect(preview.queryByTitle(mapName)).not.toBeInTheDocument()
    })
  })

  it('shows the uploaded picture where the site has no maps', async () => {
    const { pictures, preview } = await edit({ placeId: 'place-1', imageUrl: uploaded })
    expect(pictures()).toContain(uploaded)
    expect(preview.queryByTitle(mapName)).not.toBeInTheDocument()
  })

  it('shows the photo of the place where there is neither, as visitors will see it', async () => {
    server.use(
      http.get('/api/places/photo/place-2', () =>
        HttpResponse.json({ photoUrl: '/api/places/photo/place-2/image', attributions: [] }),
      ),
    )
    const { pictures } = await edit({ placeId: 'place-2' })
    await waitFor(() => {
      expect(pictures()).toContain('/api/places/photo/place-2/image')
    })
  })

  it('keeps the banner while the address of a picture is being typed', async () => {
    const asked = vi.fn()
    server.events.on('request:start', asked)
    const { user, pictures } = await edit({})
    asked.mockClear()
    const field = screen.getByLabelText(/^Venue image URL/)
    await user.type(field, 'https:/')
    expect(pictures()).toEqual([expect.stringContaining('/art/banner-in-person-events')])
    await user.type(field, '/example.com/house.jpg')
    await waitFor(() => {
      expect(pictures()).toContain('https://example.com/house.jpg')
    })
    expect(asked).not.toHaveBeenCalled()
    server.events.removeListener('request:start', asked)
  })
})
