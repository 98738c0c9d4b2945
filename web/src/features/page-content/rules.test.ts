// @vitest-environment node
import { expect, it } from 'vitest'
import cases from '../../../../src/tests/rule_cases/page_content.json'
import { ruleCases, fieldValue } from '../../testing/rule-cases'
import { checkHero } from './rules'

it.each(ruleCases(cases))('reports the same errors as the server: $name', ({ input, fields }) => {
  const values = {
    heroTitle: fieldValue(input.heroTitle),
    heroSubtitle: fieldValue(input.heroSubtitle),
  }
  expect(checkHero(values)).toEqual(fields)
})
