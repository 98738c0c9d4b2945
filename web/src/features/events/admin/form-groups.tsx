import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { eventTypes } from '../../../api/generated/contract'
import { limits, zoneOptions } from '../../../api/generated/validation'
import {
  type SelectOption,
  SelectField,
  TextAreaField,
  TextField,
} from '../../../components/ui/field'
import { FormGroup } from '../../../components/ui/form-panel'
import { Warnings } from './form-warnings'
import styles from './form-groups.module.css'
import type { EventForm } from './use-event-form'

interface GroupProps {
  form: EventForm
}

/** Props of an input for a URL. */
export const urlInput = {
  type: 'url',
  inputMode: 'url',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  placeholder: 'https://',
} as const

const durations = Array.from(
  { length: limits.durationMax / limits.durationStep },
  (_, step) => `${(step + 1) * limits.durationStep} minutes`,
)

/** The options, plus the current value if a sync set one that is not among them. */
function withCurrent<One extends string | SelectOption>(options: readonly One[], current: string) {
  const isListed = options.some(
    (option) => (typeof option === 'string' ? option : option.value) === current,
  )
  return isListed || current === '' ? options : [...options, current]
}

interface DescriptionFieldsProps extends GroupProps {
  warnings: readonly ReactNode[]
  /** The names of the existing series. */
  series: readonly string[]
}

/** Title, type, series, summary and description. */
export function DescriptionFields({ form, warnings, series }: DescriptionFieldsProps) {
  const { field, values } = form
  return (
    <FormGroup
      title="What it is"
      help="The type sets the banner, the color and whether people register or plan to attend."
    >
      <TextField label="Title" autoComplete="off" {...field('title')} />
      <SelectField
        label="Event type"
        width="half"
        options={withCurrent(eventTypes, values.type)}
        {...field('type')}
      />
      <Warnings>{warnings}</Warnings>
      <SeriesField label="Series" width="half" isOptional series={series} {...field('series')} />
      <TextAreaField
        label="Summary"
        rows={2}
        help="One or two sentences for lists."
        countTo={limits.summary}
        {...field('summary')}
      />
      <TextAreaField label="Description" rows={6} {...field('description')} />
      <MarkdownSwitch form={form} />
    </FormGroup>
  )
}

interface SeriesFieldProps extends ComponentProps<typeof TextField> {
  /** The names of the existing series, which the field suggests. */
  series: readonly string[]
}

/** The name of a series: an existing one, or a new one. */
export function SeriesField({ series, ...field }: SeriesFieldProps) {
  const id = useId()
  return (
    <>
      <TextField autoComplete="off" list={id} {...field} />
      <datalist id={id}>
        {series.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

/** Turns on Markdown in the description. */
function MarkdownSwitch({ form: { values, change } }: GroupProps) {
  const helpId = useId()
  return (
    <div className={styles.markdown}>
      <label className={styles.switch}>
        <input
          type="checkbox"
          name="descriptionFormat"
          aria-describedby={helpId}
          checked={values.descriptionFormat === 'markdown'}
          onChange={(event) => {
            change({ descriptionFormat: event.target.checked ? 'markdown' : 'plain' })
          }}
        />
        Use Markdown for lists, bold and links
      </label>
      <p className={styles.help} id={helpId}>
        <code>**bold**</code> <code>- item of a list</code>{' '}
        <code>[words](https://example.com)</code>, and a blank line between paragraphs. The preview
        shows the result. Calendars, feeds and search engines get the text.
      </p>
    </div>
  )
}

/** Date, time, duration and time zone. */
export function ScheduleFields({
  form,
  warnings,
}: GroupProps & { warnings: readonly ReactNode[] }) {
  const { field, values, storedDuration = '' } = form
  // The stored duration stays an option after another one was picked.
  const options = withCurrent(withCurrent(durations, storedDuration), values.duration)
  return (
    <FormGroup title="When" help="Times are in the zone you choose. Visitors also see ET or PT.">
      <TextField label="Date" type="date" width="half" {...field('date')} />
      <TextField label="Time" type="time" width="half" {...field('time')} />
      <SelectField label="Duration" width="half" options={options} {...field('duration')} />
      <SelectField
        label="Time zone"
        width="half"
        options={withCurrent(zoneOptions, values.timezone)}
        {...field('timezone')}
      />
      <Warnings>{warnings}</Warnings>
    </FormGroup>
  )
}

/** The registration link of an event that is not in person. */
export function RegistrationFields({ form: { field } }: GroupProps) {
  return (
    <FormGroup title="Registration" help="Visitors follow this link in a new tab.">
      <TextField label="Registration URL" {...urlInput} {...field('registrationUrl')} />
    </FormGroup>
  )
}

const links = [
  ['Google Calendar link', 'calendarLinks.google'],
  ['Outlook link', 'calendarLinks.outlook'],
  ['iCalendar link', 'calendarLinks.ical'],
] as const

/** The event's own add-to-calendar links; collapsed, as few events have any. */
export function LinkFields({ form: { field, values, errorOf } }: GroupProps) {
  const [isOpen, setIsOpen] = useState(() => links.some(([, name]) => values[name] !== ''))
  const isWrong = links.some(([, name]) => errorOf(name) !== undefined)
  return (
    <FormGroup title="Calendar links" help="For events with their own calendar entries.">
      <details
        className={styles.details}
        open={isOpen || isWrong}
        onToggle={(event) => {
          setIsOpen(event.currentTarget.open)
        }}
      >
        <summary className={styles.summary}>Google, Outlook and iCalendar</summary>
        <div className={styles.inside}>
          {links.map(([label, name]) => (
            <TextField key={name} label={label} isOptional {...urlInput} {...field(name)} />
          ))}
        </div>
      </details>
    </FormGroup>
  )
}
