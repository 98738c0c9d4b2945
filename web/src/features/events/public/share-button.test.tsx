import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { anEvent } from '../../../testing/factories'
import { renderComponent } from '../../../testing/render'
import { ShareButton } from './share-button'

const event = anEvent({ path: '/events/12-reading' })
const show = () => renderComponent(<ShareButton event={event} baseUrl="https://events.example.com" />)
const url = 'https://events.example.com/events/12-reading'

describe('Share', () => {
  it('copies the URL of the event’s page and confirms it', async () => {
    const { user } = show()
    await user.click(screen.getByRole('button', { name: 'Share' }))
    expect(await screen.findByText('Link copied')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(url)
  })

  it('shows the URL if the browser denies clipboard access', async () => {
    const { user } = show()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await user.click(screen.getByRole('button', { name: 'Share' }))
    expect(await screen.findByText(`Copy this link: ${url}`)).toBeVisible()
  })

  it('uses the device’s share sheet if there is one', async () => {
    const share = vi.fn(() => Promise.resolve())
    Object.assign(navigator, { share })
    const { user } = show()
    await user.click(screen.getByRole('button', { name: 'Share' }))
    expect(share).toHaveBeenCalledWith({ title: event.title, url })
    expect(screen.queryByText('Link copied')).not.toBeInTheDocument()
    Reflect.deleteProperty(navigator, 'share')
  })
})
