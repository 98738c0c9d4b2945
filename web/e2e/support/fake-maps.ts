import type { Page } from '@playwright/test'

/** The response to the request for the script. */
export type MapsMode = 'works' | 'fails' | 'is broken'

/** The part of the provider's script that the page uses, with one place. */
const script = `
  class FakeSearch extends HTMLElement {
    constructor(options) {
      super()
      window.searchOptions = options
      const root = this.attachShadow({ mode: 'open' })
      // Like the real script, this needs the portal's content security policy.
      root.innerHTML = '<style>input { border: 0; font: inherit; padding: 10px 13px; width: 100%;' +
        ' background: transparent; color: inherit; box-sizing: border-box }</style>'
      this.input = document.createElement('input')
      root.append(this.input)
      this.input.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && this.input.value === 'Arcadia') this.choose()
      })
    }
    connectedCallback() {
      this.input.placeholder = this.getAttribute('placeholder')
      this.input.setAttribute('aria-label', 'Find a venue')
      this.input.title = this.getAttribute('description')
    }
    choose() {
      const place = {
        id: 'arcadia-place',
        async fetchFields({ fields }) {
          window.fetchedFields = fields
          Object.assign(place, {
            displayName: 'The Arcadia House',
            formattedAddress: '4400 N 64th St, Scottsdale, AZ 85251, USA',
            addressComponents: [
              { types: ['locality', 'political'], longText: 'Scottsdale', shortText: 'Scottsdale' },
              { types: ['administrative_area_level_1'], longText: 'Arizona', shortText: 'AZ' },
            ],
          })
        },
      }
      const event = new Event('gmp-select', { bubbles: true })
      event.placePrediction = { toPlace: () => place }
      this.dispatchEvent(event)
    }
  }
  customElements.define('gmp-place-autocomplete', FakeSearch)
  window.google = { maps: { importLibrary: async () => ({ PlaceAutocompleteElement: FakeSearch }) } }
  window[new URL(document.currentScript.src).searchParams.get('callback')]()
`

/** The page in the map's frame. */
const map = '<!doctype html><html lang="en"><title>A map</title><main><h1>A map</h1></main></html>'

/** Replaces the maps provider: no request reaches the real one. */
export async function fakeMaps(page: Page): Promise<{ requests: URL[]; mode: MapsMode }> {
  await page.route('https://www.google.com/maps/embed/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: map }),
  )
  const maps: { requests: URL[]; mode: MapsMode } = { requests: [], mode: 'works' }
  await page.route('https://*.googleapis.com/**', async (route) => {
    maps.requests.push(new URL(route.request().url()))
    if (maps.mode === 'fails') await route.abort()
    else {
      const body =
        maps.mode === 'works'
          ? script
          : script.replace('importLibrary: async () =>', 'importLibrary: async () => no.such ?? ')
      await route.fulfill({ contentType: 'text/javascript', body })
    }
  })
  return maps
}
