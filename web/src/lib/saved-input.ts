import { createContext, use, useEffect, useEffectEvent, useRef, useState } from 'react'
import { readStored, writeStored } from './storage'

/** What was typed into a form that was left without saving. */
export interface SavedInput<Values> {
  /** When it was typed, in epoch milliseconds. */
  savedAt: number
  /** The values with which the form opened. */
  start: Values
  values: Values
  /** The revision of the edited item; null for a new one. */
  revision: number | null
  /** The form that has stored it; input from before that was recorded has none. */
  form?: string
}

/** The id of the signed-in user, to whom stored input belongs; without one nothing is stored. */
export const SavedInputOwner = createContext<number | null>(null)

const day = 24 * 60 * 60 * 1000
/** Older input is discarded, in milliseconds. */
const maxAge = 30 * day
/** Delay after the last change until it is stored, in milliseconds. */
const storeDelay = 500

/** What is called with the key of input that a form of this page has deleted. */
const onDeleted = new Set<(key: string) => void>()

interface SavedInputOptions<Values> {
  /** Which form it is, such as `event.12` or `event.new`; undefined for a form whose input is not stored. */
  name: string | undefined
  start: Values
  values: Values
  revision: number | null
  isChanged: boolean
}

/** The stored input of a form. */
export interface SavedInputState<Values> {
  /** The input of an earlier visit, until it is restored or discarded. */
  offered: SavedInput<Values> | null
  /** Whether the current changes are stored when the form is left. */
  isStored: boolean
  /** Ends the offer, and deletes the stored input unless it is restored. */
  dismiss: (isRestored: boolean) => void
  /** Deletes the stored input, after the form was saved. */
  clear: () => void
}

/**
 * Stores what is typed into a form in this browser, for this user only, and offers it when the form
 * opens again, or when the same form in another tab has stored something. While input is offered, it
 * is not replaced.
 */
export function useSavedInput<Values>({
  name,
  start,
  values,
  revision,
  isChanged,
}: SavedInputOptions<Values>): SavedInputState<Values> {
  const owner = use(SavedInputOwner)
  // The user who opened the form: another one may sign in when the session ends.
  const [key] = useState(() =>
    // The name in browsers that have stored input already.
    name === undefined || owner === null ? null : `lectern.draft.${owner}.${name}`,
  )
  const [offered, setOffered] = useState(() => (key === null ? null : readInput<Values>(key)))
  const isStored = key !== null && !offered
  /** Names this form in what it stores. */
  const [form] = useState(() => `${Date.now()}.${Math.random()}`)
  /** What is to be stored next; undefined if everything is stored. */
  const pending = useRef<SavedInput<Values> | null | undefined>(undefined)
  const hasStored = useRef(false)

  const flush = useEffectEvent(() => {
    const input = pending.current
    pending.current = undefined
    if (!key || input === undefined || (input === null && !hasStored.current)) return
    const other = readInput<Values>(key)
    if (other && other.form !== form) {
      setOffered(other)
      return
    }
    hasStored.current = input !== null
    writeStored(key, input && JSON.stringify(input))
  })
  useEffect(() => {
    if (!isStored) return
    pending.current = isChanged ? { savedAt: Date.now(), start, values, revision, form } : null
    const timer = setTimeout(flush, storeDelay)
    return () => {
      clearTimeout(timer)
    }
  }, [isStored, start, values, revision, isChanged, form])
  useEffect(() => {
    const store = () => {
      flush()
    }
    window.addEventListener('pagehide', store)
    return () => {
      window.removeEventListener('pagehide', store)
      store()
    }
  }, [])

  useEffect(() => {
    // Its form, which was left while it was saved, has saved it.
    const endOffer = (deleted: string | null) => {
      if (deleted === key) setOffered(null)
    }
    const onStorage = (event: StorageEvent) => {
      if (event.newValue === null) endOffer(event.key)
    }
    onDeleted.add(endOffer)
    window.addEventListener('storage', onStorage)
    return () => {
      onDeleted.delete(endOffer)
      window.removeEventListener('storage', onStorage)
    }
  }, [key])

  const remove = () => {
    pending.current = undefined
    if (!key) return
    writeStored(key, null)
    for (const listener of onDeleted) listener(key)
  }
  return {
    offered,
    isStored,
    dismiss: (isRestored) => {
      if (!isRestored) remove()
      else if (key) writeStored(key, JSON.stringify({ ...offered, form }))
      setOffered(null)
    },
    clear: () => {
      pending.current = undefined
      // What another tab has stored since stays.
      if (key && readInput(key)?.form === form) remove()
    },
  }
}

function readInput<Values>(key: string): SavedInput<Values> | null {
  const text = readStored(key)
  if (text === null) return null
  try {
    const input = JSON.parse(text) as SavedInput<Values>
    if (input.savedAt > Date.now() - maxAge) return input
  } catch {
    // Not in the format of this version.
  }
  writeStored(key, null)
  return null
}
