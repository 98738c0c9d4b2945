import { http, HttpResponse } from 'msw'
import { server } from './session'

interface Revised {
  revision: number
}

/**
 * A fake API that saves an item at `path`, and rejects the changes of an earlier version with `error`. A test changes
 * `current` as another admin would. `merged` is the item with the values that were sent.
 */
export function aRevisionServer<Item extends Revised, Sent extends { revision?: number | null }>(
  path: string,
  first: Item,
  error: string,
  merged: (current: Item, values: Omit<Sent, 'revision'>) => Item,
) {
  const state = { current: first, sent: [] as Sent[] }
  server.use(
    http.put(path, async ({ request }) => {
      const body = (await request.json()) as Sent
      state.sent.push(body)
      const { current } = state
      const { revision, ...values } = body
      if (revision !== current.revision) {
        return HttpResponse.json({ error, current }, { status: 409 })
      }
      state.current = { ...merged(current, values), revision: revision + 1 }
      return HttpResponse.json(state.current as object)
    }),
  )
  return state
}
