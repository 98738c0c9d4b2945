import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { server } from './server'
import { showOn } from './screen-size'

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' })
})

beforeEach(() => {
  showOn('desktop')
  // What jsdom leaves out.
  Element.prototype.getAnimations = () => []
  Element.prototype.scrollIntoView = vi.fn()
  window.scrollTo = vi.fn()
})

afterEach(() => {
  cleanup()
  server.resetHandlers()
  localStorage.clear()
  window.history.replaceState(null, '', '/')
})

afterAll(() => {
  server.close()
})
