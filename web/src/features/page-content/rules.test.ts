// @vitest-environment node
import { expect, it } from 'vitest'
import cases from '../../../../src/tests/rule_cases/page_content.json'
import { fieldValue, ruleCases } from '../../testing/rule-cases'
import { checkHero } from './rules'

it.each(ruleCases(cases))('says of $name what the server says', ({ input, fields }) => {
  const draft = {
    heroTitle: fieldValue(input.heroTitle),
    heroSubtitle: fieldValue(input.heroSubtitle),
  }
  expect(checkHero(draft)).toEqual(fields)
})
