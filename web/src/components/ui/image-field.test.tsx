import { screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { hasUnsavedWork } from '../../lib/leave-guard'
import { renderPart } from '../../testing/render'
import { FormPanel } from './form-panel'
import { ImageField } from './image-field'

function show(onUpload: (picture: File) => Promise<string>) {
  const save = vi.fn()
  function Form() {
    const form = useRef<HTMLFormElement>(null)
    const [address, setAddress] = useState('')
    return (
      <FormPanel
        title="Edit"
        form={form}
        save="Save"
        isSaving={false}
        onSave={save}
        onCancel={() => undefined}
      >
        <ImageField
          label="Image URL"
          name="imageUrl"
          value={address}
          onChange={setAddress}
          onUpload={onUpload}
          preview={<i>preview</i>}
        />
      </FormPanel>
    )
  }
  const view = renderPart(<Form />)
  const input = view.container.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) throw new Error('There is no file input')
  return { ...view, save, input, address: screen.getByLabelText('Image URL') }
}

const picture = (type: string, bytes = 10) =>
  new File([new Uint8Array(bytes)], 'portrait', { type })

it('puts the address of an uploaded picture into the field', async () => {
  const upload = vi.fn(() => Promise.resolve('/pictures/a1.jpg'))
  const { user, input, address } = show(upload)
  await user.upload(input, picture('image/png'))
  expect(await screen.findByDisplayValue('/pictures/a1.jpg')).toBe(address)
  expect(screen.getByRole('button', { name: 'Upload' })).toBeVisible()
})

it('says what the server has against a picture, until the address is changed', async () => {
  const { user, input, address } = show(() => Promise.reject(new Error('This is no picture')))
  await user.upload(input, picture('image/webp'))
  expect(await screen.findByText('This is no picture')).toBeVisible()
  expect(address).toBeInvalid()
  await user.type(address, 'h')
  expect(address).not.toBeInvalid()
})

it('sends nothing that is too large', async () => {
  const upload = vi.fn(() => Promise.resolve(''))
  const { user, input, address } = show(upload)
  await user.upload(input, picture('image/jpeg', 8 * 1024 * 1024 + 1))
  expect(address).toHaveAccessibleDescription(
    'A picture must be a JPEG, PNG or WebP file of 8 MB at the most',
  )
  expect(upload).not.toHaveBeenCalled()
})

it('nothing is saved without the picture that is on its way, nor left unasked', async () => {
  let arrive: (address: string) => void = () => undefined
  const sending = new Promise<string>((resolve) => (arrive = resolve))
  const { user, save, input } = show(() => sending)
  await user.upload(input, picture('image/png'))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByText(/the picture was still being uploaded/)).toBeVisible()
  expect(save).not.toHaveBeenCalled()
  expect(hasUnsavedWork()).toBe(true)

  arrive('/pictures/a1.jpg')
  await screen.findByDisplayValue('/pictures/a1.jpg')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(save).toHaveBeenCalledOnce()
  expect(screen.queryByText(/the picture was still being uploaded/)).not.toBeInTheDocument()
})
