import { defaultTimeZone, eventTypes } from '../../../api/generated/contract'
import { limits, messages } from '../../../api/generated/validation'
import type { SaveEvent } from '../../../api/types'
import { isImageUrl, isWebUrl, lengthOf } from '../../../lib/text'
import { isZone } from '../../../lib/zones'
import { isInPerson } from '../event-presentation'
import { isDate, isTime, startOf, durationOf } from '../event-time'
import { isStatus } from './status-labels'

/** Messages by the field's name in the request; those of the venue start with `location.`. */
export type EventErrors = Readonly<Record<string, string>>

type AddError = (field: string, message: string) => void
type Text = string | null | undefined

const trimmed = (text: Text) => text?.trim() ?? ''

/** Lengths are in characters, as the server counts them; most text is short enough either way. */
const isLonger = (text: string, limit: number) => text.length > limit && lengthOf(text) > limit

/**
 * Validates an event, with the specification's messages (spec §5). The server applies the same
 * rules; both are tested against one table of cases.
 */
export function checkEvent(
  { event, location, speakerIds }: SaveEvent,
  storedDuration?: string,
): EventErrors {
  const errors: Record<string, string> = {}
  const addError: AddError = (field, message) => {
    errors[field] ??= message
  }
  const { title, summary, description, series, brandliveId, registrationUrl } = event ?? {}
  const type = trimmed(event?.type)

  required(addError, 'title', title, limits.title, messages.titleRequired, messages.titleTooLong)
  checkDate(addError, trimmed(event?.date))
  checkTime(addError, trimmed(event?.time))
  // A synced duration that the form does not offer can be saved unchanged.
  const duration = trimmed(event?.duration)
  if (duration !== storedDuration) checkDuration(addError, duration)
  if (!type) addError('type', messages.typeRequired)
  else if (!eventTypes.some((valid) => valid === type)) addError('type', messages.typeInvalid)
  required(
    addError,
    'summary',
    summary,
    limits.summary,
    messages.summaryRequired,
    messages.summaryTooLong,
  )
  required(
    addError,
    'description',
    description,
    limits.description,
    messages.descriptionRequired,
    messages.descriptionTooLong,
  )
  if (!['', 'plain', 'markdown'].includes(trimmed(event?.descriptionFormat))) {
    addError('descriptionFormat', messages.descriptionFormatInvalid)
  }
  if (!trimmed(registrationUrl)) addError('registrationUrl', messages.registrationUrlRequired)
  checkUrl(addError, 'registrationUrl', registrationUrl)
  const timezone = trimmed(event?.timezone)
  if (timezone && !isZone(timezone)) addError('timezone', messages.timezoneInvalid)
  atMost(addError, 'brandliveId', brandliveId, limits.name, messages.brandliveIdTooLong)
  atMost(addError, 'series', series, limits.name, messages.seriesTooLong)
  checkUrl(addError, 'calendarLinks.google', event?.calendarLinks?.google)
  checkUrl(addError, 'calendarLinks.outlook', event?.calendarLinks?.outlook)
  checkUrl(addError, 'calendarLinks.ical', event?.calendarLinks?.ical)
  if (location && isInPerson(type)) checkLocation(addError, location)
  checkSpeakers(addError, speakerIds ?? [])
  checkStatus(addError, trimmed(event?.status), trimmed(event?.publishAt))
  if (trimmed(event?.status) === 'scheduled') checkPublication(addError, event ?? {})
  checkUrl(addError, 'recordingUrl', event?.recordingUrl)
  return trimmed(event?.status) === 'draft' ? withoutMissing(errors) : errors
}

/** What a draft may lack; it is required when the event gets another status. */
const missingInDrafts: readonly string[] = [
  messages.dateRequired,
  messages.timeRequired,
  messages.typeRequired,
  messages.summaryRequired,
  messages.descriptionRequired,
  messages.registrationUrlRequired,
  messages.speakersRequired,
  messages.venueNameRequired,
  messages.venueAddressRequired,
  messages.cityRequired,
  messages.stateRequired,
]

function withoutMissing(errors: EventErrors): EventErrors {
  return Object.fromEntries(
    Object.entries(errors).filter(
      ([field, message]) => field === 'title' || !missingInDrafts.includes(message),
    ),
  )
}

