import { type ComponentType, lazy } from 'react'

/**
 * A screen whose code is a chunk of its own. After `load` it renders at once, without suspending, on
 * the server and in hydration.
 */
export function lazyScreen(importScreen: () => Promise<ComponentType>) {
  let Loaded: ComponentType | undefined
  const load = async () => (Loaded ??= await importScreen())
  const Lazy = lazy(async () => ({ default: await load() }))

  function Screen() {
    return Loaded ? <Loaded /> : <Lazy />
  }
  return Object.assign(Screen, { load, isLoaded: () => Loaded !== undefined })
}
