import { addInPersonEvent, addWebinar, daysFromToday } from './support/event-data.ts'
import { expectNoSidewaysScroll, showMonthOfDay } from './support/page.ts'
import { addEvent } from './support/portal.ts'
import { expect, test } from './support/test.ts'

test.use({ data: 'empty' })
test.describe.configure({ mode: 'serial' })

const online = 'Reading an operating agreement'
const inPerson = 'Property walk and dinner'

/** The month of a day, yyyy-MM-dd, as its heading names it. */
const monthName = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

test.describe('without scripts', () => {
  test.beforeEach(async ({ adminApi }) => {
    const events = (await (await adminApi.get('/api/events')).json()) as unknown[]
    if (events.length > 0) return
    await addWebinar(adminApi, online)
    await addInPersonEvent(adminApi, inPerson)
    for (let number = 1; number <= 5; number += 1) {
      await addEvent(adminApi, `Reading number ${number}`, { date: daysFromToday(70) })
    }
  })
  test.use({ javaScriptEnabled: false })

  for (const width of [390, 1440]) {
    test(`I read everything and change the month, ${width} px wide`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/')
      const card = page.getByRole('region', { name: 'Next Event' })
      await expect(card.getByRole('heading', { name: inPerson })).toBeVisible()
      await expect(card.getByText('4400 North 64th Street')).toBeVisible()
      await expect(page.getByRole('contentinfo').getByText('Your Company').first()).toBeVisible()
      await expectNoSidewaysScroll(page)

      // Each month is a page, until the one in which a day has more events than its cell shows.
      await page.getByRole('link', { name: 'Calendar', exact: true }).first().click()
      const far = daysFromToday(70)
      const heading = page.getByRole('heading', { name: /^[A-Z][a-z]+ \d{4}$/ })
      await expect(heading).toBeVisible()
      for (let step = 0; (await heading.innerText()) !== monthName(far) && step < 4; step += 1) {
        await page.getByRole('link', { name: 'Next month' }).first().click()
        await expect(page).toHaveURL(/\/\?month=\d{4}-\d\d#calendar$/)
      }
      await expect(heading).toHaveText(monthName(far))
      const readings = page.getByRole('link', { name: /^Reading number \d/ })
      if (width > 768) await page.getByRole('link', { name: /^\+\d more/ }).click()
      await expect(readings).toHaveCount(5)
      await expectNoSidewaysScroll(page)

      await page.goto('/calendar')
      await showMonthOfDay(page, 1)
      await page.getByRole('link', { name: new RegExp(`^${online}`) }).click()
      await expect(page.getByRole('heading', { level: 1, name: online })).toBeVisible()
      await expect(page.getByText('See how it is done, then ask whatever you like.')).toBeVisible()
      await expect(page.getByText('Dr. Ada Okafor').first()).toBeVisible()
      await expect(page.getByRole('link', { name: /^Register Now/ })).toBeVisible()
      await expectNoSidewaysScroll(page)
    })
  }

  test('a month after the last event leads me back to it', async ({ page }) => {
    await page.goto('/calendar?month=2099-06')
    await expect(page.getByText('No events scheduled this month')).toBeVisible()
    await page.getByRole('link', { name: /^Last event: Reading number 5, / }).click()
    await expect(page.getByRole('heading', { name: monthName(daysFromToday(70)) })).toBeVisible()
  })

  test('a month of the past leads me to the next event', async ({ page }) => {
    await page.goto('/calendar?month=2009-06')
    await expect(page.getByText('No events scheduled this month')).toBeVisible()
    await page.getByRole('link', { name: `Next event: ${inPerson}` }).click()
    await expect(page.getByRole('heading', { name: monthName(daysFromToday(1)) })).toBeVisible()
  })

  test('the first and the last month lead to none that the calendar does not have', async ({
    page,
  }) => {
    for (const [month, label] of [
      ['2000-01', 'Previous month'],
      ['2099-12', 'Next month'],
    ] as const) {
      await page.goto(`/calendar?month=${month}`)
      const beyond = page.getByRole('link', { name: label })
      await expect(beyond).toHaveCount(1)
      await expect(beyond).toHaveAttribute('aria-disabled', 'true')
    }
  })

  test('the weeks of a month stay where they are while the rest of the page arrives', async ({
    page,
  }) => {
    await page.goto('/calendar')
    const weeks = page.getByRole('table').locator('tbody tr')
    const whole = await weeks.nth(1).boundingBox()
    await page.route('/calendar', async (route) => {
      const response = await route.fetch()
      const [head, first, second] = (await response.text()).split('</tr>')
      await route.fulfill({ response, body: [head, first, second].join('</tr>') })
    })
    await page.goto('/calendar')
    await expect(weeks).toHaveCount(2)
    expect(await weeks.nth(1).boundingBox()).toEqual(whole)
  })

  test('I search', async ({ page }) => {
    await page.goto('/calendar')
    await page.getByRole('link', { name: 'Search events' }).click()
    const field = page.getByRole('searchbox', { name: 'Search events' })
    await field.fill('opperating okafor')
    await field.press('Enter')
    await expect(page).toHaveURL(/\/search\?q=opperating\+okafor$/)
    await expect(page.getByText('1 event found')).toBeVisible()
    await expect(field).toHaveValue('opperating okafor')
    await page.getByRole('link', { name: new RegExp(online) }).click()
    await expect(page.getByRole('heading', { level: 1, name: online })).toBeVisible()
    await page.goto('/search?q=yoga')
    await expect(page.getByText('No events found for “yoga”.')).toBeVisible()
  })

  test('nothing is offered that needs a script', async ({ page }) => {
    await page.goto('/calendar')
    for (const view of ['Month', 'Week', 'Day']) {
      await expect(page.getByRole('button', { name: view, exact: true })).toBeHidden()
    }
    await expect(page.getByRole('combobox', { name: 'Event type' })).toBeHidden()
    await expect(page.getByRole('link', { name: 'Subscribe to this calendar' })).toHaveAttribute(
      'href',
      /calendar\.ics|#/,
    )
    await page.goto('/')
    const block = page.getByRole('region', { name: "Don't Miss Upcoming Events" })
    await expect(block.getByRole('link', { name: 'Apple Calendar' })).toBeVisible()
    await expect(block.getByRole('button')).toHaveCount(0)
    await page.goto('/embed')
    await expect(page.getByRole('link', { name: /the full calendar/ })).toBeVisible()
  })
})
