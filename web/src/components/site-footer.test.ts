import { expect, it } from 'vitest'
import { copyrightYear } from './site-footer'

it('the year changes at midnight in New York', () => {
  expect(copyrightYear(Date.parse('2031-01-01T04:59:59Z'))).toBe('2030')
  expect(copyrightYear(Date.parse('2031-01-01T05:00:00Z'))).toBe('2031')
})
