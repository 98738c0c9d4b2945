import { type ComponentProps, useId } from 'react'
import { TextField } from '../../../components/ui/field'

interface SeriesFieldProps extends ComponentProps<typeof TextField> {
  /** The names of the existing series, which the field suggests. */
  series: readonly string[]
}

/** The name of a series: an existing one, or a new one. */
export function SeriesField({ series, ...field }: SeriesFieldProps) {
  const id = useId()
  return (
    <>
      <TextField autoComplete="off" list={id} {...field} />
      <datalist id={id}>
        {series.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
