// @vitest-environment node
import { expect, it } from 'vitest'
import { differingTexts, mergeEdits } from './merge-edits'

const base = { a: '1', b: '1', c: '1', d: '1' }
type Values = typeof base
const merge = (
  mine: Partial<Values>,
  theirs: Partial<Values>,
  groups: (keyof Values)[][] = [],
  lost?: Partial<Values>,
) =>
  mergeEdits(
    {
      base,
      mine: { ...base, ...mine },
      theirs: { ...base, ...theirs },
      lost: lost && { ...base, ...lost },
    },
    (one: Values, other: Values) => differingTexts(one, other),
    groups,
  )

it('takes what only the other admin changed', () => {
  expect(merge({ a: '2' }, { b: '3', c: '4' })).toEqual({ theirFields: ['b', 'c'], conflicts: [] })
})

it('reports what both changed to different values', () => {
  expect(merge({ a: '2', b: '2' }, { a: '3', c: '3' })).toEqual({
    theirFields: ['c'],
    conflicts: ['a'],
  })
})

it('has nothing to merge if both made the same change, but for spaces', () => {
  expect(merge({ a: '2' }, { a: ' 2 ' })).toEqual({ theirFields: [], conflicts: [] })
})

it('merges the fields of a group as one', () => {
  const groups: (keyof Values)[][] = [['a', 'b']]
  expect(merge({ a: '2' }, { b: '3' }, groups)).toEqual({ theirFields: [], conflicts: ['a', 'b'] })
  expect(merge({ c: '2' }, { b: '3' }, groups)).toEqual({ theirFields: ['b'], conflicts: [] })
  expect(merge({ a: '2' }, { c: '3' }, groups)).toEqual({ theirFields: ['c'], conflicts: [] })
})

it('takes an own save whose response was lost for no edit of another admin', () => {
  const lost = { a: '2', b: '2' }
  expect(merge({ a: '3', b: '2' }, { a: '2', b: '2' }, [], lost)).toEqual({
    theirFields: [],
    conflicts: [],
  })
  expect(merge({ a: '3', b: '2' }, { a: '2', b: '2', c: '4' }, [], lost)).toEqual({
    theirFields: ['c'],
    conflicts: [],
  })
})

it('ignores a lost save that the server has not stored', () => {
  expect(merge({ a: '3' }, { a: '4', b: '5' }, [], { a: '2' })).toEqual({
    theirFields: ['b'],
    conflicts: ['a'],
  })
  expect(merge({ a: '3' }, { b: '5' }, [], { a: '2' })).toEqual({
    theirFields: ['b'],
    conflicts: [],
  })
})
