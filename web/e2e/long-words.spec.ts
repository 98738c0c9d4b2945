import { expectNoBrokenWords, largeTextProblems } from './support/large-text.ts'
import { daysFromToday } from './support/event-data.ts'
import { cacheFont, open, setTextSize } from './support/page.ts'
import { addEvent, openEvents } from './support/portal.ts'
import { expect, test } from './support/test.ts'

test.use({ data: 'empty' })
test.describe.configure({ mode: 'serial' })

const title = 'שלום (evening) walk'

test.beforeEach(async ({ page }) => {
  await cacheFont(page)
})

test('long names without spaces fit the page, and common names are not broken', async ({
  page,
  adminApi,
}) => {
  const host = { name: 'Henrik Solvang', title: 'Managing Partner', type: 'EM Team' }
  const speaker = (await (await adminApi.post('/api/speakers', { data: host })).json()) as {
    id: number
  }
  const event = {
    title,
    date: daysFromToday(1),
    time: '18:00',
    duration: '60 minutes',
    type: 'In-Person Events',
    summary: 'A walk.',
    description: `${'d'.repeat(300)}\nand dinner`,
    registrationUrl: 'https://example.com/',
    timezone: 'America/Denver',
  }
  const location = {
    venueName: 'N'.repeat(200),
    venueAddress: 'A'.repeat(200),
    city: 'Denver',
    state: 'CO',
  }
  const saved = await adminApi.post('/api/events', {
    data: { event, location, speakerIds: [speaker.id] },
  })
  expect(saved.status()).toBe(201)
  const { path, id } = (await saved.json()) as { path: string; id: number }

  for (const url of [path, `/calendar?event=${id}`, '/']) {
    await page.goto(url)
    await expect(page.getByText('0 investors attending')).toBeVisible()
    for (const width of [320, 769]) {
      await page.setViewportSize({ width, height: 900 })
      const sideways = () =>
        page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
      await expect.poll(sideways, `${url} at ${width}`).toBe(0)
      if (url !== '/') continue
      const name = page.getByText('Henrik Solvang').first()
      await expect(name).toBeVisible()
      // At most two lines, with no broken word.
      expect((await name.boundingBox())?.height, `at ${width}`).toBeLessThan(60)
    }
  }
})

test('a right-to-left title starts at the right, and the attendance count is beside its button', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 1000 })
  await page.goto('/')
  const card = page.getByRole('region', { name: 'Next Event' })
  // React has rendered the page.
  await expect(card.getByText('0 investors attending')).toBeVisible()
  const heading = page.getByRole('heading', { name: title })
  const [first, last] = await heading.evaluate(({ firstChild }) =>
    [0, 1].map((end) => {
      const text = firstChild as Text
      const range = document.createRange()
      range.setStart(text, end ? text.length - 1 : 0)
      range.setEnd(text, end ? text.length : 1)
      return range.getBoundingClientRect().right
    }),
  )
  expect(first).toBeGreaterThan(last ?? Infinity)

  const toggle = await card.getByRole('button', { name: 'Planning to Attend' }).boundingBox()
  const count = await card.getByText('0 investors attending').boundingBox()
  if (!toggle || !count) throw new Error('The card is not there')
  expect(count.x).toBeGreaterThan(toggle.x + toggle.width)
  expect(count.y + count.height / 2).toBeCloseTo(toggle.y + toggle.height / 2, -1)
})

test('with large text on a narrow phone a speaker’s long word is not broken', async ({
  page,
  adminApi,
}) => {
  const speaker = { name: 'Dr. Lena Hart', title: 'Anesthesiologist', type: 'Guest' }
  const saved = await adminApi.post('/api/speakers', { data: speaker })
  const { id: speakerId } = (await saved.json()) as { id: number }
  const event = {
    title: 'A talk',
    date: '2031-05-14',
    time: '18:00',
    duration: '60 minutes',
    type: 'Special',
    summary: 'A talk.',
    description: 'A talk.',
    registrationUrl: 'https://example.com/',
    timezone: 'UTC',
  }
  const added = await adminApi.post('/api/events', { data: { event, speakerIds: [speakerId] } })
  expect(added.status()).toBe(201)
  const { path, id } = (await added.json()) as { path: string; id: number }
  await page.setViewportSize({ width: 320, height: 640 })
  for (const url of [path, `/calendar?event=${String(id)}`]) {
    await open(page, url)
    await expect(page.getByRole('heading', { name: 'Featured Speakers' })).toBeVisible()
    await setTextSize(page, '200%')
    const { broken } = await page.evaluate(largeTextProblems, '*')
    expect(broken, url).not.toContain('Anesthesiologist')
  }
})

