import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './field'

/** One of the values that a select offers, with its words where they differ. */
export interface Choice {
  value: string
  label: string
}

interface SelectFieldProps extends ComponentProps<'select'>, Omit<FieldProps, 'countTo'> {
  choices: readonly (string | Choice)[]
}

/** A labelled choice of one among few (guide §6, Forms). */
export function SelectField({
  label,
  error,
  help,
  isOptional,
  width,
  choices,
  ...select
}: SelectFieldProps) {
  return (
    <Field {...{ label, error, help, isOptional, width }}>
      {(control) => (
        <select {...control} {...select}>
          {choices.map((choice) => {
            const { value, label: words } =
              typeof choice === 'string' ? { value: choice, label: choice } : choice
            return (
              <option key={value} value={value}>
                {words}
              </option>
            )
          })}
        </select>
      )}
    </Field>
  )
}
