import { zoneAbbreviation } from '../event-time'
import { defaultTimeZone, eventTypes } from '../../../api/generated/contract'
import type { CalendarEvent, BulkEdit, SpeakerSummary } from '../../../api/types'
import { SelectField, TextField } from '../../../components/ui/field'
import { Warnings } from './form-warnings'
import { useMinute } from '../../../lib/hydration'
import styles from './bulk-edit-dialog.module.css'
import { SeriesField, urlInput } from './form-groups'
import { publicationOf, publicationText } from './form-values'
import { distinctName, type PortalSpeakers } from './speakers'
import { isStatus, statusHelp, statusLabels } from './status-labels'

/** What the dialog changes; an empty text leaves each event as it is. */
export interface BulkEditFormValues {
  speakers: '' | 'add' | 'remove' | 'replace'
  /** Ids of speakers. */
  speaker: string
  other: string
  time: string
  registrationUrl: string
  type: string
  status: string
  /** `2026-03-10T09:00`, in the zone of `publicationZone`. */
  publishAt: string
  seriesAction: '' | 'set' | 'remove'
  series: string
}

/** Leaves everything as it is. */
export const noChanges: BulkEditFormValues = {
  speakers: '',
  speaker: '',
  other: '',
  time: '',
  registrationUrl: '',
  type: '',
  status: '',
  publishAt: '',
  seriesAction: '',
  series: '',
}

/** Whether the values change anything. */
export function isAnyChange(values: BulkEditFormValues): boolean {
  return Object.keys(changesOf(values, defaultTimeZone)).length > 0
}

/** The zone of the publication time: that of the events, or the default one if they have several. */
export function publicationZone(events: readonly CalendarEvent[]): string {
  const zones = new Set(events.map(({ timezone }) => timezone))
  const [zone] = zones
  return zones.size === 1 && zone !== undefined ? zone : defaultTimeZone
}

/** The changes in a request, with a publication time in this zone. */
export function changesOf(
  values: BulkEditFormValues,
  zone: string,
): NonNullable<BulkEdit['changes']> {
  const { time, registrationUrl, type, status, seriesAction } = values
  const speakers = speakersOf(values)
  return {
    ...(speakers && { speakers }),
    ...(time && { time }),
    ...(registrationUrl.trim() && { registrationUrl }),
    ...(type && { type }),
    ...(status && { status }),
    ...(status === 'scheduled' && {
      publishAt: publicationText({ publishAt: values.publishAt, timezone: zone }),
    }),
    ...(seriesAction === 'remove' && { series: null }),
    ...(seriesAction === 'set' && values.series.trim() && { series: values.series }),
  }
}

function speakersOf({ speakers, speaker, other }: BulkEditFormValues) {
  const [one, two] = [Number(speaker), Number(other)]
  if (speakers === '' || !one) return undefined
  if (speakers === 'add') return { add: [one] }
  if (speakers === 'remove') return { remove: [one] }
  return two ? { replace: { from: one, to: two } } : undefined
}

const unchanged = { value: '', label: 'Leave as it is' }
const statusOptions = [
  unchanged,
  ...(['published', 'scheduled', 'hidden', 'cancelled', 'postponed', 'draft'] as const).map(
    (value) => ({
      value,
      label: statusLabels[value],
    }),
  ),
]

interface BulkEditFieldsProps {
  values: BulkEditFormValues
  errors: Readonly<Record<string, string>>
  events: readonly CalendarEvent[]
  /** The names of the existing series. */
  series: readonly string[]
  speakers: PortalSpeakers
  onChange: (changes: Partial<BulkEditFormValues>) => void
}

/** The fields that can be changed for several events. */
export function BulkEditFields({
  values,
  errors,
  events,
  series,
  speakers,
  onChange,
}: BulkEditFieldsProps) {
  const field = (name: keyof BulkEditFormValues) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => {
      onChange({ [name]: target.value })
    },
  })
  const now = useMinute()
  const zone = publicationZone(events)
  const publishAt = publicationOf({ publishAt: values.publishAt, timezone: zone })
  const abbreviation = zoneAbbreviation(Number.isNaN(publishAt) ? now : publishAt, zone)
  const ofEvents = events.flatMap((event) => event.speakers.map(({ speaker }) => speaker))
  const all = speakers.all ?? ofEvents
  const everyone = namesOf(all, all)
  const present = namesOf(ofEvents, all)
  const choose = { value: '', label: 'Choose a speaker' }
  return (
    <>
      <p className={styles.intro}>What you leave empty stays as it is in each event.</p>
      <div className={styles.fields}>
        <SelectField
          label="Status"
          options={statusOptions}
          {...(isStatus(values.status) && { help: statusHelp[values.status] })}
          {...field('status')}
        />
        {values.status === 'scheduled' && (
          <TextField
            label="Publish at"
            type="datetime-local"
            help={`The same for all of these events, in ${abbreviation}.`}
            {...field('publishAt')}
          />
        )}
        <div className={styles.wide}>
          <Warnings>
            {values.status === 'scheduled' && publishAt <= now
              ? ['This time has passed: the events are published when you save.']
              : []}
          </Warnings>
        </div>
        <SelectField label="Event type" options={[unchanged, ...eventTypes]} {...field('type')} />
        <SelectField
          label="Speakers"
          options={[
            { value: '', label: 'Leave as they are' },
            { value: 'add', label: 'Add a speaker' },
            { value: 'remove', label: 'Remove a speaker' },
            { value: 'replace', label: 'Replace a speaker' },
          ]}
          {...field('speakers')}
        />
        {values.speakers !== '' && (
          <SelectField
            label={values.speakers === 'replace' ? 'Replace' : 'Speaker'}
            options={[choose, ...(values.speakers === 'add' ? everyone : present)]}
            {...field('speaker')}
          />
        )}
        {values.speakers === 'replace' && (
          <SelectField label="By" options={[choose, ...everyone]} {...field('other')} />
        )}
        <TextField
          label="Time"
          type="time"
          help="Each event keeps its day and its time zone."
          {...field('time')}
        />
        <SelectField
          label="Series"
          options={[
            unchanged,
            { value: 'set', label: 'Put into a series' },
            { value: 'remove', label: 'Take out of their series' },
          ]}
          {...field('seriesAction')}
        />
        {values.seriesAction === 'set' && (
          <SeriesField label="Name of the series" series={series} {...field('series')} />
        )}
        <div className={styles.wide}>
          <TextField
            label="Registration URL"
            help="In-Person Events have none and stay as they are."
            {...urlInput}
            {...field('registrationUrl')}
          />
        </div>
      </div>
    </>
  )
}

/** The speakers as options, by name, each once; `all` are those that it must differ from. */
function namesOf(speakers: readonly SpeakerSummary[], all: readonly SpeakerSummary[]) {
  const byId = new Map(speakers.map((speaker) => [String(speaker.id), speaker]))
  return [...byId]
    .map(([value, speaker]) => ({ value, label: distinctName(speaker, all) }))
    .sort((a, b) => a.label.localeCompare(b.label))
}
