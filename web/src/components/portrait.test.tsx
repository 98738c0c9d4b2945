import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
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
  ['Warren Chen', 'WC'],
  ['Dr. Nikhil Patel', 'NP'],
  ['dr Nikhil Patel, MD', 'NP'],
  ['Prof. Dr. Ada M. Okafor', 'AO'],
  ['Jean-Luc de la Tour', 'JT'],
  ['Madonna', 'M'],
  ['Dr.', 'D'],
  ['élodie Øster', 'ÉØ'],
  ['', ''],
])('takes from %j the initials %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
