import { useEffect, useId, useRef, useState } from 'react'
import { fieldErrorsOf, mayBeSaved, messageOf, readMessageOf } from '../../../api/forms'
import { limits, messages } from '../../../api/generated/validation'
import type { CalendarEvent, SaveEvent } from '../../../api/types'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Alert } from '../../../components/ui/alert'
import { Button } from '../../../components/ui/button'
import { Dialog } from '../../../components/ui/dialog'
import { SelectField, TextField } from '../../../components/ui/field'
import { Icon } from '../../../components/ui/icon'
import { Spinner } from '../../../components/ui/loading'
import { showToast } from '../../../components/ui/toast-store'
import { countLabel } from '../../../lib/text'
import { isDate } from '../event-time'
import { useCreateEvent, useEventsCache } from './api'
import { fetchRepeatDates, toastWithUndo, useCreateRepeats, useUndoBulkEdit } from './bulk-edit-api'
import styles from './duplicate-dialog.module.css'
import { formValuesOf, toSaveEvent } from './form-values'
import { rulesWith } from './repeat-rules'
import { statusLabels, statusOf } from './status-labels'

/** A date for a copy of the event, with its error. */
interface Copy {
  key: number
  date: string
  error?: string | undefined
}

/** The statuses that copies can have. */
type CopyStatus = 'draft' | 'published'

const statusOptions = (['draft', 'published'] as const).map((value) => ({
  value,
  label: statusLabels[value],
}))

const helpForDates = 'Nothing was created. Change the dates or try again.'

/** After a failure in which the server may have created the copies. */
const helpForRetry = 'Try again with the same dates: no event is created twice.'

/** What to do if something else than the dates prevents copies with a status. */
const helpForEvent: Readonly<Record<CopyStatus, string>> = {
  published:
    'Nothing was created. The event is not complete, so its copies can’t be published: choose Draft as the status of the copies, or complete the event first.',
  draft:
    'Nothing was created. The event itself has to be corrected first: edit it, then duplicate it.',
}

const week = 7 * 24 * 60 * 60 * 1000

/** The same day of the week a week after `date` (yyyy-MM-dd); empty if that is not a date. */
function weekAfter(date: string): string {
  const next = isDate(date) ? new Date(Date.parse(date) + week) : undefined
  return next?.toISOString().slice(0, 10) ?? ''
}

interface DuplicateDialogProps {
  event: CalendarEvent
  siteUrl: string
  onClose: () => void
  /** Called with the first copy after all were created. */
  onDone: (first: CalendarEvent) => void
}

/**
 * Copies an event to other dates, without its calendar links, which are specific to its date. All
 * copies are created or none; several can be undone together.
 */
