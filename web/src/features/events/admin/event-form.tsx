import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../../api/client'
import {
  conflictingVersion,
  fieldErrorsOf,
  mayBeSaved,
  messageOf,
  saveProblemOf,
  useFormSave,
} from '../../../api/forms'
import type { CalendarEvent, Speaker, SpeakerSummary } from '../../../api/types'
import { ConflictDialog } from '../../../components/conflict-dialog'
import { SavedInputOffer } from '../../../components/ui/saved-input-offer'
import { FormPanel } from '../../../components/ui/form-panel'
import { showError, showToast } from '../../../components/ui/toast-store'
import { theirChangesNote } from '../../../components/use-merged-save'
import { useSavedInput } from '../../../lib/saved-input'
import { useMinute } from '../../../lib/hydration'
import { mergeEdits } from '../../../lib/merge-edits'
import { useUnsavedChanges } from '../../../lib/unsaved-changes'
import { useMediaQuery } from '../../../lib/use-media-query'
import { isInPerson } from '../event-presentation'
import { Activity, dateTimeLabel } from './activity'
import { AttendanceHistory } from './attendance'
import {
  activityQuery,
  readEvents,
  seriesNamesQuery,
  updateEvent,
  useCreateEvent,
  useEventsCache,
} from './api'
import styles from './event-form.module.css'
import { EventPreview } from './event-preview'
import { DescriptionFields, LinkFields, RegistrationFields, ScheduleFields } from './form-groups'
import {
  copyFields,
  differingFields,
  type EventFormValues,
  fieldGroups,
  fieldLabels,
  type FormField,
  formValuesOf,
  newFormValues,
  toSaveEvent,
} from './form-values'
import { useFormWarnings } from './form-warnings'
import { SyncedFields } from './synced-fields'
import { PreviewLink } from './preview-link'
import { PublicationFields } from './publication-fields'
import { RepeatFields } from './repeat-fields'
import { SpeakerFields } from './speaker-picker'
import { distinctName, findSpeaker, type PortalSpeakers } from './speakers'
import { isPublic, isStatus, statusLabels, statusOf } from './status-labels'
import { useEventForm } from './use-event-form'
import { noRepeat, type RepeatInput, useRepeat } from './use-repeat'
import { VenueFields, type VenueImage, type VenueSearch } from './venue-fields'

/** Windows wide enough for the preview beside the form. */
const wideQuery = '(min-width: 1280px)'

/** Renders the dialog that creates a speaker; supplied by the route from the speakers feature. */
export type NewSpeaker = (dialog: {
  name: string
  onCreated: (speaker: Speaker) => void
  onClose: () => void
}) => ReactNode

interface EventFormProps {
  /** The event to edit; undefined for a new one. */
  event: CalendarEvent | undefined
  siteUrl: string
  speakers: PortalSpeakers
  venueSearch: VenueSearch | undefined
  venueImage: VenueImage | undefined
  newSpeaker: NewSpeaker | undefined
  /** Called with what the toast says about an update; undefined after a creation. */
  onSaved: (event: CalendarEvent, updateMessage: string | undefined) => void
  onCancel: () => void
}

/** The version that is edited: the event, of which the revision is sent, and its values. */
interface Base {
  event: CalendarEvent | undefined
  values: EventFormValues
}

/** The form's stored input. That of earlier versions has no repetition. */
type StoredInput = EventFormValues & { readonly repeat?: RepeatInput }

interface Conflict {
  theirs: CalendarEvent
  /** The values with all changes that do not conflict. */
  merged: EventFormValues
  theirFields: FormField[]
  fields: FormField[]
}

interface Save {
  values: EventFormValues
  onto: Base
  /** The fields with another admin's changes. */
  theirFields?: readonly FormField[]
}

