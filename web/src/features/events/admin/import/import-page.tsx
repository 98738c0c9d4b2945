import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '../../../../api/client'
import { messageOf, readMessageOf, useIdempotencyKey } from '../../../../api/forms'
import type {
  ImportCounts,
  ImportOptions,
  ImportPreview,
  ImportResult,
} from '../../../../api/types'
import { Alert } from '../../../../components/ui/alert'
import { Button } from '../../../../components/ui/button'
import { Field } from '../../../../components/ui/field'
import { FormGroup } from '../../../../components/ui/form-panel'
import { Spinner } from '../../../../components/ui/loading'
import { showError, showToast } from '../../../../components/ui/toast-store'
import { restoreFocus } from '../../../../lib/restore-focus'
import { countLabel } from '../../../../lib/text'
import { useUnsavedChanges } from '../../../../lib/unsaved-changes'
import type { PortalSpeakers } from '../speakers'
import { type ChosenFile, importEvents, previewQuery, readFile, undoImport } from './api'
import { CheckboxField } from './checkbox-field'
import { ImportColumns } from './import-columns'
import styles from './import-page.module.css'
import { ImportPreviewList } from './import-preview'
import { ImportQuestions } from './import-questions'
import { ImportSummary } from './import-summary'

/** Imports events of a file: the file, what it does not say, the preview, and the undo. */
export function ImportPage({ speakers }: { speakers: PortalSpeakers }) {
  const [file, setFile] = useState<ChosenFile | null>(null)
  const [fileError, setFileError] = useState<string>()
  const [options, setOptions] = useState<ImportOptions>({})
  const [result, setResult] = useState<ImportResult | null>(null)
  const preview = useQuery(previewQuery(file, options))
  // The choice that the preview failed with can still be changed.
  const [last, setLast] = useState<{ file: ChosenFile; preview: ImportPreview }>()
  if (file && preview.data && preview.data !== last?.preview) {
    setLast({ file, preview: preview.data })
  }
  const shown = preview.data ?? (last?.file === file ? last.preview : undefined)
  const queryClient = useQueryClient()
  const key = useIdempotencyKey()
  useUnsavedChanges(file !== null && result === null)

  const choose = (change: ImportOptions) => {
    setOptions((current) => ({ ...current, ...change }))
  }
  const refresh = () => {
    speakers.retry()
    return queryClient.invalidateQueries()
  }
  const store = useMutation({
    mutationFn: async () => {
      if (!file || !preview.data) throw new Error('no preview')
      return importEvents(file, options, preview.data.plan, key)
    },
    networkMode: 'always',
    onSuccess: (stored) => {
      setResult(stored)
      showToast({ title: 'Success', description: 'Events imported successfully' })
      void refresh()
    },
    onError: () => {
      // The events may have changed since the preview.
      void preview.refetch()
    },
  })
  const undo = useMutation({
    mutationFn: undoImport,
    networkMode: 'always',
    onSuccess: () => {
      setResult(null)
      showToast({ title: 'Success', description: 'Import undone' })
      // The button was removed with the summary.
      setTimeout(restoreFocus)
      void refresh()
    },
    onError: (error) => {
      showError(messageOf(error, 'Failed to undo the import'))
    },
  })

  if (result) {
    return (
      <ImportSummary
        result={result}
        isUndoing={undo.isPending}
        onUndo={() => {
          undo.mutate(result)
        }}
        onAgain={() => {
          setResult(null)
          setFile(null)
          setOptions({})
        }}
      />
    )
  }
  return (
    <section className={styles.root} aria-label="Import" aria-busy={store.isPending}>
      <h2 className="visually-hidden">File and Preview</h2>
      <FormGroup
        title="File"
        help="A spreadsheet saved as CSV, or a calendar (.ics): at most 5 MB and 5,000 events. Nothing is stored before you have seen what it does."
      >
        <FileField
          chosen={file}
          error={fileError}
          onFile={(chosen) => {
            setFileError(undefined)
            readFile(chosen).then(
              (read) => {
                // The choices were made for the columns and names of the other file.
                setOptions({})
                setFile(read)
              },
              (error: unknown) => {
                // The preview would be that of the other file.
                setOptions({})
                setFile(null)
                setFileError(error instanceof Error ? error.message : 'The file can’t be read.')
              },
            )
          }}
        />
      </FormGroup>
      {file && preview.isError && !preview.isFetching && (
        <div className={styles.problem}>
          <Alert
            title={previewProblemOf(preview.error, shown !== undefined)}
            onRetry={() => void preview.refetch()}
          />
        </div>
      )}
      {file && preview.isPending && (
        <p className={styles.loading} role="status">
          <Spinner /> Reading {file.name}...
        </p>
      )}
      {shown && (
        <>
          {shown.columns.length > 0 && (
            <ImportColumns preview={shown} options={options} onChoose={choose} />
          )}
          <ImportQuestions
            preview={shown}
            options={options}
            speakers={speakers.all ?? []}
            onChoose={choose}
          />
          <ImportPreviewList
            key={file?.id}
            preview={shown}
            isUpdating={preview.isPlaceholderData || preview.isFetching}
            leftOut={options.leaveOutRows ?? []}
            onLeaveOut={(leaveOutRows) => {
              choose({ leaveOutRows })
            }}
          />
          {store.isError && (
            <div className={styles.problem}>
              <Alert title={messageOf(store.error, 'Failed to import events')} />
            </div>
          )}
          <Actions
            counts={shown.counts}
            hasOpenChoice={hasOpenChoice(shown, options)}
            isLeavingOut={options.leaveOutErrors === true}
            isBusy={store.isPending || preview.isPlaceholderData}
            isOutdated={preview.isError}
            isStoring={store.isPending}
            onLeaveOut={(leaveOutErrors) => {
              choose({ leaveOutErrors })
            }}
            onImport={() => {
              store.mutate()
            }}
          />
        </>
      )}
    </section>
  )
}

