import type { Browser } from '@playwright/test'
import { type Lectern, startLectern } from './support/lectern.ts'
import { slowDownNetwork } from './support/measure.ts'
import { expect, test } from '@playwright/test'

const rounds = 5
/** The time from the start of a visit until its long tasks are summed up, in milliseconds. */
const visitTime = 6_000

/** One visit, in milliseconds from its start; `shift` has no unit. */
interface Visit {
  'first paint': number
  'largest paint': number
  'layout shift': number
  'blocking time': number
  'longest task': number
  'controls act': number
}

const measures = [
  'first paint',
  'largest paint',
  'layout shift',
  'blocking time',
  'longest task',
  'controls act',
] as const

/** Visits a page with an empty cache on a phone that is 4 times slower, at 150 ms and 1.6 Mbit/s. */
async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const seen = { largest: 0, shift: 0, tasks: [] as [number, number][], acts: 0 }
    Object.assign(window, { seen })
    const observe = (type: string, add: (entry: PerformanceEntry) => void) => {
      new PerformanceObserver((list) => {
        list.getEntries().forEach(add)
      }).observe({ type, buffered: true })
    }
    observe('largest-contentful-paint', (entry) => (seen.largest = entry.startTime))
    observe('layout-shift', (entry) => {
      seen.shift += (entry as PerformanceEntry & { value: number }).value
    })
    observe('longtask', (entry) => seen.tasks.push([entry.startTime, entry.duration]))
    // React marks the elements whose handlers it has attached.
    const isAttached = (element: Element) =>
      Object.keys(element).some((key) => key.startsWith('__reactProps'))
    const checkFrame = () => {
      const isSeen = (element: Element) => element.getBoundingClientRect().top < innerHeight
      const controls = [...document.querySelectorAll('main button, header button')].filter(isSeen)
      if (controls.length > 0 && controls.every(isAttached)) seen.acts = performance.now()
      else requestAnimationFrame(checkFrame)
    }
    requestAnimationFrame(checkFrame)
  })
  const session = await slowDownNetwork(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForFunction((end) => performance.now() > end, visitTime)
  const result = await page.evaluate(() => {
    const { seen } = window as unknown as {
      seen: { largest: number; shift: number; tasks: [number, number][]; acts: number }
    }
    const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN
    const after = seen.tasks.filter(([start, duration]) => start + duration > first)
    return {
      'first paint': first,
      'largest paint': seen.largest,
      'layout shift': seen.shift,
      'blocking time': after.reduce((sum, [, duration]) => sum + duration - 50, 0),
      'longest task': Math.max(0, ...after.map(([, duration]) => duration)),
      'controls act': seen.acts,
    }
  })
  await context.close()
  return result
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? NaN
}

// Prints the numbers of docs/measurements.md, on an idle machine: the builds take turns.
test('the first view of this build and of an older one on a slow phone', async ({ browser }) => {
  test.setTimeout(1_200_000)
  const older = process.env.LECTERN_OLD
  const builds: [string, Lectern][] = [['new', await startLectern('demo')]]
  if (older) builds.unshift(['old', await startLectern('demo', '', older)])
  try {
    for (const name of ['/', '/calendar', 'an event']) {
      const visits = new Map<string, Visit[]>(builds.map(([build]) => [build, []]))
      for (let round = 0; round <= rounds; round += 1) {
        for (const [build, { url }] of builds) {
          const events = (await (await fetch(`${url}/api/events`)).json()) as { path: string }[]
          const path = name === 'an event' ? (events.at(-1)?.path ?? '/') : name
          const result = await visit(browser, url + path)
          // The first visit warms up the server and the browser.
          if (round > 0) visits.get(build)?.push(result)
        }
      }
      for (const measure of measures) {
        const shown = builds.map(([build]) => {
          const value = median((visits.get(build) ?? []).map((result) => result[measure]))
          return `${build} ${measure === 'layout shift' ? value.toFixed(3) : String(Math.round(value))}`
        })
        process.stdout.write(`${name.padEnd(12)}${measure.padEnd(16)}${shown.join('   ')}\n`)
      }
      const shifts = (visits.get('new') ?? []).map((result) => result['layout shift'])
      expect(Math.max(...shifts)).toBeLessThan(0.02)
    }
  } finally {
    for (const [, lectern] of builds) await lectern.stop()
  }
})
