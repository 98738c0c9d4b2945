import { act, renderHook } from '@testing-library/react'
import { BrowserRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import { useEditedItem, useOpenForm } from './use-open-form'

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

it('adds one history entry for a double-click', () => {
  // Removes entries after this one, which an earlier file of this worker may have left.
  window.history.pushState(null, '', '/')
  const future = { v7_startTransition: true, v7_relativeSplatPath: true }
  const { result } = renderHook(() => useOpenForm('speaker'), {
    wrapper: ({ children }) => <BrowserRouter future={future}>{children}</BrowserRouter>,
  })
  const before = window.history.length
  act(() => {
    result.current.openNew()
    result.current.openNew()
  })
  expect(result.current.isNew).toBe(true)
  expect(window.history.length).toBe(before + 1)
})
