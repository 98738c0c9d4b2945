/**
 * What the server's JavaScript engine, which has no `Intl` and no files, gets from the server
 * (`src/features/pages/renderer.rs`). Browsers have none.
 */
interface Host {
  /** Writes a line to the server's log. */
  log: (text: string) => void
  /** How far clocks in a zone are ahead of UTC, in milliseconds; NaN for an unknown zone. */
  offsetAt: (instant: number, zone: string) => number
  /** The banner of an event type as a data URL, which needs no request. */
  bannerUrl: (slug: string) => string
}

declare global {
  var host: Host | undefined
}

/** The server, if this code runs on it. */
export const host = globalThis.host
