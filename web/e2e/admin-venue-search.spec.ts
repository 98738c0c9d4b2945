import { fakeMaps } from './support/fake-maps.ts'
import { expectAccessibleEverywhere } from './support/page.ts'
import { button, fillIn, openEvents } from './support/portal.ts'
import { expect, expectToast, test } from './support/test.ts'

const failed = 'Failed to load location search. Please try again or enter location manually.'

test.use({ config: '[places]\nbrowser_key = "browser-key"\n' })

test('I find a venue, and the form is filled in and linked to its place', async ({
  page,
  adminApi,
}) => {
  const maps = await fakeMaps(page)
  await openEvents(page, adminApi, '?event=new')
  await fillIn(page, 'An evening at the Arcadia')
  // Only in-person events have a venue.
  expect(maps.requests).toEqual([])
  await page.getByLabel('Event type').selectOption('In-Person Events')
  const search = page.getByRole('group', { name: 'Find a venue' }).getByRole('textbox')
  await search.fill('Nowhere')
  await search.press('Enter')
  // Enter in the search must not submit the form.
  await expect(search).toBeFocused()
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0)
  await search.fill('Arcadia')
  await search.press('Enter')
  await expect(page.getByLabel('Venue name')).toHaveValue('The Arcadia House')
  await expect(page.getByLabel('Address')).toHaveValue('4400 N 64th St, Scottsdale, AZ 85251, USA')
  await expect(page.getByLabel('City')).toHaveValue('Scottsdale')
  await expect(page.getByLabel('State')).toHaveValue('AZ')
  await expect(page.getByText('Linked to a place on the map')).toBeVisible()
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await expect(preview.frameLocator('iframe').getByText('A map')).toBeVisible()
  await expectAccessibleEverywhere(page)

  expect(maps.requests).toHaveLength(1)
  const [script] = maps.requests
  expect(`${script?.origin}${script?.pathname}`).toBe('https://maps.googleapis.com/maps/api/js')
  expect(Object.fromEntries(script?.searchParams ?? [])).toMatchObject({
    key: 'browser-key',
    libraries: 'places',
    loading: 'async',
  })
  const received = await page.evaluate(() => ({
    options: (window as { searchOptions?: unknown }).searchOptions,
    fields: (window as { fetchedFields?: unknown }).fetchedFields,
  }))
  expect(received).toEqual({
    options: { includedRegionCodes: ['us'], includedPrimaryTypes: ['establishment'] },
    fields: ['id', 'displayName', 'formattedAddress', 'addressComponents', 'location', 'photos'],
  })

  await button(page, 'Create Event').click()
  await expectToast(page, 'Event created successfully')
  const events = (await (await adminApi.get('/api/events')).json()) as { location: object | null }[]
  expect(events.map(({ location }) => location)).toContainEqual(
    expect.objectContaining({ placeId: 'arcadia-place', city: 'Scottsdale', state: 'AZ' }),
  )
})

test('a different address unlinks the place, and the original one links it again', async ({
  page,
  adminApi,
}) => {
  await fakeMaps(page)
  await openEvents(page, adminApi, '?event=new')
  await page.getByLabel('Event type').selectOption('In-Person Events')
  const search = page.getByRole('group', { name: 'Find a venue' }).getByRole('textbox')
  await search.fill('Arcadia')
  await search.press('Enter')
  const linked = page.getByText('Linked to a place on the map')
  const unlinked = page.getByText('No longer linked to the place on the map')
  await page.getByLabel('Venue name').fill('The Ballroom')
  await page.getByLabel('Address').fill('4400 N 64th St, Scottsdale, AZ 85251, USA, Floor 2')
  await expect(linked).toBeVisible()
  await page.getByLabel('Address').fill('1 Main Street')
  await expect(unlinked).toBeVisible()
  await page.getByLabel('Address').fill('4400 N 64th St, Scottsdale, AZ 85251, USA')
  await expect(linked).toBeVisible()
  await button(page, 'Unlink').click()
  await expect(linked).toBeHidden()
  page.on('dialog', (dialog) => void dialog.accept())
})

test('when the search can’t be loaded I see one message and enter the venue by hand', async ({
  page,
  adminApi,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_FAILED.*googleapis/)
  const maps = await fakeMaps(page)
  maps.mode = 'fails'
  await openEvents(page, adminApi, '?event=new')
  await page.getByLabel('Event type').selectOption('In-Person Events')
  await expectToast(page, failed)
  await expect(page.getByRole('group', { name: 'Find a venue' })).toBeHidden()
  await page.getByLabel('Venue name').fill('The Arcadia House')

  // Loading is tried again the next time.
  maps.mode = 'works'
  await page.getByLabel('Event type').selectOption('Special')
  await page.getByLabel('Event type').selectOption('In-Person Events')
  await expect(page.getByRole('group', { name: 'Find a venue' })).toBeVisible()
  await expect(page.getByLabel('Venue name')).toHaveValue('The Arcadia House')
  page.on('dialog', (dialog) => void dialog.accept())
})

test('when the search can’t start, only the console reports it', async ({
  page,
  adminApi,
  consoleMessages,
}) => {
  consoleMessages.allow(/The location search could not be started/)
  const maps = await fakeMaps(page)
  maps.mode = 'is broken'
  const warned = page.waitForEvent('console', (message) => message.type() === 'warning')
  await openEvents(page, adminApi, '?event=new')
  await page.getByLabel('Event type').selectOption('In-Person Events')
  await warned
  await expect(page.getByRole('group', { name: 'Find a venue' })).toBeHidden()
  await expect(page.getByText(failed)).toBeHidden()
  page.on('dialog', (dialog) => void dialog.accept())
})
