import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '../../../api/client'
import {
  fieldErrorsOf,
  mayBeSaved,
  messageOf,
  readMessageOf,
  useIdempotencyKey,
} from '../../../api/forms'
import type { CalendarEvent, BulkEdit, PlannedEdit } from '../../../api/types'
import { Alert } from '../../../components/ui/alert'
import { Button } from '../../../components/ui/button'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog'
import { Dialog } from '../../../components/ui/dialog'
import { Spinner } from '../../../components/ui/loading'
import { showToast } from '../../../components/ui/toast-store'
import { countLabel } from '../../../lib/text'
import { useEventsCache } from './api'
import { unlistedSentence } from './bulk-delete-dialog'
import styles from './bulk-edit-dialog.module.css'
import {
  BulkEditFields,
  changesOf,
  isAnyChange,
  noChanges,
  publicationZone,
} from './bulk-edit-fields'
import { BulkEditPreview } from './bulk-edit-preview'
import {
  afterConflict,
  saveBulkEdit,
  previewBulkEdit,
  toastWithUndo,
  useUndoBulkEdit,
} from './bulk-edit-api'
import type { PortalSpeakers } from './speakers'

interface BulkEditDialogProps {
  /** The selected events. */
  events: readonly CalendarEvent[]
  /** How many of them the filter of the list excludes. */
  unlisted: number
  /** Loads them again, without deleted ones; returns a sentence that names those. */
  reloadEvents: () => Promise<string | undefined>
  /** The names of the existing series. */
  series: readonly string[]
  speakers: PortalSpeakers
  onClose: () => void
  onDone: () => void
}

