import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { userQuery } from './api'

/** How often, in milliseconds, and how many times at most the user is asked for (spec §9). */
const interval = 1000
const maxAttempts = 10
/** How many milliseconds all of it may take where answers are slow or a connection hangs. */
const patience = 60_000

/**
 * Asks once per second who is signed in, until somebody is or ten attempts are over (spec §2). An
 * attempt that takes longer than that is waited for, else the next one would only wait with it.
 */
export function useSignInPoll(): 'waiting' | 'found' | 'given-up' {
  const queryClient = useQueryClient()
  const [outcome, setOutcome] = useState<'waiting' | 'found' | 'given-up'>('waiting')

  useEffect(() => {
    let attempts = 0
    let isAsking = false
    let isOver = false
    const start = Date.now()
    const end = (how: 'found' | 'given-up') => {
      isOver = true
      clearInterval(timer)
      setOutcome(how)
    }
    const attempt = async () => {
      attempts += 1
      isAsking = true
      const user = await queryClient.query(userQuery({ isCertain: true })).catch(() => null)
      isAsking = false
      if (user && !isOver) end('found')
    }
    const timer = setInterval(() => {
      const isPatient = Date.now() - start < patience
      if (isAsking && isPatient) return
      if (attempts < maxAttempts && isPatient) void attempt()
      else end('given-up')
    }, interval)
    void attempt()
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [queryClient])

  return outcome
}
