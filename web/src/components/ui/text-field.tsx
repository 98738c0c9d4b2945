import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './field'

/** A labelled field for one line of text, with what is wrong with it below (guide §6, Forms). */
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
