import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderComponent } from '../../testing/render'
import { NewsletterBlock } from './newsletter-block'

const form = {
  scriptUrl: 'https://forms.example.com/embed.js',
  containerId: 'embed-here',
  attributes: { 'data-form-id': '42' },
}
const message = 'The form could not be loaded.'

const script = () => document.querySelector<HTMLScriptElement>('script[src]')
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('without a form', () => {
  it('offers an email link', () => {
    renderComponent(<NewsletterBlock subscriptions={null} form={null} email="hello@example.com" />)
    const region = within(screen.getByRole('region', { name: "Don't Miss Upcoming Events" }))
    expect(region.getByText('Subscribe to Hear About New Events')).toBeVisible()
    expect(region.getByRole('link', { name: 'Ask to be told about new events' })).toHaveAttribute(
      'href',
      'mailto:hello@example.com?subject=New%20events',
    )
  })

  it('shows no link without an email address', () => {
    renderComponent(<NewsletterBlock subscriptions={<p>Other ways</p>} form={null} email="" />)
    expect(screen.getByText('Other ways')).toBeVisible()
    expect(screen.queryByRole('link')).not.toBeInTheDocument()
  })
})

describe('with a form', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  const show = async () => {
    const view = renderComponent(<NewsletterBlock subscriptions={null} form={form} email="" />)
    await vi.waitFor(() => {
      expect(script()).not.toBeNull()
    })
    return view
  }
  const fill = () =>
    act(async () => {
      document.getElementById(form.containerId)?.append(document.createElement('form'))
      await Promise.resolve()
    })

  it('loads the script into its container and shows the form', async () => {
    await show()
    expect(screen.getByText('Loading the form...')).toBeInTheDocument()
    expect(script()).toHaveAttribute('src', form.scriptUrl)
    expect(document.getElementById('embed-here')).toHaveAttribute('data-form-id', '42')

    await fill()
    expect(screen.queryByText('Loading the form...')).not.toBeInTheDocument()
    await pass(10_000)
    expect(screen.queryByText(message)).not.toBeInTheDocument()
  })

  it('shows an error after 8 seconds and retries', async () => {
    const { container } = await show()
    await pass(7_900)
    expect(screen.queryByText(message)).not.toBeInTheDocument()
    await pass(200)
    expect(screen.getByText(message)).toBeVisible()

    const first = script()
    act(() => {
      screen.getByRole('button', { name: 'Try Again' }).click()
    })
    expect(screen.getByText('Loading the form...')).toBeInTheDocument()
    expect(container.querySelectorAll('script')).toHaveLength(1)
    expect(script()).not.toBe(first)
    expect(script()).toHaveAttribute('src', `${form.scriptUrl}?attempt=2`)
    await fill()
    expect(screen.queryByText(message)).not.toBeInTheDocument()
  })

  it('shows an error at once if the script fails, and shows a form that loads late', async () => {
    await show()
    act(() => {
      script()?.dispatchEvent(new Event('error'))
    })
    expect(screen.getByText(message)).toBeVisible()
    await fill()
    expect(screen.queryByText(message)).not.toBeInTheDocument()
  })

  it('loads nothing until the visitor scrolls near', () => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe = vi.fn()
        disconnect = vi.fn()
      },
    )
    renderComponent(<NewsletterBlock subscriptions={null} form={form} email="" />)
    expect(script()).toBeNull()
    expect(screen.getByText('Loading the form...')).toBeInTheDocument()
  })
})
