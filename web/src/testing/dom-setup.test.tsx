import { render, screen } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { expect, it } from 'vitest'

function occupyProcessor(milliseconds: number) {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

/** Becomes ready by itself, and then takes as long as a busy machine. */
function SlowPage() {
  const [isReady, setIsReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => {
      setIsReady(true)
    }, 20)
    return () => {
      clearTimeout(timer)
    }
  }, [])
  useEffect(() => {
    if (isReady) document.title = 'Ready'
  }, [isReady])

  if (isReady) occupyProcessor(30)
  return isReady && <h1>Ready</h1>
}

it('a query that waits for an element also waits for the effects of its render', async () => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    document.title = 'Loading'
    const { unmount } = render(<SlowPage />)
    await screen.findByRole('heading', { name: 'Ready' })
    expect(document.title).toBe('Ready')
    unmount()
  }
})
