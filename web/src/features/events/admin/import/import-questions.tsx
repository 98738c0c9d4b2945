import { type ReactNode, useState } from 'react'
import { eventTypes } from '../../../../api/generated/contract'
import { zoneOptions } from '../../../../api/generated/validation'
import type { ImportOptions, ImportPreview, Speaker, UnknownName } from '../../../../api/types'
import { Button } from '../../../../components/ui/button'
import { SelectField, TextField } from '../../../../components/ui/field'
import { FormGroup } from '../../../../components/ui/form-panel'
import { countLabel } from '../../../../lib/text'
import { CheckboxField } from './checkbox-field'
import styles from './import-page.module.css'

interface QuestionsProps {
  preview: ImportPreview
  options: ImportOptions
  speakers: readonly Speaker[]
  onChoose: (change: ImportOptions) => void
}

/** The title that new speakers get unless the admin types another. */
const defaultTitle = 'Guest Speaker'

const separators = [
  { value: ';', label: 'Semicolon' },
  { value: ',', label: 'Comma' },
  { value: '|', label: 'Vertical bar' },
  { value: '/', label: 'Slash' },
  { value: '\n', label: 'Line break' },
]

type Choice<Name extends keyof ImportOptions> = Exclude<ImportOptions[Name], undefined>

const rowsLabel = (count: number) => countLabel(count, 'row')

/** What the file leaves open: each question appears only if the file has a row for it. */
export function ImportQuestions(props: QuestionsProps) {
  const { preview, options, onChoose } = props
  // Rows that repeat another one of the file are skipped too, and may be of a new event.
  const known = new Set(
    preview.rows
      .filter(({ action }) => action === 'update' || action === 'skip' || action === 'unchanged')
      .flatMap(({ eventId }) => eventId ?? []),
  ).size
  return (
    <>
      <FormGroup title="What the file leaves open" help="Each choice changes the preview below.">
        {(preview.ambiguousDate !== null || options.dateOrder != null) && (
          <SelectField
            label={`Dates such as ${preview.ambiguousDate ?? '03/04/2031'}`}
            width="half"
            value={options.dateOrder ?? ''}
            options={[
              { value: '', label: 'Choose...' },
              { value: 'monthFirst', label: 'Month first' },
              { value: 'dayFirst', label: 'Day first' },
            ]}
            onChange={(event) => {
              onChoose({ dateOrder: (event.target.value || null) as Choice<'dateOrder'> })
            }}
          />
        )}
        {preview.withoutTimezone > 0 && (
          <SelectField
            label={`Time zone of ${rowsLabel(preview.withoutTimezone)} without one`}
            width="half"
            value={options.timezone ?? zoneOptions[0].value}
            options={zoneOptions}
            onChange={(event) => {
              onChoose({ timezone: event.target.value })
            }}
          />
        )}
        {preview.withoutTime > 0 && (
          <TextField
            label={`Start of ${rowsLabel(preview.withoutTime)} without a time`}
            type="time"
            isOptional
            width="half"
            help="Without it they become drafts."
            value={options.time ?? ''}
            onChange={(event) => {
              onChoose({ time: event.target.value || null })
            }}
          />
        )}
        {preview.withoutType > 0 && (
          <SelectField
            label={`Type of ${rowsLabel(preview.withoutType)} without one`}
            width="half"
            value={options.type ?? ''}
            options={[{ value: '', label: 'None: they become drafts' }, ...eventTypes]}
            onChange={(event) => {
              onChoose({ type: event.target.value || null })
            }}
          />
        )}
        {preview.columns.some(({ field }) => field === 'speakers') && (
          <SelectField
            label="Separator of the speakers' names"
            width="half"
            value={preview.speakerSeparator}
            options={separators}
            onChange={(event) => {
              onChoose({ speakerSeparator: event.target.value, speakers: [] })
            }}
          />
        )}
        <SelectField
          label="Status of new events"
          width="half"
          value={options.status ?? 'published'}
          options={[
            { value: 'published', label: 'Published' },
            { value: 'draft', label: 'Draft' },
            { value: 'hidden', label: 'Hidden' },
          ]}
          help="For rows without a status."
          onChange={(event) => {
            onChoose({ status: event.target.value as Choice<'status'> })
          }}
        />
        {known > 0 && (
          <SelectField
            label={`${countLabel(known, 'event')} that you have already`}
            width="half"
            value={options.existingEvents ?? 'skip'}
            options={[
              { value: 'skip', label: 'Leave as they are' },
              { value: 'update', label: 'Update with the file' },
            ]}
            help="Recognized by their id, or by title and start."
            onChange={(event) => {
              onChoose({ existingEvents: event.target.value as Choice<'existingEvents'> })
            }}
          />
        )}
        {(preview.unroundedDurations > 0 || options.roundDurations === true) && (
          <CheckboxField
            label={`Round ${preview.unroundedDurations > 0 ? countLabel(preview.unroundedDurations, 'duration') : 'durations'} up to the next 15 minutes`}
            help="Allowed are 15 to 180 minutes; longer ones become 180."
            checked={options.roundDurations === true}
            onChange={(roundDurations) => {
              onChoose({ roundDurations })
            }}
          />
        )}
        {(preview.incomplete > 0 || options.incompleteAsDrafts === true) && (
          <CheckboxField
            label={`Import ${preview.incomplete > 0 ? rowsLabel(preview.incomplete) : 'rows'} that lack something as drafts`}
            checked={options.incompleteAsDrafts === true}
            onChange={(incompleteAsDrafts) => {
              onChoose({ incompleteAsDrafts })
            }}
          />
        )}
      </FormGroup>
      {preview.unknownTypes.length > 0 && <UnknownTypes {...props} />}
      {preview.unknownSpeakers.length > 0 && <UnknownSpeakers {...props} />}
    </>
  )
}

