import { useEffect, useRef, useState } from 'react'

/** A form that a provider's script puts on the page. */
export interface Embed {
  scriptUrl: string
  /** The `id` of the element that the script fills. */
  containerId: string
  /** Attributes of that element that the script reads. */
  attributes: Readonly<Record<string, string>>
}

/**
 * The script's address for a further attempt. It must be another one: browsers let a second request
 * for the same address wait for the first, which may be the very one that hangs.
 */
function addressFor(attempt: number, scriptUrl: string): string {
  if (attempt === 0) return scriptUrl
  const url = new URL(scriptUrl)
  url.searchParams.set('attempt', String(attempt + 1))
  return url.href
}

/** How long the form may load before an error is shown, in milliseconds (guide §6). */
const patience = 8000

/** How far the form is; one that comes after all is welcome. */
type EmbedState = 'loading' | 'failed' | 'ready'

/**
 * Loads the script once and watches what it puts into `host`, either into the container or beside
 * it. What was loaded goes with the component; to try again, give it another key.
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
    const place = host.current
    if (!place) return
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
    const timer = setTimeout(giveUp, patience)
    script.addEventListener('error', giveUp)
    const observer = new MutationObserver(() => {
      const isFilled = container.childElementCount > 0 || place.childElementCount > 2
      if (!isFilled) return
      observer.disconnect()
      clearTimeout(timer)
      setState('ready')
    })

    place.append(container, script)
    observer.observe(place, { childList: true, subtree: true })
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      script.removeEventListener('error', giveUp)
      place.replaceChildren()
    }
  }, [embed])

  return { host, state }
}
