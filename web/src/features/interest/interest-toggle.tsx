import type { ReactNode } from 'react'
import type { CalendarEvent } from '../../api/types'
import { Button } from '../../components/ui/button'
import { Spinner } from '../../components/ui/loading'
import { AttendingCount } from './attending-count'
import styles from './interest-toggle.module.css'
import { type InterestToasts, type ServedInterest, useInterest } from './use-interest'

const thanks = 'Thank you for your interest in this event!'
const updateFailed = 'Failed to update interest. Please try again.'

const remove = {
  done: {
    title: 'Interest Removed',
    description: 'Your interest has been removed from this event.',
  },
  failed: updateFailed,
}

const toggleToasts: InterestToasts = {
  add: { done: { title: 'Interest Indicated', description: thanks }, failed: updateFailed },
  remove,
}

const calendarToasts: InterestToasts = {
  indicate: {
    done: { title: 'Interest indicated', description: thanks },
    failed: 'Failed to indicate interest. Please try again.',
  },
  remove,
}

interface InterestToggleProps {
  event: Pick<CalendarEvent, 'id' | 'path'>
  /**
   * The id of the text that says that the event is over, cancelled or postponed: then visitors can be
   * removed only.
   */
  closedBy?: string | undefined
  /** The interest that the server wrote into the page, if it knows the visitor. */
  served?: ServedInterest | undefined
  /** The button of a dialog, which the footer has between the count and the main action. */
  closeButton?: ReactNode
}

/** Toggles whether the visitor plans to attend, without signing in (spec §4). */
export function InterestToggle(props: InterestToggleProps) {
  return <InterestForm {...props} add="add" toasts={toggleToasts} />
}

/** The toggle of the public calendar, with a request and toasts of its own (spec §7, §8). */
export function CalendarInterestToggle(props: InterestToggleProps) {
  return <InterestForm {...props} add="indicate" toasts={calendarToasts} />
}

interface InterestFormProps extends InterestToggleProps {
  add: 'add' | 'indicate'
  toasts: InterestToasts
}

/** A form that also works without scripts, when it leads to the attendance page. */
function InterestForm({ event, closedBy, served, closeButton, add, toasts }: InterestFormProps) {
  const { count, isAttending, isPending, button, send } = useInterest(event.id, toasts, served)
  const reasonId = isAttending ? undefined : closedBy

  const toggle = (
    <Button
      ref={button}
      type="submit"
      name="action"
      value={isAttending ? 'remove' : 'add'}
      className={styles.toggle}
      variant={isAttending ? 'secondary' : 'primary'}
      disabled={isPending || reasonId !== undefined}
      aria-describedby={reasonId}
      onClick={(click) => {
        // The second click of a double click would undo the first.
        if (click.detail > 1) click.preventDefault()
      }}
    >
      {isPending && <Spinner />}
      {isPending ? 'Submitting...' : isAttending ? "Can't Attend" : 'Planning to Attend'}
    </Button>
  )
  return (
    <form
      className={closeButton ? styles.footer : styles.root}
      method="post"
      tabIndex={-1}
      action={`${event.path}/attendance`}
      onSubmit={(submit) => {
        submit.preventDefault()
        send(isAttending ? 'remove' : add)
      }}
    >
      {closeButton ? (
        <>
          <div className={styles.first}>
            <AttendingCount count={count} />
          </div>
          {closeButton}
          {toggle}
        </>
      ) : (
        <>
          {toggle}
          <AttendingCount count={count} />
        </>
      )}
    </form>
  )
}
