import { type ComponentProps, useId } from 'react'
import type { CalendarEvent } from '../../../api/types'
import { TextField } from '../../../components/ui/field'

/** The names of the series of these events, each once. */
export function seriesOf(events: readonly CalendarEvent[]): string[] {
  const names = new Map(
    events.flatMap(({ series }) => {
      const name = series?.trim() ?? ''
      // As the server compares the names of series.
      return name === '' ? [] : [[name.toLowerCase().split(/\s+/).join(' '), name] as const]
    }),
  )
  return [...names.values()].sort((a, b) => a.localeCompare(b))
}

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
