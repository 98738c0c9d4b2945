import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ConstructionScene } from './construction-scene'

it('names every picture that was made of the drawings, and no other', () => {
  const { container } = render(<ConstructionScene />)
  const named = [...container.querySelectorAll('source')].flatMap((source) =>
    source.srcset.split(', ').map((part) => `/public${part.split(' ')[0] ?? ''}`),
  )
  const made = Object.keys(import.meta.glob('/public/art/*.avif'))
  expect(made.length).toBeGreaterThan(0)
  expect(named.sort()).toEqual(made.sort())
})
