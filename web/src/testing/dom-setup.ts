import '@testing-library/jest-dom/vitest'
import { dismissToast } from '../components/ui/toast-store'
import { act, cleanup, configure, getConfig } from '@testing-library/react'
import { createRoot } from 'react-dom/client'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { clearSignInHint, server } from './session'
import { setScreen } from './screen-size'

const defaults = getConfig()
const emptyRoot = createRoot(document.createElement('div'))

configure({
  // For slow machines.
  asyncUtilTimeout: 15_000,
  /**
   * Runs a query that waits, or a user's action. React shows a change first and runs its effects in a
   * later task, which a busy machine can delay until after the test has gone on. So the pending effects
   * run here, with the changes that they make: React runs them before it renders any root.
   */
  asyncWrapper: async (callback) => {
    const result: unknown = await defaults.asyncWrapper(callback)
    act(() => {
      emptyRoot.render(null)
    })
    return result
  },
})

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' })
})

beforeEach(() => {
  setScreen('desktop')
  // Not implemented in jsdom.
  Element.prototype.getAnimations = () => []
  Element.prototype.scrollIntoView = vi.fn()
  window.scrollTo = vi.fn()
  window.ResizeObserver = class {
    observe = vi.fn()
    unobserve = vi.fn()
    disconnect = vi.fn()
  }
  stubDialogs()
})

afterEach(() => {
  cleanup()
  dismissToast()
  server.resetHandlers()
  localStorage.clear()
  sessionStorage.clear()
  clearSignInHint()
  window.history.replaceState(null, '', '/')
})

afterAll(() => {
  server.close()
})

/** The element that had the focus before a dialog or popover was opened. */
const openers = new WeakMap<HTMLElement, Element | null>()

/**
 * Implements opening and closing dialogs and popovers, which jsdom lacks, with the focus returned
 * as in a browser.
 */
function stubDialogs(): void {
  HTMLDialogElement.prototype.showModal = function () {
    openers.set(this, document.activeElement)
    this.open = true
  }
  HTMLDialogElement.prototype.close = function () {
    this.open = false
    returnFocus(this)
  }
  HTMLElement.prototype.showPopover = function () {
    openers.set(this, document.activeElement)
    this.style.display = 'block'
  }
  HTMLElement.prototype.hidePopover = function () {
    this.style.display = ''
    if (this.contains(document.activeElement)) returnFocus(this)
  }
}

function returnFocus(element: HTMLElement) {
  const opener = openers.get(element)
  if (opener instanceof HTMLElement) opener.focus()
}
