import { ApiError } from './client'

/** What a toast or an alert says of a failed call: the server's words, else `fallback` (spec §8). */
export function wordsOf(cause: unknown, fallback: string): string {
  return cause instanceof ApiError && cause.message !== '' ? cause.message : fallback
}

/** What the server found wrong with each field; nothing where it was not that. */
export function fieldsOf(cause: unknown): Readonly<Record<string, string>> {
  return cause instanceof ApiError ? cause.fields : {}
}
