// @vitest-environment node
import { describe, expect, it } from 'vitest'
import cases from '../../../../src/tests/rule_cases/site_settings.json'
import { accentTokens } from '../../api/generated/validation'
import { ruleCases } from '../../testing/rule-cases'
import { accentOf, accentProblem, contrast, parseColor } from './accent'
import { checkSettings } from './rules'

it.each(ruleCases(cases))('reports the same errors as the server: $name', ({ input, fields }) => {
  expect(checkSettings(input)).toEqual(fields)
})

describe('an accent color', () => {
  it('is measured as WCAG does', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  })

  it('may be written in several ways, but not as anything else', () => {
    expect(parseColor('F80')).toBe('#ff8800')
    expect(parseColor('#FAD83E')).toBe('#fad83e')
    for (const text of ['', '#ff', 'red', '#ff88000', '#ff8800;', 'rgb(0,0,0)', '#gggggg']) {
      expect(parseColor(text)).toBeUndefined()
    }
  })

  it('has the text color with the higher contrast', () => {
    expect(accentOf(accentTokens.accent, 'light').text).toBe(accentTokens.lightOnAccent)
    expect(accentOf('#0a7a4f', 'light').text).toBe(accentTokens.white)
  })

  it('of the design is right in both themes', () => {
    expect(accentProblem(accentTokens.accent, 'light')).toBeUndefined()
    expect(accentProblem(accentTokens.accent, 'dark')).toBeUndefined()
  })
})
