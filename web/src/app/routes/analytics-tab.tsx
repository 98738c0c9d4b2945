import { Empty } from '../../components/ui/empty'
import { TabHead } from '../../components/ui/tab-head'

/** The portal's Analytics tab, which is a promise so far (spec §1). */
export function AnalyticsTab() {
  return (
    <>
      <TabHead title="Analytics" />
      <Empty words="Analytics dashboard coming soon." />
    </>
  )
}
