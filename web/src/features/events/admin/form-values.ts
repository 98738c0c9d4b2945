import { defaultTimeZone } from '../../../api/generated/contract'
import { defaults } from '../../../api/generated/validation'
import type { CalendarEvent, Venue, SaveEvent } from '../../../api/types'
import { isWebUrl } from '../../../lib/text'
import { isInPerson } from '../event-presentation'
import { instantOf } from '../event-time'
import { statusOf } from './status-labels'

/**
 * The form's text fields in display order, under the server's names for them, which its errors, the
 * activity log and imports refer to.
 */
export const textFields = [
  'title',
  'type',
  'series',
  'summary',
  'description',
  'descriptionFormat',
  'date',
  'time',
  'duration',
  'timezone',
  'location.venueName',
  'location.venueAddress',
  'location.city',
  'location.state',
  'location.imageUrl',
  'location.placeId',
  'registrationUrl',
  'status',
  'publishAt',
  'recordingUrl',
  'calendarLinks.google',
  'calendarLinks.outlook',
  'calendarLinks.ical',
] as const

/** A text field of the form. */
export type TextField = (typeof textFields)[number]
/** Any field of the form. */
export type FormField = TextField | 'speakerIds'

/** The form's values, including those of fields that the event's type hides. */
export type EventFormValues = Readonly<Record<TextField, string>> & {
  readonly speakerIds: readonly number[]
}

/** Every field, in the order of the form. */
export const formFields: readonly FormField[] = [...textFields, 'speakerIds']

/** The label of each field. */
export const fieldLabels: Readonly<Record<FormField, string>> = {
  title: 'Title',
  type: 'Event type',
  series: 'Series',
  summary: 'Summary',
  description: 'Description',
  descriptionFormat: 'Description format',
  date: 'Date',
  time: 'Time',
  duration: 'Duration',
  timezone: 'Time zone',
  'location.venueName': 'Venue name',
  'location.venueAddress': 'Address',
  'location.city': 'City',
  'location.state': 'State',
  'location.imageUrl': 'Venue image',
  'location.placeId': 'Place on the map',
  registrationUrl: 'Registration URL',
  status: 'Status',
  publishAt: 'Publish at',
  recordingUrl: 'Recording URL',
  'calendarLinks.google': 'Google Calendar link',
  'calendarLinks.outlook': 'Outlook link',
  'calendarLinks.ical': 'iCalendar link',
  speakerIds: 'Speakers',
}

/** Fields whose values only make sense together: an edit of one is an edit of all. */
export const fieldGroups: readonly (readonly FormField[])[] = [
  [
    'location.venueName',
    'location.venueAddress',
    'location.city',
    'location.state',
    'location.placeId',
  ],
  ['status', 'publishAt'],
  ['description', 'descriptionFormat'],
]

/** Whether this is a field of the form. */
export function isFormField(name: string): name is FormField {
  return name in fieldLabels
}

/** Day and wall clock in `zone` at `instant` (milliseconds), as the form's fields store them. */
export function wallClockAt(instant: number, zone: string): { date: string; time: string } {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const [date = '', time = ''] = clock.format(instant).split(' ')
  return { date, time }
}

/** A new event, which starts now in the default time zone (spec §5). */
export function newFormValues(now: number): EventFormValues {
  const blank = Object.fromEntries(textFields.map((field) => [field, '']))
  return {
    ...(blank as Record<TextField, string>),
    ...wallClockAt(now, defaultTimeZone),
    type: defaults.eventType,
    duration: defaults.duration,
    timezone: defaultTimeZone,
    status: 'published',
    descriptionFormat: 'plain',
    speakerIds: [],
  }
}

/** The values of an existing event. In person, `siteUrl` as registration URL means "none". */
export function formValuesOf(event: CalendarEvent, siteUrl: string): EventFormValues {
  const { location, calendarLinks } = event
  const isPlaceholder = isInPerson(event.type) && event.registrationUrl === siteUrl
  return {
    title: event.title,
    type: event.type,
    series: event.series ?? '',
    summary: event.summary ?? '',
    description: event.description,
    descriptionFormat: event.descriptionFormat ?? 'plain',
    date: event.date,
    time: event.time,
    duration: event.duration,
    timezone: event.timezone,
    'location.venueName': location?.venueName ?? '',
    'location.venueAddress': location?.venueAddress ?? '',
    'location.city': location?.city ?? '',
    'location.state': location?.state ?? '',
    'location.imageUrl': location?.imageUrl ?? '',
    'location.placeId': location?.placeId ?? '',
    registrationUrl: isPlaceholder ? '' : event.registrationUrl,
    status: statusOf(event, Date.now()),
    publishAt: publicationInput(event),
    recordingUrl: event.recordingUrl ?? '',
    'calendarLinks.google': calendarLinks.google ?? '',
    'calendarLinks.outlook': calendarLinks.outlook ?? '',
    'calendarLinks.ical': calendarLinks.ical ?? '',
    speakerIds: event.speakers.map(({ speakerId }) => speakerId),
  }
}

