import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Portrait } from './portrait'

it('shows the initials when the image fails to load', () => {
  const { container } = render(<Portrait name="Warren Chen" imageUrl="/pictures/gone.png" />)
  const image = container.querySelector('img')
  expect(image).toHaveAttribute('src', '/pictures/gone.png')
  expect(image).toHaveAttribute('alt', '')

  if (image) fireEvent.error(image)
  expect(container.querySelector('img')).not.toBeInTheDocument()
  expect(screen.getByText('WC')).toBeInTheDocument()
})
