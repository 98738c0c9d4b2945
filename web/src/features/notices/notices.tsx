import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readJson } from '../../api/client'
import type { Notices as NoticeList } from '../../api/types'
import { Alert } from '../../components/ui/alert'
import styles from './notices.module.css'

/**
 * The problems of the server that an admin must solve. Fetched when the portal or another of its tabs is
 * opened: polling would prolong the session of an admin who is away.
 */
const noticesQuery = () =>
  queryOptions({
    queryKey: ['notices'],
    queryFn: ({ signal }) => readJson<NoticeList>('/api/notices', { signal }),
    staleTime: 60_000,
  })

/** Shows admins the problems of the server that visitors don't notice, such as failed backups. */
export function Notices({ tab }: { tab: string }) {
  const queryClient = useQueryClient()
  const { data } = useQuery(noticesQuery())

  useEffect(() => {
    queryClient.query(noticesQuery()).catch(() => undefined)
  }, [queryClient, tab])

  if (!data || data.problems.length === 0) return null
  return (
    <div className={styles.root}>
      <div className="wrap">
        {data.problems.map((problem) => (
          <Alert key={problem} title={`${problem}.`}>
            Visitors don’t notice it. Please tell the person who runs the server.
          </Alert>
        ))}
      </div>
    </div>
  )
}
