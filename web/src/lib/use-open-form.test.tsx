import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useEditedItem } from './use-open-form'

const ada = { id: 1, name: 'Ada' }

const initialProps: { id: number | null; list: (typeof ada)[] } = { id: 1, list: [ada] }

it('retains the edited item when the list loses it, until the form is closed', () => {
  const { result, rerender } = renderHook(({ id, list }) => useEditedItem(id, list), {
    initialProps,
  })
  expect(result.current).toBe(ada)
  const renamed = { ...ada, name: 'Ada O.' }
  rerender({ id: 1, list: [renamed] })
  expect(result.current).toBe(renamed)
  rerender({ id: 1, list: [] })
  expect(result.current).toBe(renamed)
  rerender({ id: null, list: [] })
  expect(result.current).toBeUndefined()
  rerender({ id: 2, list: [ada] })
  expect(result.current).toBeUndefined()
})
