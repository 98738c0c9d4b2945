import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readJson } from '../../api/client'
import type { ServerProblems as Problems } from '../../api/types'
import { Alert } from '../../components/ui/alert'
import styles from './server-problems.module.css'

/**
 * The problems of the server that an admin must solve. Fetched when the portal or another of its tabs is
 * opened: polling would prolong the session of an admin who is away.
 */
const serverProblemsQuery = () =>
  queryOptions({
    queryKey: ['server-problems'],
    queryFn: ({ signal }) => readJson<Problems>('/api/server-problems', { signal }),
    staleTime: 60_000,
  })

/** Shows admins the problems of the server that visitors don't notice, such as failed backups. */
export function ServerProblems({ tab }: { tab: string }) {
  const queryClient = useQueryClient()
  const { data } = useQuery(serverProblemsQuery())

  useEffect(() => {
    queryClient.query(serverProblemsQuery()).catch(() => undefined)
  }, [queryClient, tab])

  if (!data || data.problems.length === 0) return null
  return (
    <div className={styles.root}>
      <div className="wrap">
        {data.problems.map((problem) => (
          <Alert key={problem} title={`${problem}.`}>
            Please tell the person who runs the server.
          </Alert>
        ))}
      </div>
    </div>
  )
}
