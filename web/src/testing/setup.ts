import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { server } from './server'
import { dropSignInHint } from './session'
import { showOn } from './screen-size'
import { stubDialogs } from './stub-dialogs'

// For machines that do something else meanwhile.
configure({ asyncUtilTimeout: 5000 })

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' })
})

beforeEach(() => {
  showOn('desktop')
  // What jsdom leaves out.
  Element.prototype.getAnimations = () => []
  Element.prototype.scrollIntoView = vi.fn()
  window.scrollTo = vi.fn()
  stubDialogs()
})

afterEach(() => {
  cleanup()
  server.resetHandlers()
  localStorage.clear()
  sessionStorage.clear()
  dropSignInHint()
  window.history.replaceState(null, '', '/')
})

afterAll(() => {
  server.close()
})
