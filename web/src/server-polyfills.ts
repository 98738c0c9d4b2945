/**
 * Polyfills of the browser APIs that the libraries use and the server's JavaScript engine (QuickJS)
 * lacks, as far as rendering needs them: nothing is fetched, and no timer runs.
 */
import { serverRuntime } from './lib/server-runtime'

const log = (...parts: unknown[]) => {
  serverRuntime?.log(parts.map(String).join(' '))
}

/** Decodes a part of a query string. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch {
    return text
  }
}

/** A subset of `URLSearchParams`. */
class SearchParams {
  readonly #pairs: [string, string][]

  constructor(init: string | Iterable<[string, string]> | Record<string, string> = '') {
    if (typeof init === 'string') {
      const parts = init.replace(/^\?/, '').split('&').filter(Boolean)
      this.#pairs = parts.map((part) => {
        const [name = '', ...value] = part.split('=')
        return [decode(name), decode(value.join('='))]
      })
    } else {
      this.#pairs = Symbol.iterator in init ? [...init] : Object.entries(init)
    }
  }

  get(name: string): string | null {
    return this.#pairs.find(([key]) => key === name)?.[1] ?? null
  }

  getAll(name: string): string[] {
    return this.#pairs.filter(([key]) => key === name).map(([, value]) => value)
  }

  has(name: string): boolean {
    return this.#pairs.some(([key]) => key === name)
  }

  set(name: string, value: string): void {
    this.delete(name)
    this.append(name, value)
  }

  append(name: string, value: string): void {
    this.#pairs.push([name, value])
  }

  delete(name: string): void {
    const others = this.#pairs.filter(([key]) => key !== name)
    this.#pairs.splice(0, this.#pairs.length, ...others)
  }

  get size(): number {
    return this.#pairs.length
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of this.#pairs) visit(value, name)
  }

  keys(): IterableIterator<string> {
    return this.#pairs.map(([key]) => key)[Symbol.iterator]()
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#pairs[Symbol.iterator]()
  }

  toString(): string {
    const encode = (text: string) => encodeURIComponent(text).replace(/%20/g, '+')
    return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  }
}

/** An absolute http URL or a path on one; a subset of `URL` that resolves nothing else. */
class HttpUrl {
  readonly href: string
  readonly origin: string
  readonly pathname: string
  readonly search: string
  readonly hash: string

  constructor(url: string, base = '') {
    const whole = url.startsWith('/') ? new HttpUrl(base).origin + url : url
    const parts = /^(https?:\/\/[^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/.exec(whole)
    if (!parts) throw new TypeError(`Invalid URL: ${url}`)
    this.href = whole
    this.origin = parts[1] ?? ''
    this.pathname = parts[2] === '' ? '/' : (parts[2] ?? '/')
    this.search = parts[3] ?? ''
    this.hash = parts[4] ?? ''
  }

  toString(): string {
    return this.href
  }
}

Object.assign(globalThis, {
  console: { log, info: log, warn: log, error: log, debug: log },
  setTimeout: () => 0,
  clearTimeout: () => undefined,
  setInterval: () => 0,
  clearInterval: () => undefined,
  URL: HttpUrl,
  URLSearchParams: SearchParams,
})
