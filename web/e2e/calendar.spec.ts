import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothThemes, open } from './support/page.ts'
import { expect, test } from './support/test.ts'
import { measureUpToFiveTimes } from './support/measure.ts'

interface Listed {
  id: number
  date: string
  title: string
  type: string
}

/** The demo events from the API. */
async function listed(page: Page): Promise<Listed[]> {
  return (await (await page.request.get('/api/events')).json()) as Listed[]
}

/** The events of the month that is `months` after this one. */
async function ofMonth(page: Page, months = 0): Promise<Listed[]> {
  const now = new Date()
  const month = new Date(now.getFullYear(), now.getMonth() + months, 1)
  const prefix = `${month.getFullYear()}-${String(month.getMonth() + 1).padStart(2, '0')}`
  return (await listed(page)).filter(({ date }) => date.startsWith(prefix))
}

/** The button of an event, in the grid or in the list. */
const eventButton = (page: Page, { title }: Listed) =>
  page.locator('#calendar').getByRole('button', { name: title })

/** Goes three months ahead, whose events are not in the page. */
async function goFar(page: Page, path: string): Promise<void> {
  await page.goto(path)
  for (let month = 0; month < 3; month++) {
    await page.getByRole('button', { name: 'Next month' }).first().click()
  }
}

test('I see this month’s events without another request', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto('/')
  const [first] = await ofMonth(page)
  if (!first) throw new Error('The demo has no event in this month')
  await expect(page.getByRole('table').getByRole('button', { name: first.title })).toBeVisible()
  expect(requests).not.toContain('/api/events')
})

test('I go to any month', async ({ page }) => {
  await goFar(page, '/')
  for (const event of await ofMonth(page, 3)) {
    await expect(eventButton(page, event)).toBeVisible()
  }
  await page.getByRole('button', { name: 'Today' }).click()
  await expect(page.locator('td[aria-current=date]')).toHaveCount(1)
})

test('I move through the month with the keyboard and open an event', async ({ page }) => {
  await page.goto('/')
  const events = page.getByRole('table').locator('button[data-event]')
  await events.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(events.nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(events.last()).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { level: 2 })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(events.first()).toBeFocused()
})

test('the week and the day scroll to the first event', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Week', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Week', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(page.getByRole('group', { name: /^Sunday, / })).toBeAttached()
  await page.getByRole('button', { name: 'Day', exact: true }).click()
  const scrolled = await page.locator('.rbc-time-content').evaluate((box) => box.scrollTop)
  expect(scrolled).toBeGreaterThan(300)
})

test('when events cannot be loaded I try again', async ({ page, quietConsole }) => {
  quietConsole.expectProblem(/503/)
  await page.route('**/api/events', (route) => route.fulfill({ status: 503, body: '{}' }), {
    times: 1,
  })
  await goFar(page, '/calendar')
  await expect(page.getByText('Unable to load events')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('table')).toBeVisible()
})

test('without a connection I see a message, and the events return with it', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('table')).toBeVisible()
  await page.context().setOffline(true)
  for (let month = 0; month < 3; month++) {
    await page.getByRole('button', { name: 'Next month' }).click()
  }
  await expect(page.locator('#calendar').getByText('You are offline')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('table')).toBeVisible()
})

test(
  'a month changes without delay, even with hundreds of events',
  { tag: '@speed' },
  async ({ page }) => {
    const events = await listed(page)
    const many = Array.from({ length: 500 }, (_, index) => ({
      ...events[index % events.length],
      id: 10_000 + index,
      date: new Date(Date.now() + (index % 90) * 86_400_000).toISOString().slice(0, 10),
    }))
    await page.route('**/api/events', (route) => route.fulfill({ json: many }))
    await goFar(page, '/calendar')
    const slowest = await measureUpToFiveTimes(100, async () => {
      await page.getByRole('button', { name: 'Today' }).click()
      await expect(page.getByRole('table')).toBeVisible()
      const times = await page.evaluate(async () => {
        const next = document.querySelector<HTMLElement>('[aria-label="Next month"]')
        const durations: number[] = []
        for (let step = 0; step < 3; step++) {
          const start = performance.now()
          next?.click()
          await new Promise(requestAnimationFrame)
          await new Promise((resolve) => setTimeout(resolve))
          durations.push(performance.now() - start)
          await new Promise((resolve) => setTimeout(resolve, 300))
        }
        return durations
      })
      return Math.max(...times)
    })
    expect(Math.min(...slowest), `in ms: ${slowest.join(', ')}`).toBeLessThan(100)
  },
)

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('I get the list and never load the grid', async ({ page }) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto('/')
    const [first] = await ofMonth(page)
    if (!first) throw new Error('The demo has no event in this month')
    await expect(eventButton(page, first)).toBeVisible()
    await expect(page.getByRole('table')).toBeHidden()
    await eventButton(page, first).click()
    await expect(page.getByRole('dialog', { name: first.title })).toBeVisible()
    expect(requests.filter((url) => url.includes('/assets/calendar-grid-'))).toEqual([])
  })
})

for (const width of [390, 1440]) {
  test(`the calendar is accessible at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await open(page, '/calendar')
    await expect(page.getByText(/events? shown$/)).toBeAttached()
    await expectAccessibleInBothThemes(page)
    if (width < 769) return

    for (const view of ['Week', 'Day']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      await expectAccessibleInBothThemes(page)
    }
  })
}
