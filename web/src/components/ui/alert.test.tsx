import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { renderComponent } from '../../testing/render'
import { Alert } from './alert'

/** A region that fails, loads when it is tried again, and then fails again or succeeds. */
function Region({ load }: { load: () => Promise<boolean> }) {
  const [state, setState] = useState<'failed' | 'loading' | 'loaded'>('failed')
  const retry = async () => {
    setState('loading')
    setState((await load()) ? 'loaded' : 'failed')
  }
  return (
    <section aria-label="Region">
      {state === 'failed' && (
        <div>
          <Alert title="Unable to load" onRetry={() => void retry()} />
        </div>
      )}
      {state === 'loading' && <p>Loading</p>}
      {state === 'loaded' && <a href="/">Loaded</a>}
    </section>
  )
}

it('keeps the focus in its region while it tries again, and on its button if that fails', async () => {
  const results: ((isLoaded: boolean) => void)[] = []
  const load = () => new Promise<boolean>((resolve) => results.push(resolve))
  const { user } = renderComponent(<Region load={load} />)
  const button = () => screen.getByRole('button', { name: 'Try Again' })
  const finish = async (isLoaded: boolean) => {
    await act(async () => {
      results.shift()?.(isLoaded)
      await Promise.resolve()
    })
  }

  button().focus()
  await user.keyboard('{Enter}')
  expect(screen.getByText('Loading')).toBeVisible()
  expect(screen.getByRole('region', { name: 'Region' })).toHaveFocus()
  await finish(false)
  expect(button()).toHaveFocus()

  await user.keyboard('{Enter}')
  await finish(true)
  await user.tab()
  expect(screen.getByRole('link', { name: 'Loaded' })).toHaveFocus()
})

it('leaves the focus where it is otherwise', async () => {
  let finish: (isLoaded: boolean) => void = () => undefined
  const load = () => new Promise<boolean>((resolve) => (finish = resolve))
  const { user } = renderComponent(
    <>
      <Region load={load} />
      <input aria-label="Name" />
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  await user.click(screen.getByLabelText('Name'))
  await act(async () => {
    finish(false)
    await Promise.resolve()
  })
  expect(screen.getByLabelText('Name')).toHaveFocus()
})
