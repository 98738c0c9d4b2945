import { SubscribeBlock } from '../features/newsletter/subscribe-block'
import { SubscriptionList } from '../features/subscriptions/subscription-list'
import { useSite } from './initial-data'

/** The newsletter section, with the calendar's subscriptions instead of a form that is missing. */
export function SubscribeContent() {
  const { subscribe, contact, baseUrl, name } = useSite()
  return (
    <SubscribeBlock
      form={subscribe}
      email={contact.email}
      subscriptions={<SubscriptionList baseUrl={baseUrl} siteName={name} />}
    />
  )
}
