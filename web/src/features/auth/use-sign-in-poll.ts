import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { userQuery } from './api'

/** The polling interval in milliseconds and the maximum number of requests (spec §9). */
const interval = 1000
const maxAttempts = 10
/** The maximum total time in milliseconds, if responses are slow. */
const maxDuration = 60_000

/**
 * Requests the signed-in user once per second, until there is one or after ten attempts (spec §2).
 * A slower response delays the next request.
 */
export function useSignInPoll(): 'waiting' | 'found' | 'timed-out' {
  const queryClient = useQueryClient()
  const [outcome, setOutcome] = useState<'waiting' | 'found' | 'timed-out'>('waiting')

  useEffect(() => {
    let attempts = 0
    let isFetching = false
    let isOver = false
    const start = Date.now()
    const end = (how: 'found' | 'timed-out') => {
      isOver = true
      clearInterval(timer)
      setOutcome(how)
    }
    const attempt = async () => {
      attempts += 1
      isFetching = true
      const user = await queryClient.query(userQuery({ mustFetch: true })).catch(() => null)
      isFetching = false
      if (user && !isOver) end('found')
    }
    const timer = setInterval(() => {
      const isInTime = Date.now() - start < maxDuration
      if (isFetching && isInTime) return
      if (attempts < maxAttempts && isInTime) void attempt()
      else end('timed-out')
    }, interval)
    void attempt()
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [queryClient])

  return outcome
}
