import type { EventFileField, ImportOptions, ImportPreview } from '../../../../api/types'
import { SelectField } from '../../../../components/ui/field'
import { FormGroup } from '../../../../components/ui/form-panel'
import { fieldLabels } from './fields'

interface ImportColumnsProps {
  preview: ImportPreview
  options: ImportOptions
  onChoose: (change: ImportOptions) => void
}

const delimiters = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Vertical bar' },
]

const fieldOptions = [
  { value: '', label: 'Not imported' },
  ...Object.entries(fieldLabels).map(([value, label]) => ({ value, label })),
]

/** Which column has which field: recognized by the headings, and changed here. */
export function ImportColumns({ preview, options, onChoose }: ImportColumnsProps) {
  const { columns, delimiter, encoding } = preview
  const fields = columns.map(({ field }) => field)
  const isListed = delimiters.some(({ value }) => value === delimiter)

  return (
    <FormGroup
      title="Columns"
      help={`Recognized by their headings (${encoding}). Choose another field where that went wrong.`}
    >
      <SelectField
        label="Separator of the columns"
        width="half"
        value={delimiter ?? ','}
        options={
          isListed ? delimiters : [{ value: delimiter ?? '', label: 'Another' }, ...delimiters]
        }
        onChange={(event) => {
          // Another separator makes other columns.
          onChoose({ delimiter: event.target.value, columns: null })
        }}
      />
      {columns.map(({ heading, samples, field }, index) => (
        <SelectField
          key={`${index} ${heading}`}
          label={heading === '' ? `Column ${index + 1}` : heading}
          width="half"
          value={field ?? ''}
          options={fieldOptions}
          help={samples.length > 0 ? samples.join(' · ') : 'All cells are blank.'}
          onChange={(event) => {
            const chosen = (event.target.value || null) as EventFileField | null
            // A field has one column.
            const next = (options.columns ?? fields).map((other) =>
              other === chosen ? null : other,
            )
            next[index] = chosen
            onChoose({ columns: next })
          }}
        />
      ))}
    </FormGroup>
  )
}
