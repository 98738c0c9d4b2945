import type { Page } from '@playwright/test'
import { anItem, type FakeBrandlive, startFakeBrandlive } from './support/fake-brandlive.ts'
import { expectAccessibleEverywhere, showMonthOfDay } from './support/page.ts'
import { button, card, openEvents, speakerOption } from './support/portal.ts'
import { expect, expectToast, test as base } from './support/test.ts'

const test = base.extend<object, { provider: FakeBrandlive }>({
  provider: [
    // eslint-disable-next-line no-empty-pattern -- Playwright requires the pattern.
    async ({}, use) => {
      const provider = await startFakeBrandlive()
      await use(provider)
      provider.stop()
    },
    { scope: 'worker' },
  ],
  config: async ({ provider }, use) => use(provider.config),
})

// Each test continues with the events of the previous one.
test.describe.configure({ mode: 'serial' })

const names = ['Reading a rent roll', 'Asking a sponsor', 'Counting the fees', 'Leaving in time']

/** Starts a sync and expects this message. */
async function sync(page: Page, message: string): Promise<void> {
  await button(page, 'Sync Brandlive Events').click()
  await expectToast(page, message)
  await expect(button(page, 'Sync Brandlive Events')).toBeVisible()
}

test('a sync creates events, marks them as Brandlive’s and shows them to visitors', async ({
  page,
  adminApi,
  provider,
}) => {
  provider.items = names.map((name, index) => anItem(`item-${index}`, name))
  await openEvents(page, adminApi, '?q=rent+roll')
  await sync(page, '4 created, 0 updated, 0 unchanged')
  await expect(card(page, 'Reading a rent roll').getByText('Brandlive')).toBeVisible()
  await sync(page, '0 created, 0 updated, 4 unchanged')
  await page.goto('/calendar')
  await showMonthOfDay(page, 5)
  await expect(page.getByRole('link', { name: /Asking a sponsor|more/ }).first()).toBeVisible()
})

test('my change stays until I reset the field to Brandlive', async ({
  page,
  adminApi,
  provider,
}) => {
  await openEvents(page, adminApi, '?q=rent+roll')
  await button(page, 'Edit Reading a rent roll').click()
  await expect(page.getByText('Every field follows Brandlive.')).toBeVisible()
  await page.getByLabel('Title').fill('Reading our rent roll')
  await page.getByRole('combobox', { name: 'Add a speaker or host' }).click()
  await speakerOption(page).click()
  await button(page, 'Update Event').click()
  await expectToast(page, 'Event updated successfully')

  const [first, ...others] = provider.items
  if (!first) throw new Error('The first test did not run')
  provider.items = [{ ...first, name: 'Reading their rent roll', summary: 'Theirs.' }, ...others]
  await sync(page, '0 created, 1 updated, 3 unchanged')
  await expect(card(page, 'Reading our rent roll').getByText('Theirs.')).toBeVisible()

  await button(page, 'Edit Reading our rent roll').click()
  await expect(page.getByText('Brandlive says: Reading their rent roll')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await button(page, 'Reset to Brandlive: Title').click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Reading their rent roll')
  await expect(page.getByText('Follows Brandlive again once you save.')).toBeVisible()
  await button(page, 'Update Event').click()
  await expectToast(page, 'Event updated successfully')

  provider.items = [first, ...others]
  await sync(page, '0 created, 1 updated, 3 unchanged')
  await expect(card(page, 'Reading a rent roll')).toBeVisible()
})

test('a cancelled event is hidden from visitors and marked in the portal', async ({
  page,
  adminApi,
  provider,
}) => {
  const [first, ...others] = provider.items
  if (!first) throw new Error('The first test did not run')
  provider.items = [{ ...first, status: 'cancelled' }, ...others]
  await openEvents(page, adminApi, '?q=rent+roll')
  await sync(page, '1 hidden')
  const hidden = card(page, 'Reading a rent roll')
  await expect(hidden.getByText('Hidden', { exact: true })).toBeVisible()
  await expectAccessibleEverywhere(page)
  const listed = (await (await page.request.get('/api/events')).json()) as { title: string }[]
  expect(listed.map(({ title }) => title)).not.toContain('Reading a rent roll')

  await page.getByLabel('Show', { exact: true }).selectOption('Hidden')
  await expect(page.getByRole('article')).toHaveCount(1)
  await button(page, 'Edit Reading a rent roll').click()
  await expect(
    page.getByText(/^Hidden: cancelled or no longer listed by Brandlive since/),
  ).toBeVisible()
})

test('when Brandlive fails I see an error, and nothing changes', async ({
  page,
  adminApi,
  provider,
  consoleMessages,
}) => {
  consoleMessages.allow(/502/)
  provider.status = 401
  await openEvents(page, adminApi)
  const before = await (await adminApi.get('/api/events')).text()
  await button(page, 'Sync Brandlive Events').click()
  await expectToast(page, /^Error.*Brandlive.*\./)
  expect(await (await adminApi.get('/api/events')).text()).toBe(before)
})
