import { startLocalServer } from './local-server.ts'

/** An event as the provider lists it. */
export interface ListedItem {
  uuid: string
  name: string
  status: string
  [field: string]: unknown
}

/** A fake provider of events on this machine; tests can change its list and status. */
export interface FakeBrandlive {
  /** The lines of config.toml that configure it. */
  config: string
  items: ListedItem[]
  /** The status of its responses. */
  status: number
  stop: () => void
}

/** An upcoming webinar. */
export const anItem = (uuid: string, name: string): ListedItem => ({
  uuid,
  name,
  start_date: new Date(Date.now() + 5 * 86_400_000).toISOString(),
  timezone: 'America/New_York',
  duration: 45,
  summary: 'One deal, read line by line.',
  description: '<p>Bring an offering.</p>',
  registration_url: `https://live.example.com/${uuid}`,
  status: 'published',
})

export async function startFakeBrandlive(): Promise<FakeBrandlive> {
  const { port, stop } = await startLocalServer((request, response) => {
    const page = new URL(request.url ?? '/', 'http://fake').searchParams.get('page')
    const data = page === '1' ? provider.items : []
    response
      .writeHead(provider.status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(provider.status === 200 ? { data } : { error: 'no' }))
  })
  const provider: FakeBrandlive = {
    config: `
      [brandlive]
      base_url = "http://127.0.0.1:${port}"
      api_key = "key"
      api_secret = "secret"
      call_seconds = 2
      total_seconds = 5
    `,
    items: [],
    status: 200,
    stop,
  }
  return provider
}
