import { http, HttpResponse } from 'msw'
import { server } from './session'

/** The page with which a proxy responds while it can't reach the server. */
export const aProxyError = () =>
  new HttpResponse('<html><h1>502 Bad Gateway</h1></html>', {
    status: 502,
    statusText: 'Bad Gateway',
    headers: { 'Content-Type': 'text/html' },
  })

/**
 * A fake API that creates an item at `path` once for each `Idempotency-Key`, with `create`, and
 * whose first response is lost, after `isLate` resolves; returns the bodies that it received.
 */
export function loseFirstResponse<Body>(
  path: string,
  create: (body: Body) => object,
  isLate?: Promise<void>,
) {
  const bodies: Body[] = []
  const created = new Map<string | null, object>()
  server.use(
    http.post(path, async ({ request }) => {
      const key = request.headers.get('Idempotency-Key')
      const body = (await request.json()) as Body
      bodies.push(body)
      const item = created.get(key) ?? create(body)
      created.set(key, item)
      if (bodies.length > 1) return HttpResponse.json(item, { status: 201 })
      await isLate
      return HttpResponse.error()
    }),
  )
  return bodies
}
