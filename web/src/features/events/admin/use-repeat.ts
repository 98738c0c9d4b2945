import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { fieldErrorsOf, readMessageOf } from '../../../api/forms'
import { limits, messages } from '../../../api/generated/validation'
import type { CalendarEvent, RepeatRule, SaveEvent } from '../../../api/types'
import { countLabel } from '../../../lib/text'
import { isDate, isTime } from '../event-time'
import { useEventsCache } from './api'
import { repeatDatesQuery, toastWithUndo, useCreateRepeats, useUndoBulkEdit } from './bulk-edit-api'
import type { EventFormValues } from './form-values'
import { rulesOf, rulesWith } from './repeat-rules'

/** How an event repeats; empty for once. */
export interface RepeatValues {
  every: string
  end: 'count' | 'until'
  count: string
  until: string
}

/** A repetition as it is stored with the other input of the form. */
export interface RepeatInput {
  values: RepeatValues
  /** The dates that were removed. */
  removed: readonly string[]
}

/** An event that does not repeat. */
export const noRepeat: RepeatInput = {
  values: { every: '', end: 'count', count: '6', until: '' },
  removed: [],
}

/** The repetition of a new event by a rule, with its dates from the server. */
export function useRepeat({ date, time, timezone }: EventFormValues) {
  const [values, setValues] = useState(noRepeat.values)
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const [problem, setProblem] = useState<string>()
  // Errors of the end are shown after the first attempt to save, or if the server found them; that of the number of
  // dates also after leaving its field, because the list of dates is missing then.
  const [isChecked, setIsChecked] = useState(false)
  const [isCountChecked, setIsCountChecked] = useState(false)
  const created = useRef<readonly CalendarEvent[]>([])
  const bulkEditId = useRef(0)
  const cache = useEventsCache()
  const { mutate: undo } = useUndoBulkEdit()
  const repeats = useCreateRepeats()

  const isOn = values.every !== ''
  const isFitting = !isDate(date) || rulesOf(date).some(({ value }) => value === values.every)
  const endError = endErrorOf(values, date)
  const hasEnd = endError === undefined
  const isReady = isOn && isFitting && hasEnd && isDate(date) && isTime(time)
  const rule: RepeatRule = {
    date,
    time,
    timezone,
    every: values.every,
    ...(values.end === 'count' ? { count: Number(values.count) } : { until: values.until }),
  }
  const query = useQuery({
    ...repeatDatesQuery(rule),
    enabled: isReady,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const found = isReady && !query.isError ? query.data : undefined
  const dates = found?.dates.filter((one) => !removed.has(one.date)) ?? []
  const serverErrors = isReady && query.isError ? fieldErrorsOf(query.error) : {}
  const serverError = serverErrors[values.end]

  const input = useMemo<RepeatInput>(() => ({ values, removed: [...removed] }), [values, removed])

  return {
    values,
    isOn,
    /** What is stored with the other input of the form. */
    input,
    /** Continues with stored input. */
    restore: (stored: RepeatInput) => {
      setProblem(undefined)
      setValues(stored.values)
      setRemoved(new Set(stored.removed))
    },
    /** The rules to choose from. */
    rules: rulesWith(date, values.every),
    /** Why the rule can't be saved. */
    ruleError: isFitting ? undefined : ruleMisfit,
    /** Why its end can’t be saved. */
    endError:
      isOn && (isChecked || (isCountChecked && values.end === 'count'))
        ? (endError ?? serverError)
        : serverError,
    /** Shows the error of the number of dates, when its field was left. */
    checkCount: () => {
      setIsCountChecked(true)
    },
    /** The dates of the rule, and sentences about what it skips; undefined until they are known. */
    found,
    dates,
    removed,
    isLoading: isReady && query.isFetching,
    /** Why there are no dates. */
    error:
      problem ??
      (isReady && query.isError && !serverError ? readMessageOf(query.error, failure) : undefined),
    change: (changes: Partial<RepeatValues>) => {
      setProblem(undefined)
      setValues((current) => ({ ...current, ...changes }))
    },
    /** Removes a date or adds it again. */
    setRemoved: (date: string, isRemoved: boolean) => {
      setProblem(undefined)
      const next = new Set(removed)
      if (isRemoved) next.add(date)
      else next.delete(date)
      setRemoved(next)
    },
    /** The label of the button that saves; undefined without a repetition. */
    save: isOn && dates.length > 0 ? `Create ${countLabel(dates.length, 'Event')}` : undefined,
    /** Whether the dates are known. */
    validate: (): boolean => {
      const isStale = query.isFetching || query.isPlaceholderData
      const isValid = !isOn || (isFitting && dates.length > 0 && !isStale)
      if (!isValid) setIsChecked(true)
      if (!isValid && isFitting && hasEnd && !serverError)
        setProblem(isStale && isReady ? 'The dates are still loading. Save again.' : noDates)
      return isValid
    },
    /** Creates the event on all dates and returns the first. */
    create: async (body: SaveEvent): Promise<CalendarEvent> => {
      const { id, events } = await repeats.create({ ...body, dates: dates.map((one) => one.date) })
      bulkEditId.current = id
      created.current = events
      const [first] = events
      if (!first) throw new Error('No event was created')
      return first
    },
    /** Undoes what a lost attempt created, for an event that no longer repeats. */
    undoLost: repeats.undoLost,
    /** Shows the created events in the list, and the toast with the undo. */
    report: () => {
      void cache.put(created.current)
      return toastWithUndo(
        `${countLabel(created.current.length, 'event')} created successfully`,
        () => {
          undo({ id: bulkEditId.current, isCreation: true })
        },
      )
    },
  }
}

const failure = 'The dates could not be loaded'
const ruleMisfit = 'This rule does not fit the date of the event. Choose another rule.'
const noDates = 'Keep at least one date'

/** Why the end of a repetition can’t be saved. */
function endErrorOf({ end, count, until }: RepeatValues, date: string): string | undefined {
  if (end === 'count') {
    const number = Number(count)
    const isValid = Number.isInteger(number) && number >= 1 && number <= limits.repeated
    return isValid ? undefined : messages.repeatCountInvalid
  }
  if (!isDate(until)) return messages.repeatEndRequired
  return isDate(date) && until < date ? messages.repeatUntilTooEarly : undefined
}

/** The repetition in the form. */
export type Repeat = ReturnType<typeof useRepeat>
