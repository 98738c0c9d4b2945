import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
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

it.each(cases)('takes from $name the initials $initials', ({ name, initials }) => {
  expect(initialsOf(name)).toBe(initials)
})