interface SaveContext {
  /** The public URL of the site. */
  siteUrl: string
  /** The event to update; undefined for a new one. */
  event?: Pick<CalendarEvent, 'brandliveId' | 'revision'> | undefined
}

/**
 * The request body that saves the form. The registration URL of an in-person event is hidden but
 * still validated, so an invalid one is replaced by the site's URL (contract, "Calls").
 */
export function toSaveEvent(values: EventFormValues, { siteUrl, event }: SaveContext): SaveEvent {
  const inPerson = isInPerson(values.type)
  const registrationUrl = values.registrationUrl.trim()
  return {
    ...(event && { revision: event.revision }),
    event: {
      title: values.title,
      date: values.date,
      time: values.time,
      duration: values.duration,
      type: values.type,
      summary: values.summary,
      description: values.description,
      descriptionFormat: values.descriptionFormat,
      registrationUrl: inPerson && !isWebUrl(registrationUrl) ? siteUrl : registrationUrl,
      timezone: values.timezone,
      ...(event?.brandliveId && { brandliveId: event.brandliveId }),
      series: values.series,
      status: values.status,
      ...(values.status === 'scheduled' && { publishAt: publicationText(values) }),
      recordingUrl: values.recordingUrl,
      calendarLinks: {
        google: values['calendarLinks.google'],
        outlook: values['calendarLinks.outlook'],
        ical: values['calendarLinks.ical'],
      },
    },
    ...(inPerson && hasVenue(values) && { location: venueOf(values) }),
    speakerIds: values.speakerIds,
  }
}

/** The publication time as the form's input has it: `2026-03-10T09:00` in the event's time zone. */
function publicationInput({ publishAt, timezone }: CalendarEvent): string {
  const { date, time } = publishAt
    ? wallClockAt(Date.parse(publishAt), timezone)
    : { date: '', time: '' }
  return publishAt ? `${date}T${time}` : ''
}

/** A publication time as its input has it, in a time zone. */
type Publication = Pick<EventFormValues, 'publishAt' | 'timezone'>

/** The instant of the publication time in the form, in milliseconds; NaN without one. */
export function publicationOf({ publishAt, timezone }: Publication): number {
  const [date = '', time = ''] = publishAt.split('T')
  return instantOf(date, time.slice(0, 5), timezone)
}

/** The same in a request; what is not a time is sent as it is, for its validation. */
export function publicationText(input: Publication): string {
  const instant = publicationOf(input)
  return Number.isNaN(instant) ? input.publishAt : new Date(instant).toISOString()
}

/** Whether any venue field is filled in; otherwise an in-person event has no location yet. */
export function hasVenue(values: EventFormValues): boolean {
  return textFields.some((field) => field.startsWith('location.') && values[field].trim() !== '')
}

/** The venue in the form. */
export function venueOf(values: EventFormValues): Venue {
  return {
    venueName: values['location.venueName'],
    venueAddress: values['location.venueAddress'],
    city: values['location.city'],
    state: values['location.state'],
    imageUrl: values['location.imageUrl'].trim() || null,
    placeId: values['location.placeId'].trim() || null,
  }
}

/** The fields in which two form values differ, in the order of the form; outer whitespace is ignored. */
export function differingFields(one: EventFormValues, other: EventFormValues): FormField[] {
  return formFields.filter((field) =>
    field === 'speakerIds'
      ? one.speakerIds.join() !== other.speakerIds.join()
      : one[field].trim() !== other[field].trim(),
  )
}

/** `values` with these fields copied from `source`. */
export function copyFields(
  values: EventFormValues,
  source: EventFormValues,
  fields: readonly FormField[],
): EventFormValues {
  return Object.assign(
    {},
    values,
    ...fields.map((field) => ({ [field]: source[field] })),
  ) as EventFormValues
}
