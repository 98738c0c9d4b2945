import { screen, waitFor } from '@testing-library/react'
import { useRef, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { hasUnsavedChanges } from '../../lib/unsaved-changes'
import { renderComponent } from '../../testing/render'
import { FormPanel } from './form-panel'
import { ImageField } from './image-field'

function show(onUpload: (image: File) => Promise<string>) {
  const save = vi.fn()
  const saveDraft = vi.fn()
  function Form() {
    const form = useRef<HTMLFormElement>(null)
    const [url, setUrl] = useState('')
    return (
      <FormPanel
        title="Edit"
        form={form}
        save="Save"
        isSaving={false}
        onSave={save}
        otherSave={{ label: 'Save Draft', onSave: saveDraft }}
        onCancel={() => undefined}
      >
        <ImageField
          label="Image URL"
          name="imageUrl"
          value={url}
          onChange={setUrl}
          onUpload={onUpload}
          preview={<i>preview</i>}
        />
      </FormPanel>
    )
  }
  const view = renderComponent(<Form />)
  const input = view.container.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) throw new Error('There is no file input')
  return { ...view, save, saveDraft, input, field: screen.getByLabelText('Image URL') }
}

const imageFile = (type: string, bytes = 10) =>
  new File([new Uint8Array(bytes)], 'portrait', { type })

it('sets the field to the URL of the uploaded image', async () => {
  const upload = vi.fn(() => Promise.resolve('/pictures/a1.jpg'))
  const { user, input, field } = show(upload)
  await user.upload(input, imageFile('image/png'))
  expect(await screen.findByDisplayValue('/pictures/a1.jpg')).toBe(field)
  expect(screen.getByRole('button', { name: 'Upload' })).toBeVisible()
})

it('shows the server’s error for an image until the URL is changed', async () => {
  const { user, input, field } = show(() => Promise.reject(new Error('This is no image')))
  await user.upload(input, imageFile('image/webp'))
  expect(await screen.findByText('This is no image')).toBeVisible()
  expect(field).toBeInvalid()
  const announced = screen.getByText('The image was not uploaded. This is no image')
  expect(announced).toHaveRole('status')
  await user.type(field, 'h')
  expect(field).not.toBeInvalid()
  expect(announced).toBeEmptyDOMElement()
})

it('does not upload an image that is too large', async () => {
  const upload = vi.fn(() => Promise.resolve(''))
  const { user, input, field } = show(upload)
  await user.upload(input, imageFile('image/jpeg', 8 * 1024 * 1024 + 1))
  expect(field).toHaveAccessibleDescription(
    'An image must be a JPEG, PNG or WebP file of at most 8 MB',
  )
  expect(upload).not.toHaveBeenCalled()
})

it('does not save during an upload, and asks before leaving', async () => {
  let finish: (url: string) => void = () => undefined
  const upload = new Promise<string>((resolve) => (finish = resolve))
  const { user, save, saveDraft, input } = show(() => upload)
  await user.upload(input, imageFile('image/png'))
  for (const name of ['Save', 'Save Draft']) {
    await user.click(screen.getByRole('button', { name }))
    expect(screen.getByText(/the image was still being uploaded/)).toBeVisible()
    expect(screen.getByText('Wait until the image is uploaded, then save again')).toBeVisible()
  }
  expect(save).not.toHaveBeenCalled()
  expect(saveDraft).not.toHaveBeenCalled()
  expect(hasUnsavedChanges()).toBe(true)

  finish('/pictures/a1.jpg')
  await screen.findByDisplayValue('/pictures/a1.jpg')
  await waitFor(() => {
    expect(screen.queryByText(/the image was still being uploaded/)).not.toBeInTheDocument()
  })
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(save).toHaveBeenCalledOnce()
})
