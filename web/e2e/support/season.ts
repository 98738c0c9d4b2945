import { expect, type APIRequestContext } from '@playwright/test'

/** Tomorrow, yyyy-MM-dd. */
const tomorrow = () => new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

async function addSpeaker(api: APIRequestContext): Promise<number> {
  const answer = await api.post('/api/speakers', {
    data: { name: 'Dr. Ada Okafor', title: 'Hospitalist', type: 'Guest' },
  })
  expect(answer.status()).toBe(201)
  return ((await answer.json()) as { id: number }).id
}

async function addEvent(api: APIRequestContext, event: object, location?: object): Promise<void> {
  const common = {
    date: tomorrow(),
    duration: '90 minutes',
    summary: 'An evening together.',
    description: 'See how it is done, then ask whatever you like.',
    registrationUrl: 'https://example.com/register',
    timezone: 'America/Denver',
  }
  const answer = await api.post('/api/events', {
    data: { event: { ...common, ...event }, location, speakerIds: [await addSpeaker(api)] },
  })
  expect(answer.status()).toBe(201)
}

/** Adds a webinar for tomorrow, 6 PM in Denver, as an admin does through the API. */
export async function addWebinar(api: APIRequestContext, title: string): Promise<void> {
  await addEvent(api, { title, time: '18:00', type: 'Pillars of Wealthbuilding' })
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
