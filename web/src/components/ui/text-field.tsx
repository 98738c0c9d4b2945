import { type ComponentProps, useId } from 'react'
import { Icon } from './icon'
import styles from './text-field.module.css'

interface TextFieldProps extends ComponentProps<'input'> {
  label: string
  /** What is wrong with the value. */
  error?: string | undefined
}

/** A labelled field with what is wrong with it below (guide §6, Forms). */
export function TextField({ label, error, ...input }: TextFieldProps) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div className={styles.root}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className={styles.input}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        {...input}
      />
      {error !== undefined && (
        <p className={styles.error} id={errorId}>
          <Icon name="alert" />
          {error}
        </p>
      )}
    </div>
  )
}
