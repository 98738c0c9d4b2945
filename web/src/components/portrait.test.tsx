import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import cases from '../../../src/tests/rule_cases/initials.json'
import { Portrait, initialsOf } from './portrait'

it('shows the initials when the image fails to load', () => {
  const { container } = render(<Portrait name="Warren Chen" imageUrl="/pictures/gone.png" />)
  const image = container.querySelector('img')
  expect(image).toHaveAttribute('src', '/pictures/gone.png')
  expect(image).toHaveAttribute('alt', '')

  if (image) fireEvent.error(image)
  expect(container.querySelector('img')).not.toBeInTheDocument()
  expect(screen.getByText('WC')).toBeInTheDocument()
})

it.each([
  ['is replaced if it is broken', () => Promise.reject(new Error('broken')), 0],
  ['is kept if it only has no size', () => Promise.resolve(), 1],
])('an image that was complete before it was rendered %s', async (_, decode, images) => {
  const { prototype } = HTMLImageElement
  vi.spyOn(prototype, 'complete', 'get').mockReturnValue(true)
  // jsdom has no such method.
  Object.assign(prototype, { decode })
  const { container } = render(<Portrait name="Warren Chen" imageUrl="/pictures/gone.svg" />)
  await act(async () => {
    await Promise.resolve()
  })
  expect(container.querySelectorAll('img')).toHaveLength(images)
  Reflect.deleteProperty(prototype, 'decode')
})

it.each(cases)('takes from $name the initials $initials', ({ name, initials }) => {
  expect(initialsOf(name)).toBe(initials)
})