/** Types of the file that the site does not have. */
function UnknownTypes({ preview, options, onChoose }: QuestionsProps) {
  const choices = options.types ?? []
  return (
    <FormGroup title="Event types" help="The site has no types with these names.">
      {preview.unknownTypes.map(({ name, rows }) => {
        const choice = choices.find((other) => other.name === name)
        return (
          <SelectField
            key={name}
            label={name}
            width="half"
            help={`In ${rowsLabel(rows)}`}
            value={choice ? (choice.type ?? 'none') : ''}
            options={[
              { value: '', label: 'Choose...' },
              ...eventTypes,
              { value: 'none', label: 'None: they become drafts' },
            ]}
            onChange={(event) => {
              const { value } = event.target
              const others = choices.filter((other) => other.name !== name)
              const type = value === 'none' ? null : value
              onChoose({ types: value === '' ? others : [...others, { name, type }] })
            }}
          />
        )
      })}
    </FormGroup>
  )
}

type SpeakerChoice = NonNullable<ImportOptions['speakers']>[number]

/** Speakers of the file whom the site does not have. */
function UnknownSpeakers({ preview, options, speakers, onChoose }: QuestionsProps) {
  const choices = options.speakers ?? []
  const { unknownSpeakers } = preview
  const put = (changed: readonly SpeakerChoice[], names: readonly string[]) => {
    onChoose({ speakers: [...choices.filter(({ name }) => !names.includes(name)), ...changed] })
  }
  const open = unknownSpeakers.filter(
    ({ name, candidates }) =>
      !(candidates && candidates.length > 0) && !choices.some((choice) => choice.name === name),
  )
  const putAll = (title: string | null) => {
    const names = open.map(({ name }) => name)
    put(
      names.map((name) => ({ name, title })),
      names,
    )
  }
  let actions: ReactNode
  if (open.length > 1) {
    actions = (
      <div className={styles.actions}>
        <Button
          size="small"
          onClick={() => {
            putAll(defaultTitle)
          }}
        >
          Create All {open.length}
        </Button>
        <Button
          size="small"
          onClick={() => {
            putAll(null)
          }}
        >
          Leave Out All {open.length}
        </Button>
      </div>
    )
  }
  return (
    <FormGroup
      title="Speakers"
      help="The site has no speaker with each of these names, or more than one."
    >
      {actions}
      {unknownSpeakers.map((unknown) => (
        <UnknownSpeaker
          key={unknown.name}
          unknown={unknown}
          choice={choices.find(({ name }) => name === unknown.name)}
          speakers={speakers}
          onChoose={(choice) => {
            put(choice ? [choice] : [], [unknown.name])
          }}
        />
      ))}
    </FormGroup>
  )
}

interface UnknownSpeakerProps {
  unknown: UnknownName
  choice: SpeakerChoice | undefined
  speakers: readonly Speaker[]
  onChoose: (choice: SpeakerChoice | null) => void
}

function UnknownSpeaker({ unknown, choice, speakers, onChoose }: UnknownSpeakerProps) {
  const { name, rows, candidates = [] } = unknown
  const [title, setTitle] = useState(choice?.title ?? defaultTitle)
  const isNew = choice?.title != null
  const value = !choice
    ? ''
    : isNew
      ? 'create'
      : choice.speakerId == null
        ? 'leave out'
        : String(choice.speakerId)
  const offered =
    candidates.length > 0 ? speakers.filter(({ id }) => candidates.includes(id)) : speakers
  return (
    <div className={styles.speaker}>
      <SelectField
        label={name}
        help={`In ${rowsLabel(rows)}`}
        value={value}
        options={[
          { value: '', label: 'Choose...' },
          ...(candidates.length > 0 ? [] : [{ value: 'create', label: 'Create this speaker' }]),
          { value: 'leave out', label: 'Leave out' },
          ...offered.map((speaker) => ({
            value: String(speaker.id),
            label: `${speaker.name}, ${speaker.title}`,
          })),
        ]}
        onChange={(event) => {
          const chosen = event.target.value
          if (chosen === '') onChoose(null)
          else if (chosen === 'create') onChoose({ name, title })
          else onChoose({ name, speakerId: chosen === 'leave out' ? null : Number(chosen) })
        }}
      />
      {isNew && (
        <TextField
          label={`Title of ${name}`}
          value={title}
          onChange={(event) => {
            setTitle(event.target.value)
          }}
          onBlur={() => {
            if (title !== choice.title) onChoose({ name, title })
          }}
        />
      )}
    </div>
  )
}
