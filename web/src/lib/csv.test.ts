// @vitest-environment node
import { expect, it } from 'vitest'
import cases from '../../../src/tests/rule_cases/csv_cells.json'
import { csvCell } from './csv'

it.each(cases)('writes the same cell as the server: $cell', ({ text, cell }) => {
  expect(csvCell(text)).toBe(cell)
})
