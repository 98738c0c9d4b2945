import type { ComponentProps } from 'react'
import { isPlainClick } from '../../../components/links'
import { SkipLink } from '../../../components/headers'
import { buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import styles from './calendar-card.module.css'
import { useCalendar } from './calendar-context'
import { type CalendarView, isInCalendar, type Period, stepFrom, titleOf, views } from './period'

/** With more events than this, there is a skip link (guide §9). */
const skippable = 10

interface ToolbarProps {
  period: Period
  /** The view whose code loads. */
  loadingView: CalendarView | undefined
  /** The number of events in the period. */
  count: number
  titleId: string
  /** The target of "Skip calendar". */
  endId: string
  Heading: 'h2' | 'h3'
  onStep: (direction: -1 | 1) => void
}

/** Previous, Today, next, the period, and in windows that are not narrow the views (spec §2). */
export function Toolbar(props: ToolbarProps) {
  const { period, loadingView, count, titleId, endId, Heading, onStep } = props
  const { today, onShow } = useCalendar()
  const step = (direction: -1 | 1, label: string) => (
    <PeriodLink
      className={buttonClass({ size: 'small' }, styles.step)}
      aria-label={`${label} ${period.view}`}
      rel="nofollow"
      period={stepFrom(period, direction)}
      onFollow={() => {
        onStep(direction)
      }}
    >
      <Icon name={direction < 0 ? 'previous' : 'next'} />
    </PeriodLink>
  )
  return (
    <div className={styles.bar} role="group" aria-label="Calendar controls">
      {step(-1, 'Previous')}
      <PeriodLink
        className={buttonClass({ size: 'small' }, styles.today)}
        period={{ ...period, day: today }}
      >
        Today
      </PeriodLink>
      {step(1, 'Next')}
      <Heading className={styles.title} id={titleId} tabIndex={-1} aria-live="polite">
        {titleOf(period)}
      </Heading>
      <div className={styles.views} role="group" aria-label="View">
        {views.map((view) => (
          <button
            key={view}
            type="button"
            className={styles.view}
            aria-pressed={view === period.view}
            aria-busy={view === loadingView || undefined}
            onClick={() => {
              onShow({ ...period, view })
            }}
          >
            {`${view.charAt(0).toUpperCase()}${view.slice(1)}`}
          </button>
        ))}
      </div>
      {count > skippable && <SkipLink href={`#${endId}`}>Skip calendar</SkipLink>}
    </div>
  )
}

interface PeriodLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  period: Period
  /** Replaces the navigation. */
  onFollow?: () => void
}

/**
 * A link to another period. To one outside of the calendar it is disabled, but can be focused: a step to the first or
 * last period keeps the focus.
 */
export function PeriodLink({ period, onFollow, ...props }: PeriodLinkProps) {
  const { hrefOf, onShow } = useCalendar()
  const isEnabled = isInCalendar(period.day)
  return (
    // eslint-disable-next-line jsx-a11y/anchor-has-content -- The content is in `props`.
    <a
      {...props}
      {...(!isEnabled && { role: 'link', tabIndex: 0, 'aria-disabled': true })}
      href={isEnabled ? hrefOf(period) : undefined}
      onClick={(click) => {
        if (!isPlainClick(click)) return
        click.preventDefault()
        if (!isEnabled) return
        if (onFollow) onFollow()
        else onShow(period)
      }}
    />
  )
}
