import { eventTypes, limits, messages } from '../../../api/generated/contract'
import type { SaveEvent } from '../../../api/types'
import { isImageAddress, isWebUrl, lengthOf } from '../../../lib/checks'
import { isInPerson } from '../event-presentation'
import { isDate, isTime, isZone } from '../event-time'

/** What is wrong, by the field's name in the request; those of the venue begin with `location.`. */
export type EventErrors = Readonly<Record<string, string>>

type Note = (field: string, message: string) => void
type Text = string | null | undefined

const trimmed = (text: Text) => text?.trim() ?? ''

/** Lengths are in characters, as the server counts them; most text is short enough either way. */
const isLonger = (text: string, limit: number) => text.length > limit && lengthOf(text) > limit

/**
 * What of an event can't be saved, in the specification's words (spec §5). The server checks the
 * same over the same table of cases.
 */
export function checkEvent(
  { event, location, speakerIds }: SaveEvent,
  storedDuration?: string,
): EventErrors {
  const errors: Record<string, string> = {}
  const note: Note = (field, message) => {
    errors[field] ??= message
  }
  const { title, summary, description, series, brandliveId, registrationUrl } = event ?? {}
  const type = trimmed(event?.type)

  required(note, 'title', title, limits.title, messages.titleRequired, messages.titleTooLong)
  checkDate(note, trimmed(event?.date))
  checkTime(note, trimmed(event?.time))
  // An imported duration off the form's grid can be saved unchanged.
  const duration = trimmed(event?.duration)
  if (duration !== storedDuration) checkDuration(note, duration)
  if (!type) note('type', messages.typeRequired)
  else if (!eventTypes.some((known) => known === type)) note('type', messages.typeInvalid)
  required(
    note,
    'summary',
    summary,
    limits.summary,
    messages.summaryRequired,
    messages.summaryTooLong,
  )
  required(
    note,
    'description',
    description,
    limits.description,
    messages.descriptionRequired,
    messages.descriptionTooLong,
  )
  if (!trimmed(registrationUrl)) note('registrationUrl', messages.registrationUrlRequired)
  checkUrl(note, 'registrationUrl', registrationUrl)
  const timezone = trimmed(event?.timezone)
  if (timezone && !isZone(timezone)) note('timezone', messages.timezoneInvalid)
  atMost(note, 'brandliveId', brandliveId, limits.name, messages.brandliveIdTooLong)
  atMost(note, 'series', series, limits.name, messages.seriesTooLong)
  checkUrl(note, 'calendarLinks.google', event?.calendarLinks?.google)
  checkUrl(note, 'calendarLinks.outlook', event?.calendarLinks?.outlook)
  checkUrl(note, 'calendarLinks.ical', event?.calendarLinks?.ical)
  if (location && isInPerson(type)) checkLocation(note, location)
  checkSpeakers(note, speakerIds ?? [])
  return errors
}

function atMost(note: Note, field: string, value: Text, limit: number, tooLong: string) {
  if (isLonger(trimmed(value), limit)) note(field, tooLong)
}

function required(
  note: Note,
  field: string,
  value: Text,
  limit: number,
  missing: string,
  tooLong: string,
) {
  if (trimmed(value) === '') note(field, missing)
  else atMost(note, field, value, limit, tooLong)
}

function checkDate(note: Note, date: string) {
  if (date === '') note('date', messages.dateRequired)
  // Before 1900 it is a typing error; on the last day of 9999 it is the year 10000 somewhere.
  else if (!isDate(date) || date < '1900' || date >= '9999-12-31')
    note('date', messages.dateInvalid)
}

function checkTime(note: Note, time: string) {
  if (time === '') note('time', messages.timeRequired)
  else if (!isTime(time)) note('time', messages.timeInvalid)
}

function checkDuration(note: Note, duration: string) {
  if (duration === '') return
  const minutes = Number(/^(\d{1,6}) minutes$/.exec(duration)?.[1] ?? NaN)
  if (Number.isNaN(minutes)) note('duration', messages.durationFormat)
  else if (
    minutes % limits.durationStep !== 0 ||
    minutes < limits.durationStep ||
    minutes > limits.durationMax
  ) {
    note('duration', messages.durationRange)
  }
}

function checkUrl(note: Note, field: string, value: Text, isRight = isWebUrl) {
  const url = trimmed(value)
  if (isLonger(url, limits.url)) note(field, messages.urlTooLong)
  else if (url && !isRight(url)) note(field, messages.urlInvalid)
}

function checkLocation(note: Note, location: NonNullable<SaveEvent['location']>) {
  const { venueName, venueAddress, city, state, imageUrl, placeId } = location
  const field = (key: string) => `location.${key}`
  required(
    note,
    field('venueName'),
    venueName,
    limits.name,
    messages.venueNameRequired,
    messages.venueNameTooLong,
  )
  // These keys must be there; what they hold may be blank (contract, "Location").
  const isThere = (key: string, value: Text, missing: string, tooLong: string) => {
    if (value === null || value === undefined) note(field(key), missing)
    atMost(note, field(key), value, limits.name, tooLong)
  }
  isThere('venueAddress', venueAddress, messages.venueAddressRequired, messages.venueAddressTooLong)
  isThere('city', city, messages.cityRequired, messages.cityTooLong)
  isThere('state', state, messages.stateRequired, messages.stateTooLong)
  checkUrl(note, field('imageUrl'), imageUrl, isImageAddress)
  atMost(note, field('placeId'), placeId, limits.placeId, messages.placeIdTooLong)
}

function checkSpeakers(note: Note, ids: readonly number[]) {
  const count = new Set(ids).size
  if (count === 0) note('speakerIds', messages.speakersRequired)
  else if (count > limits.speakers) note('speakerIds', messages.speakersTooMany)
}
