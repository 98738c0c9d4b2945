import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../../lib/class-names'
import { lengthOf } from '../../lib/text'
import styles from './field.module.css'
import { Icon } from './icon'

/** Props shared by all kinds of field. */
export interface FieldProps {
  label: string
  /** The validation message. */
  error?: string | undefined
  /** A hint below the input. */
  help?: ReactNode
  /** Shows "optional" next to the label (guide §6, Forms). */
  isOptional?: boolean | undefined
  /** The share of a form's row on wide screens; the full row by default. */
  width?: 'third' | 'half' | 'two-thirds' | undefined
  /** The maximum length; shows a character counter. */
  countTo?: number | undefined
}

/** Attributes that connect an input with its label, hint and error. */
export interface ControlProps {
  id: string
  className: string | undefined
  'aria-invalid': boolean
  'aria-describedby': string | undefined
}

interface FieldFrameProps extends FieldProps {
  /** The value, for the character counter. */
  value?: unknown
  children: (control: ControlProps) => ReactNode
}

/** An input with its label, hint, counter and error (guide §6, Forms). */
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

/** `12 / 120`, red above the limit. Surrounding spaces don't count, because they are not sent. */
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

/** A labeled single-line text input. */
export function TextField({
  label,
  error,
  help,
  isOptional,
  width: fieldWidth,
  countTo,
  ...input
}: Omit<ComponentProps<'input'>, 'width'> & FieldProps) {
  return (
    <Field {...{ label, error, help, isOptional, width: fieldWidth, countTo, value: input.value }}>
      {(control) => <input {...control} {...input} />}
    </Field>
  )
}

/** A labeled multi-line text input. */
export function TextAreaField({
  label,
  error,
  help,
  isOptional,
  width,
  countTo,
  ...input
}: ComponentProps<'textarea'> & FieldProps) {
  return (
    <Field {...{ label, error, help, isOptional, width, countTo, value: input.value }}>
      {(control) => <textarea rows={4} {...control} {...input} />}
    </Field>
  )
}

/** An option of a select whose label differs from its value. */
export interface SelectOption {
  value: string
  label: string
}

interface SelectFieldProps extends ComponentProps<'select'>, Omit<FieldProps, 'countTo'> {
  options: readonly (string | SelectOption)[]
}

/** A labeled select. */
export function SelectField({
  label,
  error,
  help,
  isOptional,
  width,
  options,
  ...select
}: SelectFieldProps) {
  return (
    <Field {...{ label, error, help, isOptional, width }}>
      {(control) => (
        <select {...control} {...select}>
          {options.map((option) => {
            const { value, label: text } =
              typeof option === 'string' ? { value: option, label: option } : option
            return (
              <option key={value} value={value}>
                {text}
              </option>
            )
          })}
        </select>
      )}
    </Field>
  )
}
