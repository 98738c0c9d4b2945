// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { embedUrl, embedOptionsIn, embedSnippet } from './embed-options'

const base = 'https://events.example.com'

describe('embedOptionsIn', () => {
  it('parses the parameters of a URL', () => {
    expect(embedOptionsIn('?type=in-person-events&theme=dark&view=week')).toEqual({
      type: 'In-Person Events',
      theme: 'dark',
      view: 'week',
    })
  })

  it('falls back to the month of all events for unknown values', () => {
    const all = { type: null, theme: null, view: 'month' }
    expect(embedOptionsIn('')).toEqual(all)
    expect(embedOptionsIn('?type=party&theme=neon&view=year')).toEqual(all)
  })
})

describe('embedSnippet', () => {
  it('includes only options that differ from the defaults', () => {
    expect(embedSnippet(base, { type: null, theme: null, view: 'month' })).toBe(
      '<div data-lectern-embed></div>\n<script async src="https://events.example.com/embed.js"></script>',
    )
    const chosen = { type: 'Special', theme: 'dark', view: 'list' } as const
    expect(embedSnippet(base, chosen)).toContain(
      '<div data-lectern-embed data-type="special" data-theme="dark" data-view="list"></div>',
    )
    expect(embedUrl(base, chosen)).toBe(`${base}/embed?type=special&theme=dark&view=list`)
  })
})
