import { startLocalServer } from './local-server.ts'

/** What the provider does when its script is asked for. */
export type Mood = 'works' | 'is silent' | 'fails'

/** A provider of newsletter forms on this machine, whose mood a test may change. */
export interface FormProvider {
  /** The lines of config.toml that put its form on the site. */
  config: string
  mood: Mood
  /** How often its script was asked for. */
  calls: number
  stop: () => void
}

const script = `
  const container = document.getElementById('newsletter')
  const form = document.createElement('form')
  form.setAttribute('aria-label', 'Newsletter ' + container.dataset.list)
  form.innerHTML = '<label>Your e-mail <input type="email"></label> <button>Join</button>'
  container.append(form)
`

/** Starts it. */
export async function startFormProvider(): Promise<FormProvider> {
  const { port, stop } = await startLocalServer((_request, response) => {
    provider.calls += 1
    if (provider.mood === 'works') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script)
    } else if (provider.mood === 'fails') {
      response.writeHead(500).end()
    }
  })
  const provider: FormProvider = {
    config: `
      [subscribe]
      script_url = "http://127.0.0.1:${port}/embed.js"
      container_id = "newsletter"
      attributes = { data-list = "investors" }
    `,
    mood: 'works',
    calls: 0,
    stop,
  }
  return provider
}
