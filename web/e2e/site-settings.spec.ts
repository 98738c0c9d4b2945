import type { APIRequestContext, Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { daysFromToday } from './support/event-data.ts'
import { observeLayoutShifts } from './support/measure.ts'
import {
  expectAccessibleEverywhere,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  open,
  waitUntilSettled,
} from './support/page.ts'
import { addEvent, button, openPortal } from './support/portal.ts'
import { expect, expectToast, openSecondBrowser, test } from './support/test.ts'

test.use({ data: 'empty' })

/** A logo of one color, 2 by 1 pixels. */
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGM4wcAARAAHDwGRMIzpKgAAAABJRU5ErkJggg==',
  'base64',
)

/** All settings with their defaults, except for these. */
async function set(api: APIRequestContext, settings: object = {}): Promise<void> {
  expect((await api.put('/api/site-settings', { data: settings })).status()).toBe(200)
}

/** Opens the form of the site settings. */
async function edit(page: Page, api: APIRequestContext): Promise<Locator> {
  await openPortal(page, api, '?tab=cms')
  await button(page, 'Edit Company').click()
  return formOf(page)
}

async function formOf(page: Page): Promise<Locator> {
  const form = page.getByRole('form', { name: 'Edit Company' })
  await expect(form).toBeVisible()
  return form
}

async function save(page: Page): Promise<void> {
  await button(page, 'Save Changes').click()
  await expectToast(page, 'Company settings updated successfully')
  await expect(button(page, 'Edit Company')).toBeFocused()
}

const token = (page: Page, name: string) =>
  page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(name), name)

test.afterEach(async ({ adminApi }) => {
  await set(adminApi)
})

test('I rename the company, upload its logo, and visitors see both at once', async ({
  page,
  adminApi,
}) => {
  await open(page, '/')
  await expect(page.getByRole('link', { name: 'Your Company, home' }).first()).toBeVisible()

  const form = await edit(page, adminApi)
  await form.getByLabel('Company name').fill('Marlow & Reyes')
  await form.locator('input[type=file]').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: logo,
  })
  await expect(form.getByRole('textbox', { name: /^Logo/ })).toHaveValue(/^\/pictures\//)
  const preview = page.getByTestId('site-preview')
  await expect(preview.getByText('Marlow & Reyes').first()).toBeVisible()
  await expect(preview.locator('header img')).toBeVisible()
  await save(page)
  await expect(page.getByRole('link', { name: /Admin Portal of Marlow & Reyes/ })).toBeVisible()

  await open(page, '/')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Marlow & Reyes, home' })).toBeVisible()
  await expect(header.locator('img')).toHaveJSProperty('complete', true)
  expect(
    await header.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBe(2)
  await expect(page.getByRole('contentinfo')).toContainText('Marlow & Reyes')
  await expect(page).toHaveTitle('Event Calendar — Marlow & Reyes')
  expect(await (await page.request.get('/feed.xml')).text()).toContain('<title>Marlow &amp; Reyes')
  await page.goto('/admin/login')
  await expect(page.getByRole('link', { name: /Marlow & Reyes/ }).first()).toBeVisible()
})

test('a wide logo keeps its shape, and the name beside it can be read', async ({
  page,
  adminApi,
}) => {
  const name = 'Marlow & Reyes Capital Partners'
  const image = await sharp({
    create: {
      width: 600,
      height: 60,
      channels: 4,
      background: { r: 200, g: 40, b: 40, alpha: 0.5 },
    },
  })
    .png()
    .toBuffer()
  const uploaded = await adminApi.post('/api/pictures', {
    headers: { 'Content-Type': 'image/png' },
    data: image,
  })
  const { url } = (await uploaded.json()) as { url: string }
  await set(adminApi, { name, logoUrl: url })
  for (const width of [1440, 769, 480, 390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of ['/', '/admin/login']) {
      await page.goto(path)
      await page.evaluate(() => document.fonts.ready)
      await expectNoSidewaysScroll(page)
      const link = page.getByRole('banner').getByRole('link', { name: `${name}, home` })
      const text = link.getByText(name)
      // On the narrowest screens the header has only the logo.
      if (path === '/' && width < 380) {
        await expect(text).toBeHidden()
        continue
      }
      await expect(text).toBeVisible()
      const isCut = await text.evaluate(
        (span) => span.scrollWidth > span.clientWidth || span.scrollHeight > span.clientHeight + 1,
      )
      expect(isCut, `the name on ${path} at ${width} px`).toBe(false)
      const overflow = await page.evaluate(() => document.querySelector('#root > *')?.scrollWidth)
      expect(overflow, `${path} at ${width} px`).toBeLessThanOrEqual(width)
    }
    const mark = page.getByRole('banner').locator('img')
    await expect(mark).toHaveCSS('object-fit', 'contain')
    // No background of its own behind the transparent logo.
    await expect(mark).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  }
})

