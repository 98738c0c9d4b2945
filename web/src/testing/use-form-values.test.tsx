import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { SelectField, TextAreaField, TextField } from '../components/ui/field'
import { hasUnsavedChanges } from '../lib/unsaved-changes'
import { useFormValues } from '../lib/use-form-values'
import { renderComponent } from './render'

const bothErrors = { city: 'City is required', note: 'Note is too long' }

interface FormProps {
  onSave?: (hasErrors: boolean) => void
  errors?: object
  check?: (values: { city: string }) => { city: string | undefined }
}

function Form({ onSave, errors = bothErrors, check }: FormProps) {
  const { form, values, field, change, showErrors } = useFormValues(
    () => ({
      name: 'The Arcadia House',
      city: '',
      state: 'AZ',
      note: '',
    }),
    { check },
  )
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        const hasErrors = showErrors({ ...errors })
        onSave?.(hasErrors)
      }}
    >
      <TextField label="Name" {...field('name')} />
      <TextField label="City" {...field('city')} />
      <SelectField label="State" options={['AZ', 'CO']} {...field('state')} />
      <TextAreaField label="Note" {...field('note')} />
      <button
        type="button"
        onClick={() => {
          change('city', 'Tempe')
        }}
      >
        Tempe
      </button>
      <button type="submit">Save</button>
      <output>{Object.values(values).join('|')}</output>
    </form>
  )
}

const button = (name: string) => screen.getByRole('button', { name })

describe('a form of text fields', () => {
  it('starts with the initial values and changes with the input', async () => {
    const { user } = renderComponent(<Form />)
    expect(screen.getByLabelText('Name')).toHaveValue('The Arcadia House')
    await user.type(screen.getByLabelText('City'), 'Scottsdale')
    await user.selectOptions(screen.getByLabelText('State'), 'CO')
    await user.type(screen.getByLabelText('Note'), 'Second floor')
    expect(screen.getByText('The Arcadia House|Scottsdale|CO|Second floor')).toBeVisible()
  })

  it('shows the errors and focuses the first invalid field on each attempt', async () => {
    const save = vi.fn()
    const { user } = renderComponent(<Form onSave={save} />)
    for (const attempt of [1, 2]) {
      await user.click(button('Save'))
      expect(save).toHaveBeenCalledTimes(attempt)
      expect(save).toHaveBeenLastCalledWith(true)
      expect(screen.getByLabelText('City')).toHaveAccessibleDescription('City is required')
      expect(screen.getByLabelText('City')).toHaveFocus()
      expect(screen.getByLabelText('Note')).toBeInvalid()
      expect(screen.getByLabelText('Name')).toBeValid()
    }
  })

  it('clears only the error of the changed field, whether typed or set by a script', async () => {
    const { user } = renderComponent(<Form />)
    await user.click(button('Save'))
    expect(screen.getByLabelText('City')).toBeInvalid()
    await user.click(button('Tempe'))
    expect(screen.getByLabelText('City')).toHaveValue('Tempe')
    expect(screen.getByLabelText('City')).toBeValid()
    expect(screen.getByLabelText('Note')).toBeInvalid()
    await user.type(screen.getByLabelText('Note'), 'x')
    expect(screen.queryByText('Note is too long')).not.toBeInTheDocument()
  })

  it('keeps an error while typing until the field is valid', async () => {
    const check = ({ city }: { city: string }) => ({
      city: city.length < 3 ? 'City is too short' : undefined,
    })
    const { user } = renderComponent(<Form check={check} errors={{ city: 'City is too short' }} />)
    await user.click(button('Save'))
    await user.type(screen.getByLabelText('City'), 'Te')
    expect(screen.getByLabelText('City')).toHaveAccessibleDescription('City is too short')
    await user.keyboard('m')
    expect(screen.getByLabelText('City')).toBeValid()
    await user.keyboard('{Backspace}')
    expect(screen.getByLabelText('City')).toBeInvalid()
  })

  it('reports that there are no errors and does not move the focus', async () => {
    const save = vi.fn()
    const { user } = renderComponent(<Form onSave={save} errors={{}} />)
    await user.click(button('Save'))
    expect(save).toHaveBeenCalledExactlyOnceWith(false)
    expect(button('Save')).toHaveFocus()
  })

  it('has unsaved changes until the values are the initial ones or the form is closed', async () => {
    const { user, unmount } = renderComponent(<Form />)
    expect(hasUnsavedChanges()).toBe(false)
    await user.type(screen.getByLabelText('Name'), '!')
    expect(hasUnsavedChanges()).toBe(true)
    await user.keyboard('{Backspace}')
    expect(hasUnsavedChanges()).toBe(false)
    await user.click(button('Tempe'))
    expect(hasUnsavedChanges()).toBe(true)
    unmount()
    expect(hasUnsavedChanges()).toBe(false)
  })
})
