import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { ApiError } from '../../../api/client'
import { fieldErrorsOf, messageOf, useIdempotencyKey } from '../../../api/forms'
import type { CalendarEvent } from '../../../api/types'
import { FormPanel } from '../../../components/ui/form-panel'
import { showError, showToast } from '../../../components/ui/toast-store'
import { useMinute } from '../../../lib/hydration'
import { useUnsavedChanges } from '../../../lib/unsaved-changes'
import { useMediaQuery } from '../../../lib/use-media-query'
import { isInPerson } from '../event-presentation'
import { Activity } from './activity'
import { AttendanceHistory } from './attendance-history'
import { conflictingEvent, createEvent, updateEvent, useEventsCache } from './api'
import { ConflictDialog } from './conflict-dialog'
import styles from './event-form.module.css'
import { EventPreview } from './event-preview'
import { DescriptionFields, LinkFields, RegistrationFields, ScheduleFields } from './form-groups'
import { formValuesOf, type EventFormValues, newFormValues, toSaveEvent } from './form-values'
import { ImportedFields } from './imported-fields'
import { PreviewLink } from './preview-link'
import { PublicationFields } from './publication-fields'
import { SpeakerFields } from './speaker-picker'
import { findSpeaker, type PortalSpeakers } from './speakers'
import { isPublic, statusOf } from './status-labels'
import { useEventForm } from './use-event-form'
import { VenueFields, type VenueImage, type VenueSearch } from './venue-fields'

/** Windows wide enough for the preview beside the form. */
const wideQuery = '(min-width: 1280px)'

interface EventFormProps {
  /** The event to edit; undefined for a new one. */
  event: CalendarEvent | undefined
  siteUrl: string
  speakers: PortalSpeakers
  venueSearch: VenueSearch | undefined
  venueImage: VenueImage | undefined
  onSaved: (event: CalendarEvent) => void
  onCancel: () => void
}

/** Creates or changes an event (spec §2, Events tab; spec §5, "Event form"). */
export function EventForm(props: EventFormProps) {
  const { event, siteUrl, speakers, venueSearch, venueImage, onSaved, onCancel } = props
  // The version that is edited: its revision is sent with the update.
  const [base, setBase] = useState(event)
  const [initial] = useState(() =>
    event ? formValuesOf(event, siteUrl) : newFormValues(Date.now()),
  )
  const [theirs, setTheirs] = useState<CalendarEvent>()
  const [problem, setProblem] = useState<string>()
  const form = useEventForm(initial, siteUrl, base?.duration)
  const cache = useEventsCache()
  const keyOf = useIdempotencyKey()
  const isWide = useMediaQuery(wideQuery)
  const now = useMinute()
  // Memoized, so that the preview does not render on every key.
  const speakerById = useCallback(
    (id: number) => findSpeaker(id, speakers, event?.speakers),
    [speakers, event?.speakers],
  )
  const failure = base ? 'Failed to update event' : 'Failed to create event'

  const { mutate, isPending } = useMutation({
    mutationFn: ({
      values,
      onto,
    }: {
      values: EventFormValues
      onto: CalendarEvent | undefined
    }) => {
      const body = toSaveEvent(values, { siteUrl, event: onto })
      return onto ? updateEvent(onto.id, body) : createEvent(body, keyOf(body))
    },
    networkMode: 'always',
    onSuccess: (saved, { onto }) => {
      void cache.put([saved])
      showToast({
        title: 'Success',
        description: onto ? 'Event updated successfully' : 'Event created successfully',
      })
      onSaved(saved)
    },
    onError: (error) => {
      const current = conflictingEvent(error)
      if (current) {
        setTheirs(current)
        return
      }
      setTheirs(undefined)
      if (base && error instanceof ApiError && error.status === 404) {
        // The input is retained, to create the event again.
        setBase(undefined)
        setProblem('Another admin deleted this event. Save to create it again with these values.')
      }
      form.showErrors(fieldErrorsOf(error))
      showError(messageOf(error, failure))
    },
  })
  useUnsavedChanges(form.isChanged)

  const save = (values = form.values, onto = base) => {
    setProblem(undefined)
    if (form.validate(values)) mutate({ values, onto })
  }

  return (
    <div className={styles.root}>
      <FormPanel
        title={event ? 'Edit Event' : 'Create New Event'}
        form={form.form}
        save={base ? 'Update Event' : 'Create Event'}
        isSaving={isPending}
        problem={problem ?? form.problem}
        onSave={() => {
          save()
        }}
        onCancel={onCancel}
      >
        <DescriptionFields form={form} />
        <ScheduleFields form={form} />
        {isInPerson(form.values.type) ? (
          <VenueFields form={form} search={venueSearch} />
        ) : (
          <RegistrationFields form={form} />
        )}
        <SpeakerFields form={form} speakers={speakers} eventSpeakers={event?.speakers} />
        <LinkFields form={form} />
        <PublicationFields form={form} />
        {event && !isPublic(statusOf(event, now)) && (
          <PreviewLink id={event.id} siteUrl={siteUrl} />
        )}
        {event && isInPerson(event.type) && <AttendanceHistory id={event.id} />}
        {event?.brandliveId && <ImportedFields id={event.id} form={form} />}
        {event && <Activity id={event.id} />}
      </FormPanel>
      {isWide && (
        <aside className={styles.preview} aria-label="Preview">
          <EventPreview
            values={form.deferredValues}
            speakerById={speakerById}
            venueImage={venueImage}
          />
        </aside>
      )}
      {theirs && (
        <ConflictDialog
          started={initial}
          mine={form.values}
          theirs={theirs}
          siteUrl={siteUrl}
          isSaving={isPending}
          speakerName={(id) => findSpeaker(id, speakers, theirs.speakers)?.name ?? 'A speaker'}
          onCancel={() => {
            setTheirs(undefined)
          }}
          onSave={(values) => {
            form.change(values)
            setBase(theirs)
            if (form.validate(values)) mutate({ values, onto: theirs })
            else setTheirs(undefined)
          }}
        />
      )}
    </div>
  )
}
