import { NewsletterBlock } from '../features/newsletter/newsletter-block'
import { SubscriptionList } from '../features/subscriptions/subscription-list'
import { useSite } from './initial-data'

/** The newsletter section, with the calendar's subscriptions instead of a form that is missing. */
export function NewsletterContent() {
  const { subscribe, contact, baseUrl, name } = useSite()
  return (
    <NewsletterBlock
      form={subscribe}
      email={contact.email}
      subscriptions={<SubscriptionList baseUrl={baseUrl} siteName={name} />}
    />
  )
}
