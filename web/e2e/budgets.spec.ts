import type { Page, Response } from '@playwright/test'
import { waitUntilSettled } from './support/page.ts'
import { signIn } from './support/portal.ts'
import { expect, test } from './support/test.ts'

/** The scripts and data that a page loads, and their compressed sizes. */
async function loadedBy(page: Page, path: string) {
  const responses: Response[] = []
  const record = (response: Response) => responses.push(response)
  page.on('response', record)
  await page.goto(path)
  await waitUntilSettled(page)
  page.off('response', record)

  const sizes = { script: 0, font: 0, main: 0 }
  for (const response of responses) {
    const kind = response.request().resourceType()
    if (kind !== 'script' && kind !== 'font') continue
    expect(kind === 'font' || response.headers()['content-encoding']).toBeTruthy()
    const size = Number(response.headers()['content-length'])
    sizes[kind] += size
    if (response.url().includes('/assets/index-')) sizes.main += size
  }
  const urls = responses.map((response) => new URL(response.url()))
  return {
    kilobytesOfScript: sizes.script / 1000,
    /** The script that makes the page interactive. */
    kilobytesOfMainScript: sizes.main / 1000,
    kilobytesOfFonts: sizes.font / 1000,
    hosts: new Set(urls.map(({ host }) => host)),
    scripts: urls.map(({ pathname }) => pathname).filter((path) => path.endsWith('.js')),
    // Requests for what the page already contains: its data, its styles and the event's banner.
    redundant: urls
      .map(({ pathname }) => pathname)
      .filter((path) => /^\/(api|art\/banner-)|\.css$/.test(path))
      // A visitor's own attendance is not in a page that every visitor gets.
      .filter((path) => !path.endsWith('/interest')),
  }
}

test('on a phone the home page is light, and all of it comes from this site', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const loaded = await loadedBy(page, '/')
  expect(loaded.kilobytesOfScript).toBeLessThanOrEqual(98)
  expect(loaded.kilobytesOfMainScript).toBeGreaterThan(50)
  expect(loaded.kilobytesOfMainScript).toBeLessThanOrEqual(90)
  expect(loaded.kilobytesOfFonts).toBeLessThanOrEqual(100)
  expect(loaded.hosts.size).toBe(1)
})

test('on a phone each page for visitors is light', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const events = (await (await page.request.get('/api/events')).json()) as {
    path: string
    type: string
  }[]
  const inPerson = events.find(({ type }) => type === 'In-Person Events')
  const online = events.find(({ type }) => type !== 'In-Person Events')
  const pages = ['/calendar', '/search?q=a', '/embed', inPerson?.path, online?.path]
  for (const path of pages) {
    const { kilobytesOfScript } = await loadedBy(page, path ?? '')
    expect(kilobytesOfScript, path).toBeGreaterThan(50)
    expect(kilobytesOfScript, path).toBeLessThanOrEqual(98)
  }
})

test('on a desktop the home page with its grid is light', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const loaded = await loadedBy(page, '/')
  expect(loaded.kilobytesOfScript).toBeLessThanOrEqual(155)
  expect(loaded.kilobytesOfFonts).toBeLessThanOrEqual(100)
  expect(loaded.hosts.size).toBe(1)
})

test('the first view requests nothing that the page contains', async ({ page }) => {
  const [event] = (await (await page.request.get('/api/events')).json()) as { path: string }[]
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/', '/calendar', '/embed', event?.path ?? '']) {
      const { redundant } = await loadedBy(page, path)
      expect(redundant, `${path} at ${String(width)} px`).toEqual([])
    }
  }
})

test('the portal is light, and visitors load none of it', async ({ page, adminApi }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, adminApi)
  const loaded = await loadedBy(page, '/admin')
  expect(loaded.kilobytesOfScript).toBeLessThanOrEqual(200)
  expect(loaded.hosts.size).toBe(1)
  expect(loaded.scripts.some((path) => path.includes('admin-route'))).toBe(true)

  await page.context().clearCookies()
  for (const path of ['/', '/calendar']) {
    const { scripts } = await loadedBy(page, path)
    expect(scripts.filter((script) => script.includes('admin'))).toEqual([])
  }
})
