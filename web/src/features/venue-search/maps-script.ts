import type { ProviderPlace, placeFields } from './found-place'

/** A chosen place, before its fields are fetched. */
interface ChosenPlace extends ProviderPlace {
  fetchFields: (request: { fields: readonly (typeof placeFields)[number][] }) => Promise<unknown>
}

/** The event of a place chosen in the search. */
export interface PlaceSelectEvent extends Event {
  placePrediction: { toPlace: () => ChosenPlace }
}

/** The part of the provider's library that is used. */
export interface PlacesLibrary {
  PlaceAutocompleteElement: new (options: {
    includedRegionCodes: string[]
    includedPrimaryTypes: string[]
  }) => HTMLElement
}

/** The globals of the provider's script. */
interface Maps {
  google?: { maps?: { importLibrary?: (name: 'places') => Promise<PlacesLibrary> } }
  /** Called by the script as soon as it is ready. */
  lecternMapsReady?: () => void
}

/** The script failed to load. */
export class ScriptLoadError extends Error {}

/** The time limit for loading the script, in milliseconds. */
const loadTimeout = 15_000

let script: Promise<void> | undefined

/** The maps library; its script is loaded once, on first use. */
export async function loadPlaces(key: string): Promise<PlacesLibrary> {
  script ??= loadScript(key).catch((cause: unknown) => {
    // The next form retries.
    script = undefined
    throw cause
  })
  await script
  const importLibrary = (window as Maps).google?.maps?.importLibrary
  if (!importLibrary) throw new Error('The maps script loaded without its libraries')
  return importLibrary('places')
}

function loadScript(key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const url = new URL('https://maps.googleapis.com/maps/api/js')
    url.search = new URLSearchParams({
      key,
      libraries: 'places',
      loading: 'async',
      callback: 'lecternMapsReady',
    }).toString()
    const element = document.createElement('script')
    const onLoadTimeout = () => {
      clearTimeout(timer)
      element.remove()
      reject(new ScriptLoadError('The maps script could not be loaded'))
    }
    const timer = setTimeout(onLoadTimeout, loadTimeout)
    element.addEventListener('error', onLoadTimeout)
    ;(window as Maps).lecternMapsReady = () => {
      clearTimeout(timer)
      resolve()
    }
    element.async = true
    element.src = url.href
    document.head.append(element)
  })
}
