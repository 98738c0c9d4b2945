import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { homeData } from '../testing/factories'
import { renderSite } from '../testing/render'

it('the newsletter section is shown without the server’s markup, and without a warning', async () => {
  const warning = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  renderSite('/', { home: homeData(null) })
  expect(await screen.findByRole('heading', { name: "Don't Miss Upcoming Events" })).toBeVisible()
  expect(warning).not.toHaveBeenCalled()
})
