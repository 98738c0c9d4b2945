/**
 * What the server provides to its JavaScript engine, which has neither `Intl` nor files
 * (`src/features/pages/renderer.rs`). Undefined in browsers.
 */
interface ServerRuntime {
  /** Writes a line to the server's log. */
  log: (text: string) => void
  /** How far clocks in a zone are ahead of UTC, in milliseconds; NaN for an unknown zone. */
  offsetAt: (instant: number, zone: string) => number
  /** The banner of an event type as a data URL, which needs no request. */
  bannerUrl: (slug: string) => string
}

declare global {
  /** The name under which the server sets it. */
  var host: ServerRuntime | undefined
}

/** The server's functions, if this code runs on it. */
export const serverRuntime = globalThis.host