test('I see why a color cannot be used, choose another, and it is on the site in both themes', async ({
  page,
  adminApi,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  const form = await edit(page, adminApi)
  const light = form.getByLabel(/^Accent color, light/)
  const dark = form.getByLabel(/^Accent color, dark/)
  await light.fill('#808080')
  await expect(form.getByText('Text on it: 4.1 to 1, too low (4.5 needed)')).toBeVisible()
  await dark.fill('#1a2b3c')
  await button(page, 'Save Changes').click()
  await expect(form.getByText(/Neither dark nor white text is readable/)).toBeVisible()
  await expect(form.getByText(/hardly be seen on the backgrounds of the dark theme/)).toBeVisible()
  await expect(light).toBeFocused()
  await expectAccessibleEverywhere(page)

  await light.fill('ff8800')
  await expect(form.getByText(/Neither dark nor white text/)).toBeHidden()
  await dark.fill('#00ccff')
  const sample = page.getByTestId('site-preview').getByText('Schedule a Call')
  await expect(sample).toHaveCSS('background-color', 'rgb(255, 136, 0)')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(sample).toHaveCSS('background-color', 'rgb(0, 204, 255)')
  await save(page)
  expect(await token(page, '--primary'), 'in the portal, too').toBe('#00ccff')

  await open(page, '/')
  await expect(page.getByRole('link', { name: 'Schedule a Call' })).toHaveCSS(
    'background-color',
    'rgb(0, 204, 255)',
  )
  expect(await token(page, '--focus')).toBe('#00ccff')
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await token(page, '--accent')).toBe('#ff8800')
  await expectAccessibleInBothThemes(page)
  await page.goto('/embed?theme=dark')
  expect(await token(page, '--accent')).toBe('#00ccff')
})

test('the company’s color stays when a visitor opens an event or a week, and in the import', async ({
  page,
  adminApi,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await set(adminApi, { accentLight: '#ff8800' })
  await adminApi.post('/api/speakers', {
    data: { name: 'Ada Okafor', title: 'Host', type: 'EM Team' },
  })
  const id = await addEvent(adminApi, 'Amber evening', { date: daysFromToday(0), time: '23:30' })
  const styleSheets: string[] = []
  page.on('request', (request) => {
    if (/\/assets\/index-[^/]*\.css$/.test(request.url())) styleSheets.push(request.url())
  })
  await open(page, '/')
  await page
    .getByRole('link', { name: /^Amber evening/ })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByRole('heading').first()).toBeVisible()
  await waitUntilSettled(page)
  expect(await token(page, '--accent'), 'with a dialog').toBe('#ff8800')

  await open(page, '/calendar')
  await page.getByRole('button', { name: 'Week', exact: true }).click()
  await expect(page.getByRole('link', { name: /^Amber evening/ }).first()).toBeVisible()
  await waitUntilSettled(page)
  expect(await token(page, '--accent'), 'in the week').toBe('#ff8800')

  await openPortal(page, adminApi, '?view=import')
  expect(await token(page, '--accent'), 'in the import').toBe('#ff8800')
  expect(styleSheets, 'the main style sheet is loaded once, with the page').toEqual([])

  // Even if a style sheet of the design is loaded after the page.
  await page.evaluate(() => {
    document.head.append(document.querySelector('style')?.cloneNode(true) ?? '')
  })
  expect(await token(page, '--accent')).toBe('#ff8800')
  // Other tests expect a home page without an event.
  await adminApi.delete(`/api/events/${id}`)
})

