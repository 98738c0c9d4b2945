import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ConfirmDialog } from './confirm-dialog'
import { TextAreaField } from './field'
import { Tabs } from './tabs'

it('a confirmation dialog focuses Cancel', () => {
  const cancel = vi.fn()
  const confirm = vi.fn()
  render(
    <ConfirmDialog title="Delete Event" confirm="Delete" onConfirm={confirm} onCancel={cancel}>
      Are you sure?
    </ConfirmDialog>,
  )
  const dialog = screen.getByRole('alertdialog', { name: 'Delete Event' })
  expect(dialog).toHaveAccessibleDescription('Are you sure?')
  expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(confirm).toHaveBeenCalledOnce()
  expect(cancel).not.toHaveBeenCalled()
})

it('a busy confirmation dialog neither confirms again nor closes', () => {
  const never = vi.fn()
  render(
    <ConfirmDialog title="Delete" confirm="Delete" isBusy onConfirm={never} onCancel={never}>
      Are you sure?
    </ConfirmDialog>,
  )
  for (const button of screen.getAllByRole('button')) fireEvent.click(button)
  fireEvent(screen.getByRole('alertdialog'), new Event('cancel', { cancelable: true }))
  expect(never).not.toHaveBeenCalled()
})

it('a counter counts code points without surrounding spaces', () => {
  render(<TextAreaField label="Title" countTo={3} value=" 😀😀 " readOnly />)
  expect(screen.getByText('2 / 3')).toBeVisible()
  expect(screen.getByLabelText('Title')).toHaveAccessibleDescription('2 of 3 characters')
})

it('the tab list is one tab stop, and the arrow keys wrap around', () => {
  const select = vi.fn()
  const tabs = [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
    { id: 'c', label: 'C' },
  ] as const
  render(
    <Tabs label="Sections" tabs={tabs} selected="a" onSelect={select}>
      The panel
    </Tabs>,
  )
  const [first, , last] = screen.getAllByRole('tab')
  expect(screen.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1])
  expect(screen.getByRole('tabpanel', { name: 'A' })).toHaveTextContent('The panel')
  if (first) fireEvent.keyDown(first, { key: 'ArrowLeft' })
  expect(last).toHaveFocus()
  expect(select).toHaveBeenCalledWith('c', 'arrow')
  if (first) fireEvent.click(first)
  expect(select).toHaveBeenCalledTimes(1)
})
