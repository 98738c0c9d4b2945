import { screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { expect, it } from 'vitest'
import { renderComponent } from '../../testing/render'
import { FormPanel } from './form-panel'

function Form() {
  const form = useRef<HTMLFormElement>(null)
  const [isSaving, setIsSaving] = useState(false)
  return (
    <>
      <FormPanel
        title="Edit"
        form={form}
        save="Save"
        isSaving={isSaving}
        onSave={() => {
          setIsSaving(true)
        }}
        onCancel={() => undefined}
      >
        <input aria-label="Title" />
        <select aria-label="Type">
          <option>Online</option>
          <option>In person</option>
        </select>
        <input type="checkbox" aria-label="Ada Okafor" />
      </FormPanel>
      <button
        onClick={() => {
          setIsSaving(false)
        }}
      >
        Fail
      </button>
    </>
  )
}

it('takes no input while it is saved, which would be lost, and keeps the focus', async () => {
  const { user } = renderComponent(<Form />)
  const title = screen.getByLabelText('Title')
  const speaker = screen.getByLabelText('Ada Okafor')
  await user.type(title, 'Rent{Enter}')
  await user.keyboard(' rolls{Backspace}')
  expect(title).toHaveValue('Rent')
  expect(title).toHaveFocus()
  await user.click(speaker)
  expect(speaker).not.toBeChecked()
  title.focus()
  await user.tab()
  expect(screen.getByLabelText('Type')).toHaveFocus()

  await user.click(screen.getByRole('button', { name: 'Fail' }))
  await user.type(title, ' rolls')
  await user.click(speaker)
  expect(title).toHaveValue('Rent rolls')
  expect(speaker).toBeChecked()
})
