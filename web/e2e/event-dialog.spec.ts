import type { Page } from '@playwright/test'
import {
  expectAccessibleInBothThemes,
  open,
  showMonthOfDay,
  waitForAnimations,
} from './support/page.ts'
import { addInPersonEvent, addWebinar } from './support/event-data.ts'
import { expect, test, withMotion } from './support/test.ts'

test.use({ ...withMotion, data: 'empty' })
test.describe.configure({ mode: 'serial' })

const inPerson = 'Property walk and dinner'
const online = 'Reading an operating agreement'

/** Opens the calendar at the month of tomorrow's events. */
async function openCalendar(page: Page): Promise<void> {
  await open(page, '/calendar')
  await showMonthOfDay(page, 1)
}

test('I close an event with Escape, beside it, with its buttons and with Back', async ({
  page,
  adminApi,
}) => {
  await addWebinar(adminApi, online)
  await addInPersonEvent(adminApi, inPerson)
  const opener = page.locator('#calendar').getByRole('link', { name: new RegExp(`^${online}`) })
  const dialog = page.getByRole('dialog')
  const methods = [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(8, 300),
    () => dialog.getByRole('button', { name: 'Close', exact: true }).click(),
    () => dialog.getByRole('button', { name: 'Close dialog' }).click(),
    () => page.goBack(),
  ]
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page, '/')
  await page.getByRole('banner').getByRole('link', { name: 'Calendar' }).click()
  await expect(page).toHaveURL(/#calendar$/)
  await showMonthOfDay(page, 1)
  await waitForAnimations(page)
  for (const close of methods) {
    await page.evaluate(() => {
      window.scrollBy({ top: -40, behavior: 'instant' })
    })
    await opener.click()
    await expect(dialog).toBeVisible()
    const position = await page.evaluate(() => window.scrollY)
    await close()
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()
    await expect(page.locator('dialog')).toHaveCount(0)
    expect(await page.evaluate(() => window.scrollY)).toBe(position)
  }
})

test('my attendance on the calendar also shows on the home page', async ({ page }) => {
  await openCalendar(page)
  await page.getByRole('link', { name: new RegExp(`^${inPerson}`) }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('0 investors attending')).toBeVisible()
  await dialog.getByRole('button', { name: 'Planning to Attend' }).dblclick()
  await expect(dialog.getByRole('status').getByText('Interest indicated')).toBeVisible()
  await expect(dialog.getByText('1 investor attending')).toBeVisible()
  await expect(dialog.getByRole('button', { name: "Can't Attend" })).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Close', exact: true })).toBeVisible()

  await page.goto('/')
  const card = page.getByRole('region', { name: 'Next Event' })
  await expect(card.getByRole('button', { name: "Can't Attend" })).toBeVisible()
  await expect(card.getByText('1 investor attending')).toBeVisible()
})

test('a message is above the open event, where I can dismiss it', async ({ page }) => {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openCalendar(page)
    await page.getByRole('link', { name: new RegExp(inPerson) }).click()
    const dialog = page.getByRole('dialog')
    const toggle = dialog.getByRole('button', { name: /^(Planning to|Can't) Attend$/ })
    await expect(dialog.getByText(/attending/)).toBeVisible()
    await toggle.click()
    const dismiss = dialog.getByRole('button', { name: 'Dismiss' })
    // The focus stops the timer of the message.
    await dismiss.focus()
    const toast = await dialog.getByRole('status').filter({ hasText: 'Interest' }).boundingBox()
    for (const other of [toggle, dialog.getByRole('button', { name: 'Close dialog' })]) {
      const box = await other.boundingBox()
      if (!toast || !box) throw new Error('The message or a button is not there')
      const isApart =
        toast.y + toast.height <= box.y ||
        box.y + box.height <= toast.y ||
        toast.x + toast.width <= box.x ||
        box.x + box.width <= toast.x
      expect(isApart, `the message and the button at ${String(width)} px`).toBe(true)
    }
    await dismiss.click()
    await expect(dismiss).toBeHidden()
  }
})

test('an open event is printed alone and in full', async ({ page }) => {
  await openCalendar(page)
  await page.getByRole('link', { name: new RegExp(`^${inPerson}`) }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/attending/)).toBeVisible()
  await page.setViewportSize({ width: 794, height: 300 })
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' })
  for (const text of ['The Arcadia House at Camelback Park and Gardens', 'Dr. Ada Okafor']) {
    await expect(dialog.getByText(text)).toBeVisible()
  }
  await expect(page.getByRole('contentinfo')).toBeHidden()
  await expect(dialog.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
  const box = await dialog.boundingBox()
  expect(box).toMatchObject({ x: 0, width: 794 })
  const cut = await dialog.evaluate((root) =>
    Array.from(root.querySelectorAll('*'), (element) => element)
      .filter((element) => !element.matches('.visually-hidden, .visually-hidden *'))
      .filter((element) => element.scrollHeight > element.clientHeight + 1)
      .filter((element) => getComputedStyle(element).overflow !== 'visible')
      .map((element) => element.outerHTML),
  )
  expect(cut).toEqual([])
})

test('I get directions from the dialog on a phone', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 390, height: 844 })
  await openCalendar(page)
  await page.getByRole('link', { name: new RegExp(inPerson) }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await waitForAnimations(page)
  const size = await dialog.boundingBox()
  expect(size).toMatchObject({ x: 0, y: 0, width: 390 })
  await dialog.getByRole('button', { name: 'Get Directions' }).click()
  await expect(dialog.getByRole('link', { name: /^Open in Apple Maps/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('link', { name: /^Open in Apple Maps/ })).toBeHidden()
  await expect(dialog).toBeVisible()
})

test('the dialogs are accessible on a phone and on a desktop, and fit the narrowest one', async ({
  page,
}) => {
  for (const title of [inPerson, online]) {
    await openCalendar(page)
    await page.getByRole('link', { name: new RegExp(title) }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const isWide = await dialog
        .getByRole('group', { name: 'Event details' })
        .evaluate((box) => box.scrollWidth > box.clientWidth)
      expect(isWide, `${title} at ${String(width)} px`).toBe(false)
      if (width > 320) await expectAccessibleInBothThemes(page)
    }
  }
})
