import { expect, type APIRequestContext } from '@playwright/test'

/** The date `days` after today (in the zone of the site), yyyy-MM-dd. */
export function daysFromToday(days: number): string {
  const date = new Date()
  date.setDate(date.getDate() + days)
  return date.toLocaleDateString('sv')
}

async function addSpeaker(api: APIRequestContext): Promise<number> {
  const response = await api.post('/api/speakers', {
    data: { name: 'Dr. Ada Okafor', title: 'Hospitalist', type: 'Guest' },
  })
  expect(response.status()).toBe(201)
  return ((await response.json()) as { id: number }).id
}

async function addEvent(api: APIRequestContext, event: object, location?: object): Promise<void> {
  const common = {
    date: daysFromToday(1),
    duration: '90 minutes',
    summary: 'An evening together.',
    description: 'See how it is done, then ask whatever you like.',
    registrationUrl: 'https://example.com/register',
    timezone: 'America/Denver',
  }
  const response = await api.post('/api/events', {
    data: { event: { ...common, ...event }, location, speakerIds: [await addSpeaker(api)] },
  })
  expect(response.status()).toBe(201)
}

/** Adds a webinar for tomorrow, 6 PM in Denver, as an admin does through the API. */
export async function addWebinar(
  api: APIRequestContext,
  title: string,
  series?: string,
): Promise<void> {
  await addEvent(api, { title, time: '18:00', type: 'Pillars of Wealthbuilding', series })
}

/** Adds a webinar that has begun today, at most five minutes ago. */
export async function addLiveWebinar(api: APIRequestContext, title: string): Promise<void> {
  const midnight = new Date().setHours(0, 0, 0, 0)
  const [date, time] = new Date(Math.max(Date.now() - 300_000, midnight))
    .toLocaleString('sv')
    .split(' ')
  const timezone = 'America/New_York'
  await addEvent(api, { title, date, time: time?.slice(0, 5), timezone, type: 'Special' })
}

/** Adds an in-person event for tomorrow, before the webinar, with a long venue name. */
export async function addInPersonEvent(
  api: APIRequestContext,
  title: string,
  placeId?: string,
): Promise<void> {
  const location = {
    venueName: 'The Arcadia House at Camelback Park and Gardens',
    venueAddress: '4400 North 64th Street',
    city: 'Scottsdale',
    state: 'AZ',
    placeId,
  }
  await addEvent(api, { title, time: '17:30', type: 'In-Person Events' }, location)
}
