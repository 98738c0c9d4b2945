import '@testing-library/jest-dom/vitest'
import { dismissToast } from '../components/ui/toast-store'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { dropSignInHint, server } from './session'
import { showOn } from './screen-size'

// Long enough for a busy machine.
configure({ asyncUtilTimeout: 15_000 })

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
  dismissToast()
  server.resetHandlers()
  localStorage.clear()
  sessionStorage.clear()
  dropSignInHint()
  window.history.replaceState(null, '', '/')
})

afterAll(() => {
  server.close()
})

/** What had the focus before a dialog or a popover was opened. */
const openers = new WeakMap<HTMLElement, Element | null>()

/**
 * Lets dialogs and popovers open and close, which jsdom leaves out; like a browser's they give back
 * the focus.
 */
export function stubDialogs(): void {
  HTMLDialogElement.prototype.showModal = function () {
    openers.set(this, document.activeElement)
    this.open = true
  }
  HTMLDialogElement.prototype.close = function () {
    this.open = false
    giveBack(this)
  }
  HTMLElement.prototype.showPopover = function () {
    openers.set(this, document.activeElement)
    this.style.display = 'block'
  }
  HTMLElement.prototype.hidePopover = function () {
    this.style.display = ''
    // The focus may have gone elsewhere meanwhile, where it stays.
    if (this.contains(document.activeElement)) giveBack(this)
  }
}

function giveBack(box: HTMLElement) {
  const opener = openers.get(box)
  if (opener instanceof HTMLElement) opener.focus()
}