export function DuplicateDialog({ event, siteUrl, onClose, onDone }: DuplicateDialogProps) {
  const headingId = useId()
  const cache = useEventsCache()
  const single = useCreateEvent()
  const several = useCreateRepeats()
  const [copies, setCopies] = useState<readonly Copy[]>([{ key: 0, date: weekAfter(event.date) }])
  const [nextKey, setNextKey] = useState(1)
  // A copy of an event that visitors do not see is a draft unless the admin chooses another status.
  const [status, setStatus] = useState<CopyStatus>(() =>
    statusOf(event, Date.now()) === 'published' ? 'published' : 'draft',
  )
  const { mutate: undo } = useUndoBulkEdit()
  const [progress, setProgress] = useState<string>()
  const [problem, setProblem] = useState<string>()
  /** What to do about the problem. */
  const [help, setHelp] = useState(helpForDates)
  const [every, setEvery] = useState('')
  const [count, setCount] = useState('6')
  const [datesError, setDatesError] = useState<string>()
  // A counter, so that a repeated failure moves the focus again.
  const [attempts, setAttempts] = useState(0)
  const list = useRef<HTMLUListElement>(null)

  // After the render that marks the dates.
  useEffect(() => {
    if (attempts > 0) list.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])

  const add = () => {
    setCopies([...copies, { key: nextKey, date: weekAfter(copies.at(-1)?.date ?? event.date) }])
    setNextKey(nextKey + 1)
  }
  const setDate = (key: number, date: string) => {
    setCopies(copies.map((copy) => (copy.key === key ? { key, date } : copy)))
  }

  const create = async () => {
    const checked = copies.map(({ key, date }, index) => ({
      key,
      date,
      error:
        date === ''
          ? messages.dateRequired
          : copies.findIndex((copy) => copy.date === date) < index
            ? 'This date is already in the list'
            : undefined,
    }))
    if (checked.some(({ error }) => error)) {
      setCopies(checked)
      setAttempts(attempts + 1)
      return
    }
    setProblem(undefined)
    setProgress('Creating...')
    try {
      const dates = checked.map(({ date }) => date)
      const body = copyOf(event, { date: dates[0] ?? '', status, siteUrl })
      onDone(await (dates.length === 1 ? createOne(body) : createSeveral({ ...body, dates })))
    } catch (cause) {
      const errors = fieldErrorsOf(cause)
      const marked = checked.map((copy, index) => ({
        ...copy,
        error: errors[`dates.${index}`] ?? (checked.length === 1 ? errors.date : undefined),
      }))
      setCopies(marked)
      const isAtDate = marked.some(({ error }) => error)
      setProblem(isAtDate ? undefined : messageOf(cause, 'Failed to create event'))
      const isOfEvent = Object.keys(errors).some((name) => !name.startsWith('date'))
      setHelp(mayBeSaved(cause) ? helpForRetry : isOfEvent ? helpForEvent[status] : helpForDates)
      setAttempts(attempts + 1)
    }
    setProgress(undefined)
  }
  const createOne = async (body: SaveEvent) => {
    await several.undoLost()
    const created = await single.create(body)
    void cache.put([created])
    showToast({ title: 'Success', description: 'Event created successfully' })
    return created
  }
  /** Creates all copies, or none, and returns the first. */
  const createSeveral = async (body: SaveEvent & { dates: readonly string[] }) => {
    await single.deleteLost()
    const { id, events } = await several.create(body)
    const [first] = events
    if (!first) throw new Error('No event was created')
    void cache.put(events)
    showToast(
      toastWithUndo(`${countLabel(events.length, 'event')} created successfully`, () => {
        undo({ id, isCreation: true })
      }),
    )
    return first
  }
  const isBusy = progress !== undefined
  const first = copies[0]?.date ?? ''

  /** Replaces the dates by those of the rule, from the first one on. */
  const fillIn = async () => {
    setProblem(undefined)
    setDatesError(undefined)
    setProgress('Loading the dates...')
    try {
      const { timezone } = event
      // A draft may have no time yet; only the days are used.
      const time = event.time || '12:00'
      const rule = { date: first, time, timezone, every, count: Number(count) }
      const { dates } = await fetchRepeatDates(rule)
      setCopies(dates.map(({ date }, index) => ({ key: nextKey + index, date })))
      setNextKey(nextKey + dates.length)
    } catch (cause) {
      setDatesError(readMessageOf(cause, 'The dates could not be loaded'))
    }
    setProgress(undefined)
  }

  return (
    <Dialog
      headingId={headingId}
      size="small"
      className={styles.root}
      onClose={() => {
        if (!isBusy) onClose()
      }}
    >
      <div className={styles.body}>
        <h2 className={styles.title} id={headingId} tabIndex={-1}>
          Duplicate Event
        </h2>
        <p className={styles.intro}>
          “{event.title}” on other dates, at the same time, with the same speakers and venue.
        </p>
        {problem && <Alert title={problem}>{help}</Alert>}
        <ul className={styles.copies} ref={list}>
          {copies.map(({ key, date, error }, index) => (
            <li key={key} className={styles.copy}>
              <TextField
                label={copies.length > 1 ? `Date ${index + 1}` : 'Date'}
                type="date"
                value={date}
                error={error}
                disabled={isBusy}
                onChange={(changed) => {
                  setDate(key, changed.target.value)
                }}
              />
              {copies.length > 1 && (
                <Button
                  variant="ghost"
                  className={styles.remove}
                  aria-label={`Remove date ${index + 1}`}
                  title="Remove"
                  disabled={isBusy}
                  onClick={() => {
                    setCopies(copies.filter((copy) => copy.key !== key))
                    document.getElementById(headingId)?.focus()
                  }}
                >
                  <Icon name="close" />
                </Button>
              )}
            </li>
          ))}
        </ul>
        <Button size="small" className={styles.add} disabled={isBusy} onClick={add}>
          <AdminIcon name="plus" /> Add Another Week
        </Button>
        <div className={styles.repeat}>
          <SelectField
            label="Repeat"
            value={every}
            disabled={isBusy}
            options={rulesWith(first, every)}
            onChange={({ target }) => {
              setEvery(target.value)
            }}
          />
          {every !== '' && (
            <>
              <TextField
                label="Number of dates"
                type="number"
                inputMode="numeric"
                min={1}
                max={limits.repeated}
                value={count}
                error={datesError}
                disabled={isBusy}
                onChange={({ target }) => {
                  setCount(target.value)
                }}
              />
              <Button
                size="small"
                className={styles.add}
                aria-disabled={isBusy}
                onClick={() => {
                  if (!isBusy) void fillIn()
                }}
              >
                Fill In the Dates
              </Button>
            </>
          )}
          <SelectField
            label="Status of the copies"
            value={status}
            disabled={isBusy}
            options={statusOptions}
            help={
              status === 'draft'
                ? 'Only the people in this portal see them.'
                : 'Visitors see them at once.'
            }
            onChange={({ target }) => {
              setStatus(target.value === 'draft' ? 'draft' : 'published')
            }}
          />
        </div>
      </div>
      <div className={styles.footer}>
        <Button size="small" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="primary"
          size="small"
          aria-disabled={isBusy}
          onClick={() => {
            if (!isBusy) void create()
          }}
        >
          {isBusy && <Spinner />}
          {progress ?? (copies.length === 1 ? 'Create Event' : `Create ${copies.length} Events`)}
        </Button>
        <span className="visually-hidden" role="status">
          {progress}
        </span>
      </div>
    </Dialog>
  )
}

interface CopyOptions {
  date: string
  status: CopyStatus
  siteUrl: string
}

function copyOf(event: CalendarEvent, { date, status, siteUrl }: CopyOptions) {
  return toSaveEvent(
    {
      ...formValuesOf(event, siteUrl),
      date,
      status,
      publishAt: '',
      recordingUrl: '',
      'calendarLinks.google': '',
      'calendarLinks.outlook': '',
      'calendarLinks.ical': '',
    },
    { siteUrl },
  )
}
