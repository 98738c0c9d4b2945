import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ButtonWithTooltip } from './user-table'

it('a disabled button explains why in a tooltip', () => {
  const press = vi.fn()
  render(
    <ButtonWithTooltip disabledReason="It is yours" onClick={press}>
      Delete
    </ButtonWithTooltip>,
  )
  const button = screen.getByRole('button', { name: 'Delete' })
  expect(button).toHaveAccessibleDescription('It is yours')
  fireEvent.click(button)
  expect(press).not.toHaveBeenCalled()
  expect(screen.getByRole('tooltip')).toBeVisible()
  fireEvent.keyDown(button, { key: 'Escape' })
  expect(screen.queryByRole('tooltip')).not.toBeInTheDocument()
})
