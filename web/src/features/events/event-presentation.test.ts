import { describe, expect, it } from 'vitest'
import { eventTypes } from '../../api/generated/contract'
import { bannerOf, typeIconPaths, typeSlug } from './event-presentation'

describe('event presentation', () => {
  it('gives every type of the specification a color, an icon and a banner of its own', () => {
    const slugs = eventTypes.map(typeSlug)
    expect(slugs).not.toContain('unknown')
    expect(new Set(slugs.map((slug) => typeIconPaths[slug])).size).toBe(eventTypes.length)
    expect(new Set(eventTypes.map(bannerOf)).size).toBe(eventTypes.length)
  })

  it('falls back to the banner of Investor Insights for an unknown type', () => {
    expect(typeSlug('Fireside Chat')).toBe('unknown')
    expect(bannerOf('Fireside Chat')).toBe('/art/banner-investor-insights.svg')
    expect(typeIconPaths.unknown).toBeDefined()
  })
})
