import { Button } from '../../../components/ui/button'
import { Empty } from '../../../components/ui/empty'
import { Icon } from '../../../components/ui/icon'

/** The empty state of a month, with buttons to go on (spec §2). */
export function NoEvents({ onNextMonth }: { onNextMonth: () => void }) {
  return (
    <Empty title="No events scheduled this month">
      <Button size="dense" onClick={onNextMonth}>
        Next month <Icon name="next" />
      </Button>
    </Empty>
  )
}
