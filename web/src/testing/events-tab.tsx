import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import type { CalendarEvent, SaveEvent } from '../api/types'
import { aListedSpeaker, anEvent } from './factories'
import { renderPart } from './render'
import { server } from './session'
import { EventsTab } from '../features/events/admin/events-tab'

/** Where the site of these tests is reached. */
export const siteUrl = 'https://events.example.com'

const speakers = [
  aListedSpeaker(901, 'Ada Okafor'),
  aListedSpeaker(902, 'Ben Tal'),
  aListedSpeaker(903, 'Chi Roy'),
]

/** A server that keeps events, and what was sent to it. */
export function anEventServer(events: CalendarEvent[], hidden: CalendarEvent[] = []) {
  const kept = new Map(events.map((event) => [event.id, event]))
  const sent: SaveEvent[] = []
  const save = async (request: Request, known: CalendarEvent) => {
    const body = (await request.json()) as SaveEvent
    sent.push(body)
    const saved = {
      ...known,
      ...(body.event as Partial<CalendarEvent>),
      revision: known.revision + 1,
      speakers: (body.speakerIds ?? []).flatMap((id) => {
        const one = speakers.find((candidate) => candidate.id === id)
        return one ? [{ speakerId: id, speaker: one }] : []
      }),
    }
    kept.set(saved.id, saved)
    return saved
  }
  server.use(
    http.get('/api/events', () => HttpResponse.json([...kept.values()])),
    http.get('/api/events/hidden', () => HttpResponse.json(hidden)),
    http.post('/api/events', async ({ request }) =>
      HttpResponse.json(await save(request, anEvent()), { status: 201 }),
    ),
    http.put('/api/events/:id', async ({ request, params }) => {
      const known = kept.get(Number(params.id))
      return known
        ? HttpResponse.json(await save(request, known))
        : HttpResponse.json({ error: 'Event not found' }, { status: 404 })
    }),
    http.delete('/api/events/:id', ({ params }) => {
      kept.delete(Number(params.id))
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('/api/events/:id/restore', ({ params }) => {
      const event = events.find(({ id }) => id === Number(params.id))
      if (!event) return HttpResponse.json({ error: 'Event not found' }, { status: 404 })
      kept.set(event.id, event)
      return HttpResponse.json(event)
    }),
  )
  return { kept, sent }
}

/** Shows the tab. */
export function openTab() {
  return renderPart(
    <main>
      <EventsTab
        siteUrl={siteUrl}
        speakers={{ all: speakers, hasFailed: false, retry: () => undefined }}
      />
    </main>,
  )
}

/** So many events, one after the other. */
export const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    anEvent({
      title: `Event ${index + 1}`,
      startsAt: new Date(Date.UTC(2099, 0, index + 1)).toISOString(),
    }),
  )
/** What the cards are headed. */
export const titles = () =>
  screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)
/** The button with this name. */
export const press = (name: string | RegExp) => screen.getByRole('button', { name })

/** Opens the form for a new event. */
export async function startNew(user: ReturnType<typeof openTab>['user']) {
  const [button] = await screen.findAllByRole('button', { name: 'Create New Event' })
  if (button) await user.click(button)
}

/** Puts a text into a field in place of what it holds; as pasting, which is one step. */
export async function fill(
  user: ReturnType<typeof openTab>['user'],
  label: string | RegExp,
  text: string,
) {
  await user.clear(screen.getByLabelText(label))
  await user.paste(text)
}