function checkStatus(addError: AddError, status: string, publishAt: string) {
  if (status === '') return
  if (!isStatus(status)) addError('status', messages.statusInvalid)
  else if (status === 'scheduled' && publishAt === '')
    addError('publishAt', messages.publishAtRequired)
  else if (status === 'scheduled' && !isInstant(publishAt))
    addError('publishAt', messages.publishAtInvalid)
}

/** The publication has to be before the end of the event, in whole minutes. */
function checkPublication(addError: AddError, event: NonNullable<SaveEvent['event']>) {
  const { date, time, timezone, duration, publishAt } = event
  const start = startOf({
    date: trimmed(date),
    time: trimmed(time),
    timezone: trimmed(timezone) || defaultTimeZone,
  })
  const minute = Math.floor(Date.parse(trimmed(publishAt)) / 60_000) * 60_000
  const end = start + durationOf(trimmed(duration)) * 60_000
  if (minute >= end) addError('publishAt', messages.publishAtAfterEnd)
}

/** Whether this is a date and time with an offset (RFC 3339) from 1970 to 9998. */
function isInstant(text: string): boolean {
  const hasShape = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(
    text,
  )
  const year = hasShape && isDate(text.slice(0, 10)) ? new Date(text).getUTCFullYear() : NaN
  return year >= 1970 && year <= 9998
}

function atMost(addError: AddError, field: string, value: Text, limit: number, tooLong: string) {
  if (isLonger(trimmed(value), limit)) addError(field, tooLong)
}

function required(
  addError: AddError,
  field: string,
  value: Text,
  limit: number,
  missing: string,
  tooLong: string,
) {
  if (trimmed(value) === '') addError(field, missing)
  else atMost(addError, field, value, limit, tooLong)
}

/** Whether an event can have a date: before 1900 is a typing error; 9999-12-31 is the year 10000 in some zones. */
export function isInRange(date: string): boolean {
  return date >= '1900' && date < '9999-12-31'
}

function checkDate(addError: AddError, date: string) {
  if (date === '') addError('date', messages.dateRequired)
  else if (!isDate(date)) addError('date', messages.dateInvalid)
  else if (!isInRange(date)) addError('date', messages.dateRange)
}

function checkTime(addError: AddError, time: string) {
  if (time === '') addError('time', messages.timeRequired)
  else if (!isTime(time)) addError('time', messages.timeInvalid)
}

function checkDuration(addError: AddError, duration: string) {
  if (duration === '') return
  const minutes = Number(/^(\d{1,6}) minutes$/.exec(duration)?.[1] ?? NaN)
  if (Number.isNaN(minutes)) addError('duration', messages.durationFormat)
  else if (
    minutes % limits.durationStep !== 0 ||
    minutes < limits.durationStep ||
    minutes > limits.durationMax
  ) {
    addError('duration', messages.durationRange)
  }
}

function checkUrl(addError: AddError, field: string, value: Text, isValid = isWebUrl) {
  const url = trimmed(value)
  if (isLonger(url, limits.url)) addError(field, messages.urlTooLong)
  else if (url && !isValid(url)) addError(field, messages.urlInvalid)
}

function checkLocation(addError: AddError, location: NonNullable<SaveEvent['location']>) {
  const { venueName, venueAddress, city, state, imageUrl, placeId } = location
  const field = (key: string) => `location.${key}`
  required(
    addError,
    field('venueName'),
    venueName,
    limits.name,
    messages.venueNameRequired,
    messages.venueNameTooLong,
  )
  // These keys are required, but their values may be blank (contract, "Location").
  const present = (key: string, value: Text, missing: string, tooLong: string) => {
    if (value === null || value === undefined) addError(field(key), missing)
    atMost(addError, field(key), value, limits.name, tooLong)
  }
  present('venueAddress', venueAddress, messages.venueAddressRequired, messages.venueAddressTooLong)
  present('city', city, messages.cityRequired, messages.cityTooLong)
  present('state', state, messages.stateRequired, messages.stateTooLong)
  checkUrl(addError, field('imageUrl'), imageUrl, isImageUrl)
  atMost(addError, field('placeId'), placeId, limits.placeId, messages.placeIdTooLong)
}

function checkSpeakers(addError: AddError, ids: readonly number[]) {
  const count = new Set(ids).size
  if (count === 0) addError('speakerIds', messages.speakersRequired)
  else if (count > limits.speakers) addError('speakerIds', messages.speakersTooMany)
}
