import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useDoubleClickGuard } from './double-clicks'

function Page({ onClick }: { onClick: (name: string) => void }) {
  useDoubleClickGuard()
  return (
    <>
      {['Create', 'Sync'].map((name) => (
        <button
          key={name}
          onClick={() => {
            onClick(name)
          }}
        >
          {name}
        </button>
      ))}
      <label>
        <input type="checkbox" /> Selected
      </label>
    </>
  )
}

/** Clicks as the browser does, which counts the clicks at one place. */
function click(element: HTMLElement, detail: number) {
  fireEvent.mouseDown(element, { detail })
  fireEvent.mouseUp(element, { detail })
  fireEvent.click(element, { detail })
}

it('ignores a second click that reaches another control', () => {
  const onClick = vi.fn()
  render(<Page onClick={onClick} />)
  const [create, sync] = screen.getAllByRole('button')
  if (!create || !sync) throw new Error('The buttons are not there')
  click(create, 1)
  click(sync, 2)
  expect(onClick.mock.calls).toEqual([['Create']])
  click(sync, 1)
  click(sync, 2)
  // By keyboard.
  fireEvent.click(create, { detail: 0 })
  expect(onClick.mock.calls).toEqual([['Create'], ['Sync'], ['Sync'], ['Create']])
})

it('counts both clicks on a label', () => {
  render(<Page onClick={vi.fn()} />)
  const box = screen.getByRole('checkbox')
  const label = screen.getByText('Selected')
  click(label, 1)
  expect(box).toBeChecked()
  click(label, 2)
  expect(box).not.toBeChecked()
})