test('I add, move and remove links of the footer with the keyboard alone', async ({
  page,
  adminApi,
}) => {
  await openPortal(page, adminApi, '?tab=cms')
  await button(page, 'Edit Company').focus()
  await page.keyboard.press('Enter')
  const form = await formOf(page)
  await expect(form.getByLabel('Company name')).toBeFocused()
  const add = form.getByRole('button', { name: 'Add a link to Who We Are' })
  await add.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Our story')
  await page.keyboard.press('Tab')
  await page.keyboard.type('example.org/story')
  await page.keyboard.press('Enter')
  const added = form.getByRole('group', { name: 'Who We Are, link 4' })
  await expect(added.getByText('Must be a valid URL')).toBeVisible()
  await expect(added.getByLabel('URL')).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.type('https://')
  await expect(added.getByText('Must be a valid URL')).toBeHidden()

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const moved = form.getByRole('group', { name: 'Who We Are, link 3' })
  await expect(moved.getByRole('button', { name: /^Move up/ })).toBeFocused()
  await expect(moved.getByLabel('Text')).toHaveValue('Our story')
  const first = form.getByRole('group', { name: 'Who We Are, link 1' })
  await first.getByRole('button', { name: /^Remove/ }).focus()
  await page.keyboard.press('Enter')
  await expect(first.getByLabel('Text')).toBeFocused()
  await expect(first.getByLabel('Text')).toHaveValue('Our Team')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Company settings updated successfully')

  await open(page, '/')
  const column = page.getByRole('navigation', { name: 'Who We Are' })
  await expect(column.getByRole('link')).toHaveText([/^Our Team/, /^Our story/, /^Contact/])
  await expect(column.getByRole('link', { name: /Our story/ })).toHaveAttribute(
    'href',
    'https://example.org/story',
  )
})

test('I empty the contact, a button and the disclaimer, and the footer leaves them out', async ({
  page,
  adminApi,
}) => {
  const form = await edit(page, adminApi)
  await form.getByLabel('Address').fill('1 Harbor Way\nPortland, ME')
  await form.getByLabel('Phone').fill('')
  await form.getByLabel('Email').fill('')
  await form.getByLabel('Schedule a Call').fill('')
  await form.getByLabel('Learn More').fill('https://example.org/more')
  await form.getByLabel('Disclaimer').fill('')
  await save(page)
  await open(page, '/')
  const footer = page.getByRole('contentinfo')
  await expect(footer.getByText('Portland, ME')).toBeVisible()
  await expect(footer.getByText('(555) 555-0100')).toHaveCount(0)
  await expect(footer.getByText('Past performance')).toHaveCount(0)
  await expect(footer.getByRole('link', { name: 'Schedule a Call' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^Learn More/ })).toHaveAttribute(
    'href',
    'https://example.org/more',
  )
})

test('I put a notice on all pages, and nothing moves when they load', async ({
  page,
  adminApi,
  browser,
  lectern,
}) => {
  const form = await edit(page, adminApi)
  await form.getByLabel('Link text').fill('See where')
  await button(page, 'Save Changes').click()
  await expect(form.getByText('A notice with a link needs a text')).toBeVisible()
  await form.getByLabel('Notice text').fill('We moved to 1 Harbor Way.')
  await form.getByLabel('Link URL').fill('https://example.org/where')
  await form.getByLabel('Show until').fill('2099-01-01T12:00')
  const preview = page.getByTestId('site-preview')
  await expect(preview.getByText('We moved to 1 Harbor Way.')).toBeVisible()
  await save(page)

  const visitor = await openSecondBrowser(browser, lectern)
  const shift = await observeLayoutShifts(visitor)
  for (const width of [320, 390, 1440]) {
    await visitor.setViewportSize({ width, height: 900 })
    for (const path of ['/', '/calendar', '/search']) {
      await visitor.goto(path)
      await waitUntilSettled(visitor)
      const notice = visitor.getByRole('complementary', { name: 'Notice' })
      await expect(notice.getByText('We moved to 1 Harbor Way.')).toBeVisible()
      await expect(notice.getByRole('link', { name: /^See where/ })).toBeVisible()
      expect(await shift(), `${path} at ${String(width)} px`).toBeLessThan(0.02)
      await expectNoSidewaysScroll(visitor)
    }
  }
  await expectAccessibleEverywhere(visitor)
  await visitor.close()
})

