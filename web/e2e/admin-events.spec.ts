import { daysFromToday } from './support/event-data.ts'
import { measureUpToFiveTimes } from './support/measure.ts'
import { expectAccessibleEverywhere, open } from './support/page.ts'
import {
  addEvent,
  addEvents,
  button,
  card,
  find,
  openEvents,
  speakerOption,
  signIn,
} from './support/portal.ts'
import { expect, expectToast, test } from './support/test.ts'

test('I delete an event and restore it', async ({ page, adminApi }) => {
  await addEvent(adminApi, 'Deleted by mistake')
  await openEvents(page, adminApi, '?q=deleted+by+mistake')
  await button(page, 'Delete Deleted by mistake').click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete Event' })
  await expect(dialog).toContainText(
    'Are you sure you want to delete "Deleted by mistake"? This action cannot be undone.',
  )
  await expect(button(dialog, 'Cancel')).toBeFocused()
  await button(dialog, 'Delete').click()
  await expectToast(page, 'Event deleted successfully')
  await expect(card(page, 'Deleted by mistake')).toBeHidden()
  // No other event matches the search, so no other card can have the focus.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await button(page, 'Undo').click()
  await expect(card(page, 'Deleted by mistake')).toBeVisible()
  await expectToast(page, 'Event restored successfully')
})

test('I restore an event long after its deletion', async ({ page, adminApi, consoleMessages }) => {
  const id = await addEvent(adminApi, 'Deleted last week')
  await adminApi.delete(`/api/events/${id}`)
  await openEvents(page, adminApi, '?q=investor')
  await page.getByRole('link', { name: 'Recently deleted' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Recently Deleted' })).toBeFocused()
  await expect(page).toHaveTitle(/^Recently Deleted/)
  await page.reload()
  await expect(page).toHaveTitle(/^Recently Deleted/)
  const row = page.getByRole('listitem').filter({ hasText: 'Deleted last week' })
  await expect(row).toContainText(/Deleted by admin@example\.com, .+Deleted for good on /)
  consoleMessages.allow(/410 .*\/events\/\d+$/)
  const visitor = await page.context().newPage()
  await open(visitor, `/events/${id}`)
  await expect(visitor.getByRole('heading', { name: 'This event was deleted' })).toBeVisible()

  await button(row, 'Restore Deleted last week').click()
  await expectToast(page, 'Event restored successfully')
  await expect(row).toBeHidden()
  await open(visitor, `/events/${id}`)
  await expect(visitor.getByRole('heading', { name: 'Deleted last week' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('searchbox', { name: 'Find' })).toHaveValue('investor')
  await expect(page.getByRole('link', { name: 'Recently deleted' })).toBeFocused()
})

test('I repeat an event on other dates', async ({ page, adminApi }) => {
  await addEvent(adminApi, 'Every week')
  await openEvents(page, adminApi, '?q=every+week')
  await button(page, 'Duplicate Every week').click()
  const dialog = page.getByRole('dialog', { name: 'Duplicate Event' })
  await expect(dialog.getByLabel('Date')).toHaveValue(daysFromToday(8))
  await button(dialog, 'Add Another Week').click()
  await button(dialog, 'Add Another Week').click()
  await button(dialog, 'Create 3 Events').click()
  await expectToast(page, '3 events created successfully')
  await expect(card(page, 'Every week')).toHaveCount(4)
})

test('I find events by speaker, type and time, and a link finds them again', async ({
  page,
  adminApi,
}) => {
  await addEvent(adminApi, 'The needle')
  await openEvents(page, adminApi)
  await find(page, 'needle')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByText('1 event found')).toBeVisible()
  await expect(page).toHaveURL(/[?&]q=needle/)
  await page.reload()
  await expect(page.getByRole('searchbox', { name: 'Find' })).toHaveValue('needle')
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByLabel('Show', { exact: true }).selectOption('Past')
  await expect(page.getByText('No events match.')).toBeVisible()
  await button(page, 'Show All Events').click()
  await expect(page.getByRole('article')).toHaveCount(6)
  await button(page, 'Next page').click()
  await expect(page.getByText(/^Page 2 of \d+$/)).toBeVisible()
})

test(
  'the portal shows and filters two thousand events without delay',
  { tag: '@speed' },
  async ({ page, adminApi }) => {
    const days = Array.from({ length: 100 }, (_, index) => daysFromToday(index - 50))
    for (const letter of 'abcdefghijklmnopqrst') {
      await addEvents(adminApi, `Group ${letter.repeat(4)}`, days)
    }
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector('article')) return
        performance.mark('cards')
        observer.disconnect()
      }).observe(document, { childList: true, subtree: true })
    })
    const opening = await measureUpToFiveTimes(300, async () => {
      await openEvents(page, adminApi)
      await expect(page.getByText(/^Page 1 of 33\d$/)).toBeVisible()
      return page.evaluate(() => {
        const isList = ({ name }: PerformanceEntry) => name.includes('/api/events/portal?')
        const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
        const request = Math.min(...entries.filter(isList).map(({ startTime }) => startTime))
        return (performance.getEntriesByName('cards')[0]?.startTime ?? Infinity) - request
      })
    })
    expect(Math.min(...opening), `in ms: ${opening.join(', ')}`).toBeLessThan(300)

    const filtering = await measureUpToFiveTimes(100, async () => {
      await page.getByRole('searchbox', { name: 'Find' }).fill('')
      await expect(page.getByText(/^2,\d{3} events$/)).toBeVisible()
      await page.evaluate(() => {
        document.querySelector('[type="search"]')?.addEventListener('input', () => {
          performance.clearMarks()
          performance.mark('typed')
        })
        new MutationObserver((_, observer) => {
          if (!document.body.textContent.includes('100 events found')) return
          performance.mark('found')
          observer.disconnect()
        }).observe(document, { childList: true, subtree: true, characterData: true })
      })
      await page.getByRole('searchbox', { name: 'Find' }).fill('group qqqq')
      await expect(page.getByText('100 events found')).toBeVisible()
      return page.evaluate(() => performance.measure('filter', 'typed', 'found').duration)
    })
    expect(Math.min(...filtering), `in ms: ${filtering.join(', ')}`).toBeLessThan(100)
  },
)

