import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { type RefObject, useRef } from 'react'
import { readStored, writeStored } from '../lib/storage'
import { useRunningSave } from '../lib/unsaved-changes'
import { ApiError, writeJson, request, responseError } from './client'
import type { UploadedImage } from './types'

/**
 * Returns a form's `Idempotency-Key` for what it creates. The same content has the same key, so a
 * retry after a timeout or a lost connection returns what the first attempt created.
 */
export function useIdempotencyKey(): (content: unknown) => string {
  return useIdempotencyKeys().keyOf
}

/** The same, with the keys of `earlier` forms, and `renew` for content whose creation was undone. */
function useIdempotencyKeys(earlier?: (text: string) => string | undefined) {
  const keys = useRef(new Map<string, string>())
  return {
    keyOf: (content: unknown): string => {
      const text = JSON.stringify(content)
      const key = keys.current.get(text) ?? earlier?.(text) ?? newKey()
      keys.current.set(text, key)
      return key
    },
    renew: (content: unknown) => {
      keys.current.set(JSON.stringify(content), newKey())
    },
  }
}

interface SaveOutcome<Saved> {
  /** The form element, which is gone once the form has been left. */
  form: RefObject<HTMLFormElement | null>
  onSuccess: (saved: Saved) => void
  /** Called after it: who has left the form meanwhile stays where they are. */
  onClose: (saved: Saved) => void
  /** Resolves a conflict in the form; returns whether `cause` is one. */
  onConflict?: (cause: unknown) => boolean
  onError: (cause: unknown) => void
}

/** A form's save, whose outcome is also handled if the form has been left meanwhile. */
export function useFormSave<Saved, Content>(
  options: Pick<UseMutationOptions<Saved, Error, Content>, 'mutationFn' | 'onSuccess'>,
) {
  // The callbacks of `mutate` are not called for a component that has been removed.
  const { mutateAsync, isPending } = useMutation({ ...options, networkMode: 'always' })
  useRunningSave(isPending)
  const save = (content: Content, outcome: SaveOutcome<Saved>) => {
    const { form, onSuccess, onClose, onConflict, onError } = outcome
    void mutateAsync(content).then(
      (saved) => {
        onSuccess(saved)
        if (form.current) onClose(saved)
      },
      (cause: unknown) => {
        if (!form.current || !onConflict?.(cause)) onError(cause)
      },
    )
  }
  return { save, isPending }
}

/** A random UUID, also on sites served over plain http, where `randomUUID` is missing. */
function newKey(): string {
  if (window.isSecureContext) return crypto.randomUUID()
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  )
  return bytes.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Creates the resource in `body`; a repeat with the same key returns the one created before. */
export async function createJson<T>(path: string, body: unknown, key: string): Promise<T> {
  const created = await writeJson<T>('POST', path, body, { 'Idempotency-Key': key })
  if (created === null) throw new ApiError('Unknown error', 204)
  return created
}

/** What a form creates and changes. */
interface Revised {
  readonly id: number
  readonly revision: number
}

/** The statuses of content that the server rejects, so that it has created nothing. */
const rejections = [400, 409, 413, 422]

/** Changes an item at `path` that a lost attempt created. */
export const changeAt =
  (path: string) =>
  <Item extends Revised>({ id, revision }: Item, body: object): Promise<Item | null> =>
    // A revision of the form itself is that of a conflict which it has resolved.
    writeJson<Item>('PUT', `${path}/${id}`, { revision, ...body })

interface CreateOptions {
  /** Whether the content has a secret, so that no lost attempt is stored. */
  isSecret?: boolean
}

/** An attempt whose response is not there, and may be lost: it may have created the item. */
interface LostAttempt {
  /** Its content. */
  text: string
  /** Its `Idempotency-Key`. */
  key: string
}

/**
 * The last such attempt at `path` in this browser: its input may be restored in another form, which
 * must not create the item again.
 */
function storeLostAttempt(path: string, attempt: LostAttempt | null) {
  writeStored(`lectern.lost.${path}`, attempt && JSON.stringify(attempt))
}

