import {
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { useBlockedInput } from '../../lib/use-blocked-input'
import { Alert } from './alert'
import { Button } from './button'
import styles from './form-panel.module.css'
import { Spinner } from './loading'
import { usePendingUpload } from './use-pending-upload'

interface FormPanelProps {
  title: string
  /** The form element, for moving the focus between fields. */
  form: RefObject<HTMLFormElement | null>
  save: string
  cancel?: string
  isSaving: boolean
  /** Why saving failed, if it is not the error of a field. */
  problem?: string | undefined
  aboveFields?: ReactNode
  /** Another way to save, at the start of the footer. */
  otherSave?: { label: string; onSave: () => void } | undefined
  /** More actions, at the start of the footer. */
  more?: ReactNode
  onSave: () => void
  onCancel: () => void
  children: ReactNode
}

/**
 * A form of the portal: its heading, groups of fields, and a footer with Cancel and the main action
 * (guide §6, Forms). It focuses its first field; on touch screens its heading, where the on-screen
 * keyboard would cover the form.
 */
export function FormPanel({
  title,
  form,
  save,
  cancel = 'Cancel',
  isSaving,
  problem,
  aboveFields,
  otherSave,
  more,
  onSave,
  onCancel,
  children,
}: FormPanelProps) {
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const problemBox = useRef<HTMLDivElement>(null)
  const pendingUpload = usePendingUpload(form)
  const shownProblem = pendingUpload.problem ?? problem

  // At once: a later effect could take the focus from a field that the user has already chosen.
  useLayoutEffect(() => {
    const isTouch = matchMedia('(pointer: coarse)').matches
    const field = form.current?.querySelector<HTMLElement>(':is(input, select, textarea):enabled')
    heading.current?.scrollIntoView({ block: 'nearest' })
    ;(isTouch ? heading.current : field)?.focus({ preventScroll: isTouch })
  }, [form])

  useEffect(() => {
    const isAtField = document.activeElement?.getAttribute('aria-invalid') === 'true'
    if (shownProblem !== undefined && !isAtField) {
      problemBox.current?.scrollIntoView({ block: 'nearest' })
    }
  }, [shownProblem])

  useBlockedInput(form, isSaving)
  const saveUnlessUploading = (saveNow: () => void) => {
    if (!pendingUpload.check() && !isSaving) saveNow()
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    saveUnlessUploading(onSave)
  }

  return (
    <form
      ref={form}
      className={styles.root}
      aria-labelledby={headingId}
      aria-busy={isSaving}
      noValidate
      onSubmit={submit}
    >
      <div className={styles.head}>
        <h2 ref={heading} className={styles.title} id={headingId} tabIndex={-1}>
          {title}
        </h2>
        <p className={styles.help}>All fields are required unless marked optional.</p>
      </div>
      {aboveFields}
      {children}
      {shownProblem !== undefined && (
        <div ref={problemBox} className={styles.problem}>
          <Alert title={shownProblem} />
        </div>
      )}
      <div className={styles.footer}>
        {(otherSave !== undefined || (more !== undefined && more !== false)) && (
          <div className={styles.more}>
            {otherSave && (
              <Button
                variant="ghost"
                aria-disabled={isSaving}
                onClick={() => {
                  saveUnlessUploading(otherSave.onSave)
                }}
              >
                {otherSave.label}
              </Button>
            )}
            {more}
          </div>
        )}
        <Button onClick={onCancel} disabled={isSaving}>
          {cancel}
        </Button>
        {/* A disabled button would lose the focus. */}
        <Button type="submit" variant="primary" aria-disabled={isSaving}>
          {isSaving && <Spinner />}
          {save}
        </Button>
      </div>
    </form>
  )
}

/** A group of fields with a heading and a hint (guide §6, Forms). */
export function FormGroup({
  title,
  help,
  children,
}: {
  title: string
  help?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <div className={styles.group} role="group" aria-labelledby={id}>
      <div>
        <h3 className={styles.groupTitle} id={id}>
          {title}
        </h3>
        {help !== undefined && <p className={styles.groupHelp}>{help}</p>}
      </div>
      <div className={styles.fields}>{children}</div>
    </div>
  )
}
