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