test('with large text a heading’s long word is not broken', async ({ page, adminApi }) => {
  const title = 'The Anesthesiologist and the opportunities'
  const hero = { heroTitle: 'Anesthesiologist events', heroSubtitle: 'For physicians' }
  expect((await adminApi.put('/api/page-content/home', { data: hero })).ok()).toBe(true)
  await addEvent(adminApi, title, {
    date: daysFromToday(0),
    time: '23:59',
    timezone: 'Pacific/Honolulu',
    series: 'For Otorhinolaryngologists',
  })
  const events = (await (await adminApi.get('/api/events')).json()) as {
    id: number
    title: string
    path: string
  }[]
  const event = events.find((event) => event.title === title)
  const paths = [
    '/',
    event?.path ?? '',
    `/calendar?event=${String(event?.id)}`,
    '/series/for-otorhinolaryngologists',
  ]
  for (const path of paths) {
    await open(page, path)
    await expectNoBrokenWords(page, 'h1, h2, h3', [320, 390, 769, 1080, 1440])
  }
})

test('with large text or on a phone a long name is not broken', async ({ page, adminApi }) => {
  const name = 'Featherstonehaugh'
  const speakers = [
    { name: `Marmaduke ${name}`, title: 'Retired Anesthesiologist', type: 'Guest' },
    { name: 'Dr. Ada Okafor', title: `The ${name} Chair`, type: 'Guest' },
    { name: 'Wilhelmina Internationalization', title: 'Managing Partner', type: 'EM Team' },
  ]
  const speakerIds: number[] = []
  for (const data of speakers) {
    const saved = await adminApi.post('/api/speakers', { data })
    speakerIds.push(((await saved.json()) as { id: number }).id)
  }
  const event = {
    title: `The Anesthesiologist ${name}`,
    date: daysFromToday(0),
    time: '23:58',
    duration: '60 minutes',
    type: 'In-Person Events',
    summary: 'A talk.',
    description: 'A talk.',
    registrationUrl: 'https://example.com/',
    timezone: 'Pacific/Honolulu',
    series: `${name} talks`,
  }
  const location = { venueName: `${name} Hall`, venueAddress: '1 Main St', city: name, state: 'CO' }
  // Alone in its day, one of two, and one of more, which the month's grid shows in different ways.
  for (const [days, count] of [
    [3, 1],
    [4, 2],
    [5, 4],
  ] as const) {
    for (let at = 0; at < count; at += 1) {
      const data = { event: { ...event, date: daysFromToday(days) }, location, speakerIds }
      expect((await adminApi.post('/api/events', { data })).status()).toBe(201)
    }
  }
  for (let count = 1; count <= speakerIds.length; count += 1) {
    const saved = await adminApi.post('/api/events', {
      data: { event, location, speakerIds: speakerIds.slice(0, count) },
    })
    expect(saved.status()).toBe(201)
    const { path, id } = (await saved.json()) as { path: string; id: number }
    // The layout of the card depends on the number of speakers.
    const others = [
      '/calendar',
      path,
      `/calendar?event=${String(id)}`,
      '/series/featherstonehaugh-talks',
      `/search?q=${name}`,
    ]
    const urls = ['/', ...(count === speakerIds.length ? others : [])]
    for (const url of urls) {
      await open(page, url)
      if (url === '/') {
        await expect(
          page.getByRole('list', { name: 'Speakers' }).getByRole('listitem'),
        ).toHaveCount(count)
      }
      await expectNoBrokenWords(page, '*', [320, 335, 390, 769, 840, 961, 1080])
    }
    expect((await adminApi.delete(`/api/events/${String(id)}`)).ok()).toBe(true)
  }
})

test('with large text the words of a description are not broken beside the details', async ({
  page,
  adminApi,
}) => {
  const words = 'Administrators of metropolitan communities in conversation about assumptions'
  await addEvent(adminApi, 'A long description', { description: words })
  const events = (await (await adminApi.get('/api/events')).json()) as {
    title: string
    path: string
  }[]
  await open(page, events.find(({ title }) => title === 'A long description')?.path ?? '')
  await expectNoBrokenWords(page, '*', [769, 961, 1080, 1440], ['100%', '150%', '200%'])
})

test('a long title in the table of events does not break the words of its type', async ({
  page,
  adminApi,
}) => {
  const title = 'Administrators of metropolitan communities in conversation '.repeat(3).trim()
  await addEvent(adminApi, title, { type: 'Pillars of Wealthbuilding' })
  await openEvents(page, adminApi)
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await expect(page.getByRole('cell', { name: 'Pillars of Wealthbuilding' })).toBeVisible()
  await expectNoBrokenWords(page, 'td:nth-child(4)', [390, 1100, 1440], ['100%'])
})
