import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderComponent } from '../testing/render'
import { NoticeBar } from './notice-bar'

const baseUrl = 'https://events.example.com'
const notice = (url: string) => ({ id: 'n1', text: 'We moved.', link: { label: 'See where', url } })

it('a link to this site opens here, and one to another site in a new tab', () => {
  for (const url of [baseUrl, `${baseUrl}/calendar`]) {
    const { unmount } = renderComponent(<NoticeBar notice={notice(url)} baseUrl={baseUrl} />)
    expect(screen.getByRole('link', { name: 'See where' })).not.toHaveAttribute('target')
    unmount()
  }
  for (const url of ['https://example.com/', `${baseUrl}.example.org/`]) {
    const { unmount } = renderComponent(<NoticeBar notice={notice(url)} baseUrl={baseUrl} />)
    const link = screen.getByRole('link', { name: /^See where ?\(opens in a new tab\)$/ })
    expect(link).toHaveAttribute('href', url)
    unmount()
  }
})

it('is remembered as dismissed, by its id', async () => {
  const { user } = renderComponent(
    <NoticeBar notice={{ id: 'n1', text: 'We moved.', link: null }} baseUrl={baseUrl} />,
  )
  await user.click(screen.getByRole('button', { name: 'Dismiss this notice' }))
  expect(localStorage.getItem('lectern.notice')).toBe('n1')
  expect(document.documentElement.dataset.notice).toBe('dismissed')
  delete document.documentElement.dataset.notice
})
