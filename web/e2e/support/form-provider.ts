import { startLocalServer } from './local-server.ts'

/** How the provider responds to the request for its script. */
export type ProviderMode = 'works' | 'is silent' | 'fails'

/** A fake provider of newsletter forms on this machine; tests can change its mode. */
export interface FormProvider {
  /** The lines of config.toml that configure its form. */
  config: string
  mode: ProviderMode
  /** The number of requests for its script. */
  requests: number
  stop: () => void
}

const script = `
  const container = document.getElementById('newsletter')
  const form = document.createElement('form')
  form.setAttribute('aria-label', 'Newsletter ' + container.dataset.list)
  form.innerHTML = '<label>Your e-mail <input type="email"></label> <button>Join</button>'
  container.append(form)
`

export async function startFormProvider(): Promise<FormProvider> {
  const { port, stop } = await startLocalServer((_request, response) => {
    provider.requests += 1
    if (provider.mode === 'works') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script)
    } else if (provider.mode === 'fails') {
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
    mode: 'works',
    requests: 0,
    stop,
  }
  return provider
}
