import { createContext, use, useEffect, useEffectEvent, useRef, useState } from 'react'
import { readStored, writeStored } from './storage'

/** What was typed into a form that was left without saving. */
export interface FormDraft<Values> {
  /** When it was typed, in epoch milliseconds. */
  savedAt: number
  /** The values with which the form opened. */
  start: Values
  values: Values
  /** The revision of the edited item; null for a new one. */
  revision: number | null
}

/** The id of the signed-in user, to whom drafts belong; without one nothing is stored. */
export const DraftOwner = createContext<number | null>(null)

const day = 24 * 60 * 60 * 1000
/** Older drafts are discarded, in milliseconds. */
const maxAge = 30 * day
/** Delay after the last change until it is stored, in milliseconds. */
const storeDelay = 500

interface FormDraftOptions<Values> {
  /** Which form it is, such as `event.12` or `event.new`; undefined for a form without drafts. */
  name: string | undefined
  start: Values
  values: Values
  revision: number | null
  isChanged: boolean
}

/** The draft of a form. */
export interface DraftState<Values> {
  /** The draft of an earlier visit, until it is restored or discarded. */
  offered: FormDraft<Values> | null
  /** Whether the current changes are stored when the form is left. */
  isKept: boolean
  /** Ends the offer, and forgets the draft unless it is restored. */
  answer: (isRestored: boolean) => void
  /** Forgets the draft, after the form was saved. */
  clear: () => void
}

/**
 * Stores what is typed into a form in this browser, for this user only, and offers it when the form
 * opens again. While a draft is offered, it is not replaced.
 */
export function useFormDraft<Values>({
  name,
  start,
  values,
  revision,
  isChanged,
}: FormDraftOptions<Values>): DraftState<Values> {
  const owner = use(DraftOwner)
  // The user who opened the form: another one may sign in when the session ends.
  const [key] = useState(() =>
    name === undefined || owner === null ? null : `lectern.draft.${owner}.${name}`,
  )
  const [offered, setOffered] = useState(() => (key === null ? null : readDraft<Values>(key)))
  const isKept = key !== null && !offered
  /** What is to be stored next; undefined if everything is stored. */
  const pending = useRef<FormDraft<Values> | null | undefined>(undefined)
  const isStored = useRef(false)

  const flush = useEffectEvent(() => {
    const draft = pending.current
    pending.current = undefined
    // A draft that another tab has stored since stays.
    if (!key || draft === undefined || (draft === null && !isStored.current)) return
    isStored.current = draft !== null
    writeStored(key, draft && JSON.stringify(draft))
  })
  useEffect(() => {
    if (!isKept) return
    pending.current = isChanged ? { savedAt: Date.now(), start, values, revision } : null
    const timer = setTimeout(flush, storeDelay)
    return () => {
      clearTimeout(timer)
    }
  }, [isKept, start, values, revision, isChanged])
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

  const forget = () => {
    pending.current = undefined
    if (key) writeStored(key, null)
  }
  return {
    offered,
    isKept,
    answer: (isRestored) => {
      if (!isRestored) forget()
      setOffered(null)
    },
    clear: forget,
  }
}

function readDraft<Values>(key: string): FormDraft<Values> | null {
  const text = readStored(key)
  if (text === null) return null
  try {
    const draft = JSON.parse(text) as FormDraft<Values>
    if (draft.savedAt > Date.now() - maxAge) return draft
  } catch {
    // Not a draft of this version.
  }
  writeStored(key, null)
  return null
}
