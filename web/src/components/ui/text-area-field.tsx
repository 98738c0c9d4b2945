import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './field'

/** A labelled field for several lines of text, with what is wrong with it below. */
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
