import { Button } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import styles from './no-events.module.css'

const windows = Array.from({ length: 10 }, (_, index) => index)

/** A month without events: a façade with one lit window, and the way on (spec §2, guide §7). */
export function NoEvents({ onNextMonth }: { onNextMonth: () => void }) {
  return (
    <div className={styles.root}>
      <span className={styles.facade} aria-hidden="true">
        {windows.map((window) => (
          <i key={window} className={styles.window} />
        ))}
      </span>
      <b className={styles.words}>No events scheduled this month</b>
      <Button size="dense" onClick={onNextMonth}>
        Next month <Icon name="next" />
      </Button>
    </div>
  )
}