test('a visitor dismisses the notice, sees the next one, and none whose time is over', async ({
  page,
  adminApi,
}) => {
  await set(adminApi, { noticeText: 'We moved.' })
  await open(page, '/')
  const notice = page.getByRole('complementary', { name: 'Notice' })
  await notice.getByRole('button', { name: 'Dismiss this notice' }).focus()
  await page.keyboard.press('Enter')
  await expect(notice).toBeHidden()

  const shift = await observeLayoutShifts(page)
  await page.goto('/calendar')
  await waitUntilSettled(page)
  await expect(notice).toBeHidden()
  expect(await shift()).toBeLessThan(0.02)

  await set(adminApi, { noticeText: 'We moved again.' })
  await open(page, '/')
  await expect(notice.getByText('We moved again.')).toBeVisible()

  await set(adminApi, { noticeText: 'Doors open soon.', noticeEndsAt: '2020-01-01T00:00:00Z' })
  await open(page, '/')
  await expect(notice).toHaveCount(0)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a visitor reads the notice and sees no button that does nothing', async ({
    page,
    adminApi,
  }) => {
    await set(adminApi, { noticeText: 'We moved.', accentLight: '#ff8800' })
    await page.goto('/')
    const notice = page.getByRole('complementary', { name: 'Notice' })
    await expect(notice.getByText('We moved.')).toBeVisible()
    await expect(notice.getByRole('button')).toHaveCount(0)
  })
})

test('what I typed about the company is there again after I left the form, until I save it', async ({
  page,
  adminApi,
}) => {
  const form = await edit(page, adminApi)
  await form.getByLabel('Company name').fill('Half a name')
  await button(form, 'Add a link to Social media').click()
  const row = form.getByRole('group', { name: 'Social media, link 5' })
  await row.getByLabel('Text').fill('Forum')
  await button(page, 'Cancel').click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await expect(question).toContainText('This browser keeps it')
  await button(question, 'Leave').click()
  await page.reload()
  await button(page, 'Edit Company').click()
  const again = await formOf(page)
  await expect(again.getByLabel('Company name')).toHaveValue('Your Company')
  const offer = again.getByRole('group', { name: 'Unsaved changes' })
  await button(offer, 'Restore').click()
  await expect(again.getByLabel('Company name')).toHaveValue('Half a name')
  await expect(row.getByLabel('Text')).toHaveValue('Forum')
  await expect(page.getByTestId('site-preview').getByText('Half a name').first()).toBeVisible()

  // The next row has a key of its own.
  await button(again, 'Add a link to Social media').click()
  await expect(again.getByRole('group', { name: /^Social media, link/ })).toHaveCount(6)
  await button(again, 'Remove: Social media, link 6').click()
  await row.getByLabel('URL').fill('https://example.com/forum')
  await save(page)
  await button(page, 'Edit Company').click()
  await expect((await formOf(page)).getByRole('group', { name: 'Unsaved changes' })).toBeHidden()
})

test('the settings and their form fit a phone and are accessible', async ({ page, adminApi }) => {
  await set(adminApi, {
    noticeText: 'We moved.',
    noticeLinkLabel: 'See',
    noticeLinkUrl: 'https://example.org',
  })
  await openPortal(page, adminApi, '?tab=cms')
  await expectAccessibleEverywhere(page)
  await button(page, 'Edit Company').click()
  await formOf(page)
  await expectAccessibleEverywhere(page)
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page)
})

test.describe('with settings in the configuration', () => {
  test.use({
    config: '[site]\nname = "Configured Inc."\nsocial = []\n[site.contact]\nphone = "555 0100"\n',
  })

  test('I see which settings the operator has made, and change the others', async ({
    page,
    adminApi,
  }) => {
    const form = await edit(page, adminApi)
    await expect(form.getByLabel('Company name')).toBeDisabled()
    await expect(form.getByLabel('Company name')).toHaveValue('Configured Inc.')
    await expect(form.getByLabel('Company name')).toHaveAccessibleDescription(
      'Set by site.name in the configuration, which has precedence.',
    )
    await expect(form.getByText('site.contact.phone')).toBeVisible()
    await expect(
      form.getByRole('group', { name: 'Social media', exact: true }),
    ).toHaveAccessibleDescription(/^Set by site\.social/)
    await expect(button(form, 'Add a link to Social media')).toBeDisabled()
    await expectAccessibleEverywhere(page)
    await form.getByLabel('Email').fill('events@example.org')
    await save(page)
    await open(page, '/')
    const footer = page.getByRole('contentinfo')
    await expect(footer).toContainText('events@example.org')
    await expect(footer).toContainText('Configured Inc.')
  })
})
