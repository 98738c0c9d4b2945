import { expectAccessible } from './support/page.ts'
import { expect, test } from './support/test.ts'

const broken = {
  'that is cut off': (html: string) =>
    html.replace(/(id="first-data"[^>]*>.{40}).*?<\/script>/s, '$1</script>'),
  'that is missing': (html: string) => html.replace('id="first-data"', 'id="gone"'),
  'of another shape': (html: string) =>
    html.replace(/(id="first-data"[^>]*>).*?<\/script>/s, '$1{}</script>'),
}

for (const [what, breakIt] of Object.entries(broken)) {
  test(`a page with data ${what} reports that it could not start`, async ({
    page,
    quietConsole,
  }) => {
    quietConsole.expectProblem(/./)
    await page.route('/', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: breakIt(await response.text()) })
    })
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Application Error' })).toBeVisible()
    await expect(
      page.getByText(
        'Sorry, there was a problem starting the application. Please try again later.',
      ),
    ).toBeVisible()
    await expectAccessible(page)

    await page.unroute('/')
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(page.getByRole('region', { name: 'Next Event' })).toBeVisible()
  })
}
