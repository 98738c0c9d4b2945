import { useEffect, useRef, useState } from 'react'

/** A form that a provider's script adds to the page. */
export interface Embed {
  scriptUrl: string
  /** The `id` of the element that the script fills. */
  containerId: string
  /** Attributes of that element that the script reads. */
  attributes: Readonly<Record<string, string>>
}

/**
 * The script's address for an attempt. Each attempt has its own: browsers queue a second request
 * for the same address behind the first, which may hang.
 */
function addressFor(attempt: number, scriptUrl: string): string {
  if (attempt === 0) return scriptUrl
  const url = new URL(scriptUrl)
  url.searchParams.set('attempt', String(attempt + 1))
  return url.href
}

/** How long the form may load before an error is shown, in milliseconds (guide §6). */
const loadTimeout = 8000

/** The state of the form; one that loads after a failure is still shown. */
type EmbedState = 'loading' | 'failed' | 'ready'

/**
 * Loads the script once and observes what it adds to `host`, either into the container or beside
 * it. Unmounting removes it; to try again, change the key of the component.
 */
export function useEmbed({ scriptUrl, containerId, attributes }: Embed, attempt: number) {
  const host = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<EmbedState>('loading')
  const [embed] = useState({
    scriptUrl: addressFor(attempt, scriptUrl),
    containerId,
    attributes,
  })

  useEffect(() => {
    const element = host.current
    if (!element) return
    const container = document.createElement('div')
    for (const [name, value] of Object.entries(embed.attributes)) {
      container.setAttribute(name, value)
    }
    if (embed.containerId) container.id = embed.containerId
    const script = document.createElement('script')
    script.src = embed.scriptUrl
    script.async = true

    const giveUp = () => {
      setState((now) => (now === 'ready' ? now : 'failed'))
    }
    const timer = setTimeout(giveUp, loadTimeout)
    script.addEventListener('error', giveUp)
    const observer = new MutationObserver(() => {
      const isFilled = container.childElementCount > 0 || element.childElementCount > 2
      if (!isFilled) return
      observer.disconnect()
      clearTimeout(timer)
      setState('ready')
    })

    element.append(container, script)
    observer.observe(element, { childList: true, subtree: true })
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      script.removeEventListener('error', giveUp)
      element.replaceChildren()
    }
  }, [embed])

  return { host, state }
}