function keyOfLostAttempt(path: string, text: string): string | undefined {
  try {
    const stored = readStored(`lectern.lost.${path}`) ?? 'null'
    const attempt = JSON.parse(stored) as Partial<LostAttempt> | null
    return attempt?.text === text ? attempt.key : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the functions with which a form creates an item at `path`, once. After an attempt whose
 * response was lost, `create` with other content repeats that attempt to find what it created, for
 * `change`: it saves the other content, or removes what it gets and returns undefined, to create the
 * content anew. `removeLost` removes what a lost attempt created, for a form that creates something
 * else instead.
 */
export function useCreateOnce<Item>(
  path: string,
  change: (earlier: Item, body: object) => Promise<Item | null | undefined>,
  { isSecret = false }: CreateOptions = {},
) {
  const { keyOf, renew } = useIdempotencyKeys((text) => keyOfLostAttempt(path, text))
  /** The content of an attempt that may have created the item. */
  const uncertain = useRef<object>(undefined)
  /** What that attempt created, and its content. */
  const earlier = useRef<{ item: Item; body: object }>(undefined)

  /** Records that an attempt with this content has ended. */
  const settle = (body: object) => {
    uncertain.current = undefined
    if (keyOfLostAttempt(path, JSON.stringify(body))) storeLostAttempt(path, null)
  }
  const attempt = async (body: object): Promise<Item> => {
    // Until it is settled, because the form may be left, and its input restored in another one, before the response.
    if (!isSecret) storeLostAttempt(path, { text: JSON.stringify(body), key: keyOf(body) })
    try {
      const created = await createJson<Item>(path, body, keyOf(body))
      settle(body)
      return created
    } catch (cause) {
      if (mayBeSaved(cause)) uncertain.current = body
      else if (cause instanceof ApiError && rejections.includes(cause.status)) settle(body)
      throw cause
    }
  }
  /** Finds what the uncertain attempt created, if it did or does so now. */
  const findEarlier = async (): Promise<Item | undefined> => {
    const body = uncertain.current
    if (!earlier.current && body) {
      const item = await attempt(body).catch(undefinedIf(rejections))
      if (item !== undefined) earlier.current = { item, body }
    }
    return earlier.current?.item
  }
  /** Forgets what the attempt created, which no longer exists. */
  const forgetRemoved = () => {
    if (earlier.current) renew(earlier.current.body)
    earlier.current = undefined
  }
  const changeEarlier = async (body: object): Promise<Item | null | undefined> => {
    const isRepeated = JSON.stringify(uncertain.current) === JSON.stringify(body)
    if (!earlier.current && isRepeated) return undefined
    const found = await findEarlier()
    if (found === undefined) return undefined
    // It may have been deleted since.
    const changed = await change(found, body).catch(undefinedIf([404, 410]))
    if (!changed) forgetRemoved()
    return changed
  }

  return {
    create: async (body: object): Promise<Item> => {
      const saved = (await changeEarlier(body)) ?? (await attempt(body))
      earlier.current = undefined
      return saved
    },
    /** Continues after a lost attempt of an earlier form that had one of these contents. */
    resume: (bodies: readonly object[]) => {
      uncertain.current = bodies.find((body) => keyOfLostAttempt(path, JSON.stringify(body)))
    },
    removeLost: async (remove: (item: Item) => Promise<unknown>): Promise<void> => {
      const found = await findEarlier()
      if (found === undefined) return
      await remove(found)
      forgetRemoved()
    },
  }
}

/** `useCreateOnce` for items that are changed at `path` too. */
export function useCreate<Item extends Revised>(path: string, options?: CreateOptions) {
  return useCreateOnce<Item>(path, changeAt(path), options)
}

/** Returns a handler of failures that turns those with such a status into undefined. */
export function undefinedIf(statuses: readonly number[]): (cause: unknown) => undefined {
  return (cause) => {
    if (cause instanceof ApiError && statuses.includes(cause.status)) return undefined
    throw cause
  }
}

/** Uploads an image and returns its URL on this server; fails with a message that can be shown. */
export async function uploadImage(image: File): Promise<string> {
  try {
    const response = await request('/api/pictures', {
      method: 'POST',
      headers: { 'Content-Type': image.type },
      body: image,
    })
    if (!response.ok) throw await responseError(response)
    return ((await response.json()) as UploadedImage).url
  } catch (cause) {
    throw new Error(readMessageOf(cause, 'The image could not be uploaded'), { cause })
  }
}

/** Whether the server may have saved a change although its request failed. */
export function mayBeSaved(cause: unknown): boolean {
  return !(cause instanceof ApiError) || cause.status >= 500
}

/** Whether a proxy has responded instead of the server, whose errors are JSON. */
const isFromProxy = (cause: unknown): boolean =>
  cause instanceof ApiError && cause.status >= 500 && cause.body === null

const unreachable = 'The server could not be reached just now'

/** The message to show for a failed change: the server's, else `fallback` (spec §8). */
export function messageOf(cause: unknown, fallback: string): string {
  if (isFromProxy(cause)) {
    return `${fallback}. ${unreachable}. The change may or may not have been saved.`
  }
  return cause instanceof ApiError && cause.message !== '' ? cause.message : fallback
}

/** The same for a request that changes nothing. */
export function readMessageOf(cause: unknown, fallback: string): string {
  return isFromProxy(cause) ? `${fallback}. ${unreachable}.` : messageOf(cause, fallback)
}

/** Why a save failed, to stay beside the Save button when the toast is gone; undefined if fields have the errors. */
export function saveProblemOf(cause: unknown): string | undefined {
  if (!(cause instanceof ApiError)) {
    return 'The server could not be reached. What you typed is kept: save it again when the connection is back.'
  }
  if (isFromProxy(cause)) {
    return `${unreachable}, and the change may or may not have been saved. What you typed is kept: save it again in a moment.`
  }
  return Object.keys(cause.fields).length > 0 || cause.message === '' ? undefined : cause.message
}

/** The server's validation messages by field; empty for other errors. */
export function fieldErrorsOf(cause: unknown): Readonly<Record<string, string>> {
  return cause instanceof ApiError ? cause.fields : {}
}

/** The version that another admin saved, if an update failed with that conflict. */
export function conflictingVersion(cause: unknown): unknown {
  if (!(cause instanceof ApiError) || cause.status !== 409) return undefined
  return (cause.body as { current?: unknown } | null)?.current
}
