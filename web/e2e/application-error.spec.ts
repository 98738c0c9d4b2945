import type { Page } from '@playwright/test'
import { expectAccessible } from './support/page.ts'
import { expect, test } from './support/test.ts'

const corruptions = {
  'that is cut off': (html: string) =>
    html.replace(/(id="initial-data"[^>]*>.{40}).*?<\/script>/s, '$1</script>'),
  'that is missing': (html: string) => html.replace('id="initial-data"', 'id="gone"'),
  'of another shape': (html: string) =>
    html.replace(/(id="initial-data"[^>]*>).*?<\/script>/s, '$1{}</script>'),
}

async function corruptPage(page: Page, path: string, corrupt: (html: string) => string) {
  await page.route(path, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: corrupt(await response.text()) })
  })
}

test('a page without markup and with data that it can’t use reports that it could not start', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/./)
  for (const corrupt of Object.values(corruptions)) {
    await corruptPage(page, '/admin/login', corrupt)
    await page.goto('/admin/login')
    await expect(page.getByRole('heading', { name: 'Application Error' })).toBeVisible()
    await expect(
      page.getByText(
        'Sorry, there was a problem starting the application. Please try again later.',
      ),
    ).toBeVisible()
    if (corrupt === corruptions['that is missing']) await expectAccessible(page)

    await page.unroute('/admin/login')
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  }
})

test('a public page with data that is cut off or missing stays readable, and its links work', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/The application could not start/)
  for (const what of ['that is cut off', 'that is missing'] as const) {
    const problem = page.waitForEvent('console', (message) =>
      message.text().includes('The application could not start'),
    )
    await corruptPage(page, '/', corruptions[what])
    await page.goto('/')
    await problem
    await expect(page.getByRole('region', { name: 'Next Event' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Application Error' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Your Company, home' }).first().click()
    await expect(page.getByRole('region', { name: 'Next Event' })).toBeVisible()
    await page.unroute('/')
  }
})

test('a public page whose script fails to load stays readable', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_FAILED/)
  await page.route('**/assets/index-*.js', (route) => route.abort())
  await page.goto('/calendar')
  await expect(page.getByRole('heading', { name: 'Events Calendar' })).toBeVisible()
  await page.getByRole('link', { name: 'Your Company, home' }).first().click()
  await expect(page.getByRole('region', { name: 'Next Event' })).toBeVisible()
})

test('a page without the server’s markup works when its script has loaded', async ({ page }) => {
  // As the server sends it when the renderer fails: the initial data, and neither markup nor the script for taps.
  for (const path of ['/', '/calendar']) {
    await corruptPage(page, path, (html) =>
      html
        .replace(/(<div id="root">).*(<\/div>\s*<script type="application\/json")/s, '$1$2')
        .replace(/<script>.*?<\/script>/s, ''),
    )
    await page.goto(path)
    await page.getByRole('link', { name: 'Next month' }).first().click()
    await expect(page).toHaveURL(/month=/)
    await page.getByRole('link', { name: 'Search events' }).click()
    await expect(page.getByRole('combobox', { name: 'Search events' })).toBeFocused()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Week' }).click()
    await expect(page.getByRole('group', { name: /^Sunday, / })).toBeAttached()
    await expectAccessible(page)
  }
})
