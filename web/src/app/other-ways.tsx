import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { partQuery } from '../lib/part-query'
import { useNearViewport } from '../lib/use-near-viewport'
import { useSite } from './first-data'
import styles from './other-ways.module.css'

const listPart = partQuery(
  'subscription-list',
  async () => (await import('../features/subscriptions/subscription-list')).SubscriptionList,
)

/** The calendar's subscriptions; their code comes when the visitor gets near them. */
export function OtherWays() {
  const place = useRef<HTMLDivElement>(null)
  const isNear = useNearViewport(place, '75%')
  const { data: SubscriptionList } = useQuery({ ...listPart, enabled: isNear })
  const { baseUrl, name } = useSite()
  return (
    <div ref={place} className={styles.place}>
      {SubscriptionList && <SubscriptionList baseUrl={baseUrl} siteName={name} />}
    </div>
  )
}
