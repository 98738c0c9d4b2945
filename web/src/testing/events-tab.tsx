import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import type { CalendarEvent, SaveEvent } from '../api/types'
import { aListedSpeaker, anEvent } from './factories'
import { portalList } from './portal-list'
import { renderComponent } from './render'
import { server } from './session'
import { SavedInputOwner } from '../lib/saved-input'
import { EventsTab } from '../features/events/admin/events-tab'

/** The site's base URL in these tests. */
export const siteUrl = 'https://events.example.com'

const speakers = [
  aListedSpeaker(901, 'Ada Okafor'),
  aListedSpeaker(902, 'Ben Tal'),
  aListedSpeaker(903, 'Chi Roy'),
]

/** A fake events API; returns its stored events and the bodies that it received. */
export function anEventServer(events: CalendarEvent[]) {
  const stored = new Map(events.map((event) => [event.id, event]))
  const sent: SaveEvent[] = []
  const save = async (request: Request, previous: CalendarEvent) => {
    const body = (await request.json()) as SaveEvent
    sent.push(body)
    const saved = {
      ...previous,
      ...(body.event as Partial<CalendarEvent>),
      revision: previous.revision + 1,
      speakers: (body.speakerIds ?? []).flatMap((id) => {
        const speaker = speakers.find((candidate) => candidate.id === id)
        return speaker ? [{ speakerId: id, speaker }] : []
      }),
    }
    stored.set(saved.id, saved)
    return saved
  }
  server.use(
    ...portalList(() => [...stored.values()]),
    http.post('/api/events', async ({ request }) =>
      HttpResponse.json(await save(request, anEvent()), { status: 201 }),
    ),
    http.put('/api/events/:id', async ({ request, params }) => {
      const previous = stored.get(Number(params.id))
      return previous
        ? HttpResponse.json(await save(request, previous))
        : HttpResponse.json({ error: 'Event not found' }, { status: 404 })
    }),
    http.delete('/api/events/:id', ({ params }) => {
      stored.delete(Number(params.id))
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('/api/events/:id/restore', ({ params }) => {
      const event = events.find(({ id }) => id === Number(params.id))
      if (!event) return HttpResponse.json({ error: 'Event not found' }, { status: 404 })
      stored.set(event.id, event)
      return HttpResponse.json(event)
    }),
  )
  return { stored, sent }
}

/** Renders the tab for a user at a path. */
export function openTab(userId = 1, path = '/', all = speakers) {
  return renderComponent(
    <main>
      <SavedInputOwner value={userId}>
        <EventsTab siteUrl={siteUrl} speakers={{ all, hasFailed: false, retry: () => undefined }} />
      </SavedInputOwner>
    </main>,
    path,
  )
}

/** `count` events on consecutive days. */
export const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    anEvent({
      title: `Event ${index + 1}`,
      startsAt: new Date(Date.UTC(2099, 0, index + 1)).toISOString(),
    }),
  )
/** The titles of the cards. */
export const titles = () =>
  screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)
/** The button with this name. */
export const button = (name: string | RegExp) => screen.getByRole('button', { name })

/** Opens the form for a new event. */
export async function startNew(user: ReturnType<typeof openTab>['user']) {
  const [create] = await screen.findAllByRole('button', { name: 'Create New Event' })
  if (create) await user.click(create)
}

/** Opens the form for a new event and fills in what an online event needs, apart from its speakers. */
export async function fillNew(user: ReturnType<typeof openTab>['user'], title: string) {
  await startNew(user)
  await fill(user, 'Title', title)
  await fill(user, 'Summary', 'One deal.')
  await fill(user, 'Description', 'Line by line.')
  await fill(user, 'Registration URL', 'https://example.com/r')
}

/** Replaces a field's value by pasting, which is faster than typing. */
export async function fill(
  user: ReturnType<typeof openTab>['user'],
  label: string | RegExp,
  text: string,
) {
  await user.clear(screen.getByLabelText(label))
  await user.paste(text)
}
