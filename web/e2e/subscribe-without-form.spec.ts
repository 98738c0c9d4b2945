import { open } from './support/page.ts'
import { expect, test } from './support/test.ts'

test('without a form I am offered a letter', async ({ page }) => {
  await open(page, '/#subscribe')
  const block = page.getByRole('region', { name: "Don't Miss Upcoming Events" })
  await expect(block).toBeInViewport()
  await expect(block.getByText('Subscribe to Hear About New Events')).toBeVisible()
  await expect(
    block.getByRole('link', { name: 'Ask to be told about new events' }),
  ).toHaveAttribute('href', /^mailto:hello@example\.com/)
})