/** Creates or changes an event (spec §2, Events tab; spec §5, "Event form"). */
export function EventForm(props: EventFormProps) {
  const { event, siteUrl, speakers, venueSearch, venueImage, newSpeaker } = props
  const { onSaved, onCancel } = props
  const [base, setBase] = useState<Base>(() => ({
    event,
    values: event ? formValuesOf(event, siteUrl) : newFormValues(Date.now()),
  }))
  const [conflict, setConflict] = useState<Conflict>()
  const [problem, setProblem] = useState<string>()
  /** The values of a save whose response was lost. */
  const lost = useRef<EventFormValues>(undefined)
  const [newName, setNewName] = useState<string | null>(null)
  const form = useEventForm(base.values, siteUrl, base.event?.duration)
  const repeat = useRepeat(form.values)
  const isChanged = form.isChanged || repeat.isOn
  const savedInput = useSavedInput<StoredInput>({
    name: `event.${event?.id ?? 'new'}`,
    start: base.values,
    values: useMemo(() => ({ ...form.values, repeat: repeat.input }), [form.values, repeat.input]),
    revision: base.event?.revision ?? null,
    isChanged,
  })
  const cache = useEventsCache()
  const single = useCreateEvent()
  const isWide = useMediaQuery(wideQuery)
  const now = useMinute()
  // Memoized, so that the preview does not render on every key.
  const speakerById = useCallback(
    (id: number) => findSpeaker(id, speakers, event?.speakers),
    [speakers, event?.speakers],
  )
  const nameOfSpeaker = (speaker: SpeakerSummary | undefined) =>
    speaker ? distinctName(speaker, speakers.all) : 'A speaker'
  const nameOf = (id: number) => nameOfSpeaker(speakerById(id))
  const warnings = useFormWarnings({
    values: form.values,
    start: base.values,
    event,
    nameOf,
  })
  const series = useQuery(seriesNamesQuery()).data ?? []

  const { save: send, isPending } = useFormSave({
    mutationFn: async ({ values, onto }: Save) => {
      const body = toSaveEvent(values, { siteUrl, event: onto.event })
      if (onto.event) return updateEvent(onto.event.id, body)
      // The deleted event that it was may have been restored since.
      const [restored] = event ? await readEvents([event.id]) : []
      if (restored) throw new ApiError('', 409, {}, { current: restored })
      if (repeat.isOn) {
        await single.deleteLost()
        return repeat.create(body)
      }
      await repeat.undoLost()
      return single.create(body)
    },
  })
  useUnsavedChanges(isChanged, savedInput.isStored)

  const save = (edit: Save) => {
    const { values, onto, theirFields = [] } = edit
    setProblem(undefined)
    // The first date of a repetition may have been removed.
    const [first] = onto.event ? [] : repeat.dates
    if (!form.validate(first ? { ...values, date: first.date } : values)) return
    if (!onto.event && !repeat.validate()) {
      form.focusFirstError()
      return
    }
    const labels = theirFields.map((field) => fieldLabels[field])
    const updateMessage = onto.event && `Event updated successfully${theirChangesNote(labels)}`
    send(edit, {
      form: form.form,
      onSuccess: (saved) => {
        savedInput.clear()
        if (!onto.event && repeat.isOn) {
          showToast(repeat.report())
        } else {
          void cache.put([saved])
          showToast({
            title: 'Success',
            description: updateMessage ?? 'Event created successfully',
          })
        }
      },
      onClose: (saved) => {
        onSaved(saved, updateMessage)
      },
      onConflict: (cause) => {
        if (mayBeSaved(cause)) lost.current = values
        const current = conflictingVersion(cause) as CalendarEvent | undefined
        if (current) merge(current, values, onto)
        return current !== undefined
      },
      onError: (cause) => {
        setConflict(undefined)
        const isDeleted = onto.event && cause instanceof ApiError && cause.status === 404
        if (isDeleted && form.form.current) {
          // The input is retained, to create the event again.
          setBase({ event: undefined, values: onto.values })
          setProblem('This event has been deleted. Save to create it again with these values.')
          return
        }
        setProblem(saveProblemOf(cause))
        form.showErrors(fieldErrorsOf(cause))
        showError(
          messageOf(cause, onto.event ? 'Failed to update event' : 'Failed to create event'),
        )
      },
    })
  }
  /** Saves as a draft, which needs nothing but a title. */
  const saveDraft = () => {
    // The chosen status stays in the form, for another attempt if this one fails.
    save({ values: { ...form.values, status: 'draft' }, onto: base })
  }
  /** Saves an edit of another admin's version. */
  const saveOnto = (theirs: CalendarEvent, values: EventFormValues, theirFields: FormField[]) => {
    const onto = { event: theirs, values: formValuesOf(theirs, siteUrl) }
    form.change(values)
    setBase(onto)
    setConflict(undefined)
    save({ values, onto, theirFields })
  }
  /** Merges with another admin's changes; asks only if both changed the same fields. */
  const merge = (theirs: CalendarEvent, mine: EventFormValues, onto: Base) => {
    const theirValues = formValuesOf(theirs, siteUrl)
    const { theirFields, conflicts } = mergeEdits(
      { base: onto.values, mine, theirs: theirValues, lost: lost.current },
      differingFields,
      fieldGroups,
    )
    const merged = copyFields(mine, theirValues, theirFields)
    if (conflicts.length > 0) setConflict({ theirs, merged, theirFields, fields: conflicts })
    else saveOnto(theirs, merged, theirFields)
  }
  const restoreInput = () => {
    if (!savedInput.offered) return
    const { start, values: stored, revision } = savedInput.offered
    const { repeat: storedRepeat = noRepeat, ...values } = stored
    // Changes by others since then are found when it is saved.
    setBase({
      event: event && { ...event, revision: revision ?? event.revision },
      values: start,
    })
    form.change(values)
    repeat.restore(storedRepeat)
    const statuses = [values.status, 'draft']
    single.resume(statuses.map((status) => toSaveEvent({ ...values, status }, { siteUrl })))
    savedInput.dismiss(true)
  }

  const preview = (
    <EventPreview values={form.deferredValues} speakerById={speakerById} venueImage={venueImage} />
  )
  return (
    <div className={styles.root}>
      <FormPanel
        title={event ? 'Edit Event' : 'Create New Event'}
        form={form.form}
        save={base.event ? 'Update Event' : (repeat.save ?? 'Create Event')}
        isSaving={isPending}
        otherSave={
          !base.event || base.event.status === 'draft'
            ? { label: 'Save Draft', onSave: saveDraft }
            : undefined
        }
        problem={problem ?? form.problem}
        aboveFields={
          <SavedInputOffer
            savedInput={{
              offered: savedInput.offered,
              isChanged,
              restore: restoreInput,
              discard: () => {
                savedInput.dismiss(false)
              },
            }}
          />
        }
        onSave={() => {
          save({ values: form.values, onto: base })
        }}
        onCancel={onCancel}
      >
        <DescriptionFields form={form} warnings={warnings.type} series={series} />
        <ScheduleFields form={form} warnings={warnings.schedule} />
        {!event && <RepeatFields form={form} repeat={repeat} />}
        {isInPerson(form.values.type) ? (
          <VenueFields form={form} search={venueSearch} />
        ) : (
          <RegistrationFields form={form} />
        )}
        <SpeakerFields
          form={form}
          speakers={speakers}
          eventSpeakers={event?.speakers}
          onCreate={newSpeaker && setNewName}
        />
        <LinkFields form={form} />
        <PublicationFields form={form} warnings={warnings.publication} />
        {event && !isPublic(statusOf(event, now)) && (
          <PreviewLink id={event.id} siteUrl={siteUrl} />
        )}
        {event && isInPerson(event.type) && <AttendanceHistory id={event.id} />}
        {event?.brandliveId && <SyncedFields event={event} form={form} />}
        {event && <Activity id={event.id} />}
        {!isWide && <PreviewDisclosure>{preview}</PreviewDisclosure>}
      </FormPanel>
      {isWide && (
        <aside className={styles.preview} aria-label="Preview">
          <h2 className={styles.heading}>As visitors will see it</h2>
          {preview}
        </aside>
      )}
      {newName !== null &&
        newSpeaker?.({
          name: newName,
          onClose: () => {
            setNewName(null)
          },
          onCreated: ({ id }) => {
            setNewName(null)
            form.change({ speakerIds: [...form.values.speakerIds, id] })
          },
        })}
      {conflict && (
        <ConflictDialog
          title="This event was changed while you were editing it"
          lastChange={<LastChange id={conflict.theirs.id} />}
          fields={conflict.fields.map((field) => ({
            field,
            label: fieldLabels[field],
            mine: textOf(conflict.merged, field, nameOf),
            theirs: textOf(formValuesOf(conflict.theirs, siteUrl), field, (id) =>
              nameOfSpeaker(findSpeaker(id, speakers, conflict.theirs.speakers)),
            ),
          }))}
          isSaving={isPending}
          onCancel={() => {
            setConflict(undefined)
          }}
          onSave={(chosen) => {
            const { theirs, merged, theirFields } = conflict
            const values = copyFields(merged, formValuesOf(theirs, siteUrl), chosen)
            saveOnto(theirs, values, [...theirFields, ...chosen])
          }}
        />
      )}
    </div>
  )
}

/** The preview in windows that are too narrow to show it beside the form; rendered while it is open. */
function PreviewDisclosure({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={styles.disclosure}
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open)
      }}
    >
      <summary className={styles.summary}>Preview: as visitors will see it</summary>
      {isOpen && <div className={styles.disclosed}>{children}</div>}
    </details>
  )
}

/** The value of a field, for people. */
function textOf(values: EventFormValues, field: FormField, nameOf: (id: number) => string): string {
  if (field === 'speakerIds') return values.speakerIds.map(nameOf).join(', ')
  if (field === 'status' && isStatus(values.status)) return statusLabels[values.status]
  return field === 'publishAt' ? values.publishAt.replace('T', ' ') : values[field]
}

/** The other admin and the time of the save, if the activity log has them. */
function LastChange({ id }: { id: number }) {
  const { data } = useQuery(activityQuery(id))
  const last = data?.[0]
  return last && `${last.who} saved it ${dateTimeLabel(last.at)}.`
}
