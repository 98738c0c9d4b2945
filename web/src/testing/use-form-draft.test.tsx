import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { SelectField, TextAreaField, TextField } from '../components/ui/field'
import { renderPart } from './render'
import { hasUnsavedWork } from '../lib/leave-guard'
import { useFormDraft } from '../lib/use-form-draft'

const faults = { city: 'City is required', note: 'Note is too long' }

function Form({ onSave, found = faults }: { onSave?: (isWrong: boolean) => void; found?: object }) {
  const { form, draft, field, change, mark } = useFormDraft(() => ({
    name: 'The Arcadia House',
    city: '',
    state: 'AZ',
    note: '',
  }))
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        const isWrong = mark({ ...found })
        onSave?.(isWrong)
      }}
    >
      <TextField label="Name" {...field('name')} />
      <TextField label="City" {...field('city')} />
      <SelectField label="State" choices={['AZ', 'CO']} {...field('state')} />
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
      <output>{Object.values(draft).join('|')}</output>
    </form>
  )
}

const button = (name: string) => screen.getByRole('button', { name })

describe('a form of text fields', () => {
  it('begins with what is known, and holds what is typed and chosen', async () => {
    const { user } = renderPart(<Form />)
    expect(screen.getByLabelText('Name')).toHaveValue('The Arcadia House')
    await user.type(screen.getByLabelText('City'), 'Scottsdale')
    await user.selectOptions(screen.getByLabelText('State'), 'CO')
    await user.type(screen.getByLabelText('Note'), 'Second floor')
    expect(screen.getByText('The Arcadia House|Scottsdale|CO|Second floor')).toBeVisible()
  })

  it('marks what is wrong and goes to the first of it, every time anew', async () => {
    const save = vi.fn()
    const { user } = renderPart(<Form onSave={save} />)
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

  it('takes a fault away as soon as its field is changed, by hand or not, and no other', async () => {
    const { user } = renderPart(<Form />)
    await user.click(button('Save'))
    expect(screen.getByLabelText('City')).toBeInvalid()
    await user.click(button('Tempe'))
    expect(screen.getByLabelText('City')).toHaveValue('Tempe')
    expect(screen.getByLabelText('City')).toBeValid()
    expect(screen.getByLabelText('Note')).toBeInvalid()
    await user.type(screen.getByLabelText('Note'), 'x')
    expect(screen.queryByText('Note is too long')).not.toBeInTheDocument()
  })

  it('says that nothing is wrong, and leaves the focus where it is', async () => {
    const save = vi.fn()
    const { user } = renderPart(<Form onSave={save} found={{}} />)
    await user.click(button('Save'))
    expect(save).toHaveBeenCalledExactlyOnceWith(false)
    expect(button('Save')).toHaveFocus()
  })

  it('guards what was typed until it is as it was, or the form is gone', async () => {
    const { user, unmount } = renderPart(<Form />)
    expect(hasUnsavedWork()).toBe(false)
    await user.type(screen.getByLabelText('Name'), '!')
    expect(hasUnsavedWork()).toBe(true)
    await user.keyboard('{Backspace}')
    expect(hasUnsavedWork()).toBe(false)
    await user.click(button('Tempe'))
    expect(hasUnsavedWork()).toBe(true)
    unmount()
    expect(hasUnsavedWork()).toBe(false)
  })
})
