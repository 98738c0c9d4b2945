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

interface Listed {
  path: string
  type: string
}

/** An event in person and one online. */
async function eventPaths(page: Page): Promise<string[]> {
  const events = (await (await page.request.get('/api/events')).json()) as Listed[]
  const isInPerson = ({ type }: Listed) => type === 'In-Person Events'
  const online = events.find((event) => !isInPerson(event))
  return [events.find(isInPerson), online].map((event) => event?.path ?? '')
}

test('on a phone each page for visitors is light, comes from this site, and requests nothing that it contains', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const paths = ['/', '/calendar', '/search?q=a', '/embed', ...(await eventPaths(page))]
  for (const path of paths) {
    const loaded = await loadedBy(page, path)
    expect(loaded.kilobytesOfScript, path).toBeGreaterThan(50)
    expect(loaded.kilobytesOfScript, path).toBeLessThanOrEqual(98)
    // The search fetches what it finds.
    if (!path.startsWith('/search')) expect(loaded.redundant, path).toEqual([])
    expect(loaded.scripts.filter((script) => script.includes('admin'))).toEqual([])
    if (path !== '/') continue
    expect(loaded.kilobytesOfMainScript).toBeGreaterThan(50)
    expect(loaded.kilobytesOfMainScript).toBeLessThanOrEqual(90)
    expect(loaded.kilobytesOfFonts).toBeLessThanOrEqual(100)
    expect(loaded.hosts.size).toBe(1)
  }
})

test('on a desktop the home page with its grid is light, and no page requests what it contains', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const [, online = ''] = await eventPaths(page)
  for (const path of ['/', '/calendar', '/embed', online]) {
    const loaded = await loadedBy(page, path)
    expect(loaded.redundant, path).toEqual([])
    expect(loaded.scripts.filter((script) => script.includes('admin'))).toEqual([])
    if (path !== '/') continue
    expect(loaded.kilobytesOfScript).toBeLessThanOrEqual(155)
    expect(loaded.kilobytesOfFonts).toBeLessThanOrEqual(100)
    expect(loaded.hosts.size).toBe(1)
  }
})

test('the portal is light, and all of it comes from this site', async ({ page, adminApi }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, adminApi)
  const loaded = await loadedBy(page, '/admin')
  expect(loaded.kilobytesOfScript).toBeLessThanOrEqual(200)
  expect(loaded.hosts.size).toBe(1)
  expect(loaded.scripts.some((path) => path.includes('admin-route'))).toBe(true)
})
