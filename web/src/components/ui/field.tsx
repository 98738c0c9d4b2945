import { type ReactNode, useId } from 'react'
import { lengthOf } from '../../lib/checks'
import { classNames } from '../../lib/class-names'
import styles from './field.module.css'
import { Icon } from './icon'

/** What every kind of field can be told. */
export interface FieldProps {
  label: string
  /** What is wrong with the value. */
  error?: string | undefined
  /** A sentence that helps to fill it in. */
  help?: ReactNode
  /** Says so beside the label; what must be filled in goes without a mark (guide §6, Forms). */
  isOptional?: boolean | undefined
  /** How much of a form's row it takes on wide screens; all of it where nothing is said. */
  width?: 'third' | 'half' | 'two-thirds' | undefined
  /** The most characters that the value may have: shows how many it has. */
  countTo?: number | undefined
}

/** What ties an input to its label and to what is said about it. */
export interface ControlProps {
  id: string
  className: string | undefined
  'aria-invalid': boolean
  'aria-describedby': string | undefined
}

interface FieldFrameProps extends FieldProps {
  /** The value, for fields that count. */
  value?: unknown
  children: (control: ControlProps) => ReactNode
}

/** The label above an input, and below it help, a counter and what is wrong (guide §6, Forms). */
export function Field({
  label,
  error,
  help,
  isOptional = false,
  width,
  countTo,
  value,
  children,
}: FieldFrameProps) {
  const id = useId()
  const ids = { help: `${id}-help`, count: `${id}-count`, error: `${id}-error` }
  const descriptions = [
    help !== undefined && ids.help,
    countTo !== undefined && ids.count,
    error !== undefined && ids.error,
  ].filter((description) => description !== false)

  return (
    <div className={classNames(styles.root, width && styles[width])}>
      <label className={styles.label} htmlFor={id}>
        {label}
        {isOptional && <span className={styles.optional}> optional</span>}
      </label>
      {children({
        id,
        className: styles.input,
        'aria-invalid': error !== undefined,
        'aria-describedby': descriptions.length > 0 ? descriptions.join(' ') : undefined,
      })}
      {(help !== undefined || countTo !== undefined) && (
        <div className={styles.notes}>
          {help !== undefined && <p id={ids.help}>{help}</p>}
          {countTo !== undefined && <Counter id={ids.count} value={value} max={countTo} />}
        </div>
      )}
      {error !== undefined && (
        <p className={styles.error} id={ids.error}>
          <Icon name="alert" />
          {error}
        </p>
      )}
    </div>
  )
}

/** `12 / 120`, in the colour of danger past the limit. Blanks around the text are not sent. */
function Counter({ id, value, max }: { id: string; value: unknown; max: number }) {
  const length = typeof value === 'string' ? lengthOf(value.trim()) : 0
  return (
    <p id={id} className={classNames(styles.count, length > max && styles.over)}>
      <span aria-hidden="true">
        {length} / {max}
      </span>
      <span className="visually-hidden">
        {length} of {max} characters
      </span>
    </p>
  )
}
