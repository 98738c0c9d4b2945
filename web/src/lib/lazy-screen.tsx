import { type ComponentType, lazy, type ReactNode, useEffect, useRef } from 'react'
import { logProblem } from './log-problem'

/**
 * A screen whose code is a chunk of its own. After `load` it renders at once, without suspending, on
 * the server and in hydration.
 */
export function lazyScreen(importScreen: () => Promise<ComponentType>) {
  return lazyComponent(importScreen)
}

/**
 * A part of a screen whose code is a chunk of its own, for use in a Suspense boundary. The server's
 * markup stays until the code has arrived, however long that takes: its links work.
 */
export function lazyPart<Props extends object>(importPart: () => Promise<ComponentType<Props>>) {
  return lazyComponent(async () => {
    const Part = await untilItArrives(importPart)
    return function LaterPart(props: Props) {
      return (
        <Later>
          <Part {...props} />
        </Later>
      )
    }
  })
}

/** Tells that its children are hydrated: React ignores taps on them before. */
function Later({ children }: { children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    root.current?.dispatchEvent(new Event('lectern:ready', { bubbles: true }))
  }, [])
  return (
    <div ref={root} className="later-part" data-later="">
      {children}
    </div>
  )
}

function lazyComponent<Props extends object>(importComponent: () => Promise<ComponentType<Props>>) {
  let Loaded: ComponentType<Props> | undefined
  const load = async () => (Loaded ??= await importComponent())
  const Lazy = lazy(async () => ({ default: await load() }))

  function Component(props: Props) {
    return Loaded ? <Loaded {...props} /> : <Lazy {...props} />
  }
  return Object.assign(Component, { load, isLoaded: () => Loaded !== undefined })
}

const firstPause = 1000
const longestPause = 30_000

async function untilItArrives<Value>(load: () => Promise<Value>): Promise<Value> {
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await load()
    } catch (cause) {
      logProblem('A part of the page could not be loaded', cause)
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}