/** Changes several events: first what, then a preview of each event, then all in one step with one undo. */
export function BulkEditDialog(props: BulkEditDialogProps) {
  const { events, unlisted, reloadEvents, series, speakers, onClose, onDone } = props
  const headingId = useId()
  const cache = useEventsCache()
  const keyOf = useIdempotencyKey()
  const { mutate: undo } = useUndoBulkEdit()
  const zone = publicationZone(events)
  const [values, setValues] = useState(noChanges)
  const [plan, setPlan] = useState<readonly PlannedEdit[]>()
  const ids = new Set(events.map(({ id }) => id))
  const planned = plan?.filter(({ id }) => ids.has(id))
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set())
  const [problem, setProblem] = useState<string>()
  const [isUnsaved, setIsUnsaved] = useState(true)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [attempts, setAttempts] = useState(0)
  const [isAsking, setIsAsking] = useState(false)
  const body = useRef<HTMLFormElement>(null)

  // After the render that marks the fields.
  useEffect(() => {
    if (attempts > 0) body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])
  // The steps have one heading.
  const isPreview = planned !== undefined
  const wasPreview = useRef(isPreview)
  useEffect(() => {
    if (wasPreview.current === isPreview) return
    wasPreview.current = isPreview
    document.getElementById(headingId)?.focus()
  }, [isPreview, headingId])

  const fail = async (error: unknown, message: string) => {
    const deleted = await afterConflict(error, reloadEvents)
    const fields = fieldErrorsOf(error)
    const own = Object.fromEntries(
      Object.entries(fields).map(([name, message]) => [name.replace('changes.', ''), message]),
    )
    const isOfField = Object.keys(own).some((name) => name in fieldNames)
    if (isOfField) setPlan(undefined)
    setErrors(own)
    setIsUnsaved(!mayBeSaved(error))
    setProblem(isOfField ? undefined : (deleted ?? message))
    setAttempts((count) => count + 1)
  }

  const preview = useMutation({
    mutationFn: () =>
      previewBulkEdit({
        events: events.map(({ id }) => ({ id })),
        changes: changesOf(values, zone),
      }),
    networkMode: 'always',
    onSuccess: (result) => {
      setPlan(result)
      setLeftOut(new Set())
    },
    onError: (error) => fail(error, readMessageOf(error, 'Failed to preview the changes')),
  })

  const included = planned?.filter((event) => !leftOut.has(event.id)) ?? []
  const wrong = included.filter((event) => event.errors.length > 0)
  const changing = included.filter((event) => event.changes.length > 0)

  const apply = useMutation({
    mutationFn: () => {
      const request: BulkEdit = {
        events: changing.map(({ id, revision }) => ({ id, revision })),
        changes: changesOf(values, zone),
      }
      return saveBulkEdit(request, keyOf(request))
    },
    networkMode: 'always',
    onSuccess: ({ id, count }) => {
      showToast(
        toastWithUndo(`${countLabel(count, 'event')} changed successfully`, () => {
          undo({ id })
        }),
      )
      void cache.refresh()
      onDone()
    },
    onError: async (error) => {
      await fail(error, messageOf(error, 'Failed to change the events'))
      // Others have changed some of the events: the preview is out of date.
      if (error instanceof ApiError && error.status === 409) void cache.refresh()
    },
  })
  const isBusy = preview.isPending || apply.isPending
  const close = () => {
    if (isBusy) return
    if (Object.entries(values).some(([name, value]) => value !== blank[name])) setIsAsking(true)
    else onClose()
  }

  const showPreview = () => {
    if (isBusy) return
    setProblem(undefined)
    setErrors({})
    if (isAnyChange(values)) preview.mutate()
    else setProblem('Choose what to change')
  }

  return (
    <Dialog headingId={headingId} className={styles.root} onClose={close}>
      <form
        ref={body}
        className={styles.body}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!planned) showPreview()
        }}
      >
        <h2 className={styles.title} id={headingId} tabIndex={-1}>
          {planned ? 'Preview' : `Change ${countLabel(events.length, 'Event')}`}
        </h2>
        {problem && <Alert title={problem}>{planned && isUnsaved && 'Nothing was saved.'}</Alert>}
        {unlisted > 0 && (
          <p className={styles.intro}>{unlistedSentence(unlisted, events.length)}</p>
        )}
        {planned ? (
          <BulkEditPreview
            events={events}
            planned={planned}
            leftOut={leftOut}
            onLeaveOut={(ids, isOut) => {
              const next = new Set(leftOut)
              for (const id of ids) {
                if (isOut) next.add(id)
                else next.delete(id)
              }
              setLeftOut(next)
            }}
          />
        ) : (
          <BulkEditFields
            values={values}
            errors={errors}
            events={events}
            series={series}
            speakers={speakers}
            onChange={(changes) => {
              setValues({ ...values, ...changes })
              setErrors({})
              setProblem(undefined)
            }}
          />
        )}
        {/* Enter in a field shows the preview. */}
        {!planned && <button type="submit" hidden aria-hidden="true" tabIndex={-1} />}
      </form>
      <div className={styles.footer}>
        {planned && (
          <p className={styles.note} role="status">
            {wrong.length > 0
              ? `${countLabel(wrong.length, 'event')} can’t be changed like this`
              : `${countLabel(changing.length, 'event')} of ${planned.length} will be changed`}
          </p>
        )}
        <Button
          size="small"
          disabled={isBusy}
          onClick={() => {
            if (!planned) {
              close()
              return
            }
            setPlan(undefined)
            setProblem(undefined)
          }}
        >
          {planned ? 'Back' : 'Cancel'}
        </Button>
        {planned && problem && (
          <Button size="small" disabled={isBusy} onClick={showPreview}>
            Preview Again
          </Button>
        )}
        {!planned && (
          <Button variant="primary" size="small" aria-disabled={isBusy} onClick={showPreview}>
            {isBusy && <Spinner />}
            Preview
          </Button>
        )}
        {planned && wrong.length > 0 && (
          <Button
            variant="primary"
            size="small"
            onClick={() => {
              setLeftOut(new Set([...leftOut, ...wrong.map(({ id }) => id)]))
              document.getElementById(headingId)?.focus()
            }}
          >
            Leave Out {countLabel(wrong.length, 'Event')}
          </Button>
        )}
        {planned && wrong.length === 0 && changing.length > 0 && (
          <Button
            variant="primary"
            size="small"
            aria-disabled={isBusy}
            onClick={() => {
              if (isBusy) return
              setProblem(undefined)
              apply.mutate()
            }}
          >
            {isBusy && <Spinner />}
            Change {countLabel(changing.length, 'Event')}
          </Button>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Discard These Changes?"
          confirm="Discard"
          cancel="Keep Editing"
          onConfirm={onClose}
          onCancel={() => {
            setIsAsking(false)
          }}
        >
          What you chose for {countLabel(events.length, 'event')} is not saved.
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

const blank: Readonly<Record<string, string>> = { ...noChanges }

/** The fields of a change that can have an error of their own. */
const fieldNames: Readonly<Record<string, true>> = {
  speakers: true,
  time: true,
  registrationUrl: true,
  type: true,
  status: true,
  publishAt: true,
  series: true,
}