test.describe('at both sizes and in both themes', () => {
  test('the list and its dialogs are accessible', async ({ page, adminApi }) => {
    await addEvent(adminApi, 'For all to read')
    await openEvents(page, adminApi)
    await expectAccessibleEverywhere(page)
    await button(page, /^Delete /)
      .first()
      .click()
    await expectAccessibleEverywhere(page)
    await page.keyboard.press('Escape')
    await button(page, /^Duplicate /)
      .first()
      .click()
    await expectAccessibleEverywhere(page)
  })

  test('the deleted events are accessible', async ({ page, adminApi }) => {
    await signIn(page, adminApi)
    await open(page, '/admin?view=deleted')
    await page
      .getByText('No events were deleted in the last 30 days.')
      .or(page.getByRole('listitem').first())
      .waitFor()
    await expectAccessibleEverywhere(page)
    for (const title of ['Gone too soon', `A title of ${'many '.repeat(30)}words`]) {
      const id = await addEvent(adminApi, title)
      await adminApi.delete(`/api/events/${id}`)
    }
    await page.reload()
    await expect(button(page, 'Restore Gone too soon')).toBeVisible()
    await expectAccessibleEverywhere(page)
  })

  test('the form, its errors and its options are accessible', async ({ page, adminApi }) => {
    await openEvents(page, adminApi, '?event=new')
    await button(page, 'Create Event').click()
    await page.getByLabel('Event type').selectOption('In-Person Events')
    await expectAccessibleEverywhere(page)
    await page.getByRole('combobox', { name: 'Add a speaker or host' }).click()
    await expect(speakerOption(page)).toBeVisible()
    await expectAccessibleEverywhere(page)
  })
})
