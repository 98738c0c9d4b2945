import type {
  CalendarEvent,
  Venue,
  SpeakerSummary,
  InitialData,
  Site,
  Speaker,
  User,
} from '../api/types'

let lastId = 0
const nextId = () => (lastId += 1)

/** A speaker without an image. */
export function aSpeaker(overrides: Partial<SpeakerSummary> = {}): SpeakerSummary {
  const id = nextId()
  return { id, name: `Speaker ${id}`, title: 'Partner', imageUrl: null, bio: null, ...overrides }
}

/** A speaker in the portal's list. */
export const aListedSpeaker = (id: number, name: string): Speaker => ({
  id,
  name,
  title: 'Partner',
  bio: null,
  imageUrl: null,
  type: 'Guest',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  revision: 1,
})

/** A webinar in the far future, with one speaker. */
export function anEvent(
  overrides: Partial<CalendarEvent> = {},
  speakers: readonly SpeakerSummary[] = [aSpeaker()],
): CalendarEvent {
  const id = nextId()
  return {
    id,
    path: `/events/${id}-reading-an-operating-agreement`,
    brandliveId: null,
    series: null,
    title: 'Reading an operating agreement',
    date: '2099-03-10',
    time: '20:00',
    duration: '60 minutes',
    summary: null,
    description: 'Line by line.',
    registrationUrl: 'https://example.com/register',
    type: 'Pillars of Wealthbuilding',
    calendarLinks: {},
    timezone: 'America/New_York',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    startsAt: '2099-03-11T00:00:00Z',
    revision: 1,
    location: null,
    speakers: speakers.map((speaker) => ({ speakerId: speaker.id, speaker })),
    ...overrides,
  }
}

/** A venue with a name and address that are too short to be cut. */
export function aVenue(overrides: Partial<Venue> = {}): Venue {
  return {
    venueName: 'The Arcadia House',
    venueAddress: '4400 North 64th Street',
    city: 'Scottsdale',
    state: 'AZ',
    imageUrl: null,
    placeId: null,
    ...overrides,
  }
}

/** An in-person event with a venue. */
export function anInPersonEvent(overrides: Partial<CalendarEvent> = {}): CalendarEvent {
  return anEvent({
    type: 'In-Person Events',
    title: 'Property walk',
    timezone: 'America/Denver',
    time: '17:30',
    location: aVenue(),
    ...overrides,
  })
}

/** The signed-in admin. */
export function anAdmin(): User {
  return {
    id: 1,
    email: 'admin@example.com',
    role: 'admin',
    createdAt: '2026-01-01T00:00:00Z',
    revision: 1,
  }
}

/** The company's configured data. */
export function aSite(overrides: Partial<Site> = {}): Site {
  const links = (label: string) => [
    { label, url: `https://example.com/${encodeURIComponent(label)}` },
  ]
  return {
    name: 'EM Events',
    logoUrl: null,
    learnMoreUrl: 'https://example.com/more',
    scheduleCallUrl: 'https://example.com/call',
    investorResourcesUrl: 'https://example.com/resources',
    contact: {
      addressLines: ['1200 Market Street', 'Denver, CO 80202'],
      phone: '(303) 555-0142',
      email: 'hello@example.com',
    },
    social: links('LinkedIn'),
    columns: [
      { title: 'Who We Are', links: links('About Us') },
      { title: 'Investments', links: links('Portfolio') },
      { title: 'Discover', links: links('Articles') },
      { title: 'Explore More', links: links('Glossary') },
    ],
    disclaimer: 'No guarantee.',
    subscribe: null,
    mapsBrowserKey: null,
    replitLogin: false,
    baseUrl: 'https://events.example.com',
    ...overrides,
  }
}

/** The initial data of the home page. */
export function homeData(
  event: CalendarEvent | null,
  content: { heroTitle: string; heroSubtitle: string } | null = null,
): NonNullable<InitialData['home']> {
  return {
    content: content && {
      page: 'home',
      updatedAt: '2026-01-01T00:00:00Z',
      revision: 1,
      ...content,
    },
    nextEvent: event,
    nearestEvent: null,
    window: { from: '2000-01-01', to: '2099-12-31' },
    events: event ? [event] : [],
  }
}
