import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Alert } from '../../components/ui/alert'
import styles from './embedded-form.module.css'

/** A form that a provider's script adds to the page. */
export interface ProviderForm {
  scriptUrl: string
  /** The `id` of the element that the script fills. */
  containerId: string
  /** Attributes of that element that the script reads. */
  attributes: Readonly<Record<string, string>>
}

interface ProviderFormAttemptProps extends ProviderForm {
  /** Counted from 0. */
  attempt: number
  /** The placeholder until the form is ready. */
  skeleton: ReactNode
  onRetry: () => void
}

/** One attempt to load the provider's form. To try again, change the key of the component. */
export function ProviderFormAttempt({
  attempt,
  skeleton,
  onRetry,
  ...form
}: ProviderFormAttemptProps) {
  const { root, state } = useProviderForm(form, attempt)
  return (
    <>
      {state === 'loading' && skeleton}
      {state === 'failed' && (
        <div className={styles.failed}>
          <Alert title="The form could not be loaded." onRetry={onRetry} />
        </div>
      )}
      <div ref={root} className={state === 'ready' ? styles.form : styles.loading} />
    </>
  )
}

/**
 * The script's URL for an attempt. Each attempt has its own: browsers queue a second request
 * for the same URL behind the first, which may hang.
 */
function scriptUrlFor(attempt: number, scriptUrl: string): string {
  if (attempt === 0) return scriptUrl
  const url = new URL(scriptUrl)
  url.searchParams.set('attempt', String(attempt + 1))
  return url.href
}

/** How long the form may load before an error is shown, in milliseconds (guide §6). */
const loadTimeout = 8000

/** The state of the form; one that loads after a failure is still shown. */
type LoadState = 'loading' | 'failed' | 'ready'

/**
 * Loads the script once and observes what it adds to `root`, either into the container or beside
 * it. Unmounting removes it.
 */
function useProviderForm({ scriptUrl, containerId, attributes }: ProviderForm, attempt: number) {
  const root = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<LoadState>('loading')
  const [form] = useState({
    scriptUrl: scriptUrlFor(attempt, scriptUrl),
    containerId,
    attributes,
  })

  useEffect(() => {
    const element = root.current
    if (!element) return
    const container = document.createElement('div')
    for (const [name, value] of Object.entries(form.attributes)) {
      container.setAttribute(name, value)
    }
    if (form.containerId) container.id = form.containerId
    const script = document.createElement('script')
    script.src = form.scriptUrl
    script.async = true
    const fail = () => {
      setState((current) => (current === 'ready' ? current : 'failed'))
    }
    const timer = setTimeout(fail, loadTimeout)
    script.addEventListener('error', fail)
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
      script.removeEventListener('error', fail)
      element.replaceChildren()
    }
  }, [form])

  return { root, state }
}
