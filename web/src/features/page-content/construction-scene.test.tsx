import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ConstructionScene } from './construction-scene'

it('references exactly the images that were generated from the drawings', () => {
  const { container } = render(<ConstructionScene />)
  const named = [...container.querySelectorAll('source')].flatMap((source) =>
    source.srcset.split(', ').map((part) => `/public${part.split(' ')[0] ?? ''}`),
  )
  const generated = Object.keys(import.meta.glob('/public/art/*.avif'))
  expect(generated.length).toBeGreaterThan(0)
  expect(named.sort()).toEqual(generated.sort())
})
