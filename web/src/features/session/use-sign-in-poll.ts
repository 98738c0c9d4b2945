import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { userQuery } from './api'

/** How often, in milliseconds, and how many times at most the user is asked for (spec §9). */
const interval = 1000
const maxAttempts = 10

/** Asks once per second who is signed in, until somebody is or ten attempts are over (spec §2). */
export function useSignInPoll(): 'waiting' | 'found' | 'given-up' {
  const queryClient = useQueryClient()
  const [outcome, setOutcome] = useState<'waiting' | 'found' | 'given-up'>('waiting')

  useEffect(() => {
    let attempts = 0
    let isOver = false
    const end = (how: 'found' | 'given-up') => {
      isOver = true
      clearInterval(timer)
      setOutcome(how)
    }
    const attempt = async () => {
      attempts += 1
      const user = await queryClient.query(userQuery({ isCertain: true })).catch(() => null)
      if (user && !isOver) end('found')
    }
    const timer = setInterval(() => {
      if (attempts < maxAttempts) void attempt()
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