/** Why there is no preview, or no preview of the last choice. */
function previewProblemOf(error: Error, hasPreview: boolean): string {
  if (!(error instanceof ApiError)) {
    const unreachable = 'The server could not be reached'
    return hasPreview ? `${unreachable}. The preview may be out of date.` : unreachable
  }
  return readMessageOf(
    error,
    hasPreview ? 'The preview could not be updated' : 'The file could not be read',
  )
}

/** Whether rows wait for a choice of the order of dates, of a type or of a speaker. */
function hasOpenChoice(preview: ImportPreview, options: ImportOptions): boolean {
  const { ambiguousDate, unknownTypes, unknownSpeakers } = preview
  const { dateOrder, types = [], speakers = [] } = options
  const isOpen = (choices: readonly { name: string }[]) => (unknown: { name: string }) =>
    choices.every(({ name }) => name !== unknown.name)
  return (
    (ambiguousDate !== null && dateOrder == null) ||
    unknownTypes.some(isOpen(types)) ||
    unknownSpeakers.some(isOpen(speakers))
  )
}

interface FileFieldProps {
  chosen: ChosenFile | null
  error: string | undefined
  onFile: (file: File) => void
}

function FileField({ chosen, error, onFile }: FileFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  // The same file can be chosen again after it was corrected.
  useEffect(() => {
    if (input.current && chosen === null) input.current.value = ''
  }, [chosen])
  return (
    <Field label="CSV or calendar file" error={error}>
      {(control) => (
        <input
          {...control}
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,.ics,text/csv,text/calendar"
          onClick={(event) => {
            event.currentTarget.value = ''
          }}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) onFile(file)
          }}
        />
      )}
    </Field>
  )
}

interface ActionsProps {
  counts: ImportCounts
  /** Whether rows have errors because of a choice that is not made yet. */
  hasOpenChoice: boolean
  isLeavingOut: boolean
  /** Whether the preview could not be updated. */
  isOutdated: boolean
  isBusy: boolean
  isStoring: boolean
  onLeaveOut: (isLeavingOut: boolean) => void
  onImport: () => void
}

/** The choice about rows with errors, and the button that imports the others. */
function Actions(props: ActionsProps) {
  const {
    counts,
    hasOpenChoice,
    isLeavingOut,
    isOutdated,
    isBusy,
    isStoring,
    onLeaveOut,
    onImport,
  } = props
  const reasonId = useId()
  const stored = counts.create + counts.update
  const reason = isOutdated
    ? 'The preview could not be updated. Try again above.'
    : counts.error > 0 && !isLeavingOut
      ? `${countLabel(counts.error, 'row has an error', 'rows have errors')}. ${hasOpenChoice ? 'Make the choices above that are still open' : 'Correct the file and choose it again'}, or leave out these rows.`
      : stored === 0
        ? 'There is nothing to import.'
        : undefined
  return (
    <div className={styles.footer}>
      {counts.error > 0 && (
        <CheckboxField
          label={`Leave out the ${countLabel(counts.error, 'row with an error', 'rows with errors')}`}
          checked={isLeavingOut}
          onChange={onLeaveOut}
        />
      )}
      {reason !== undefined && (
        <p className={styles.reason} id={reasonId}>
          {reason}
        </p>
      )}
      {/* A disabled button would lose the focus. */}
      <Button
        variant="primary"
        aria-disabled={isBusy || reason !== undefined}
        aria-describedby={reason === undefined ? undefined : reasonId}
        onClick={() => {
          if (!isBusy && reason === undefined) onImport()
        }}
      >
        {isStoring && <Spinner />}
        {stored === 0 ? 'Import Events' : `Import ${countLabel(stored, 'Event')}`}
      </Button>
    </div>
  )
}
