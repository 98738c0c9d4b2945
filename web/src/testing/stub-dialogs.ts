/** What had the focus before a dialog was opened. */
const openers = new WeakMap<HTMLDialogElement, Element | null>()

/** Lets dialogs open and close, which jsdom leaves out; like a browser's they give back the focus. */
export function stubDialogs(): void {
  HTMLDialogElement.prototype.showModal = function () {
    openers.set(this, document.activeElement)
    this.open = true
  }
  HTMLDialogElement.prototype.close = function () {
    this.open = false
    const opener = openers.get(this)
    if (opener instanceof HTMLElement) opener.focus()
  }
  // Popovers are there or not as they are rendered.
  HTMLElement.prototype.showPopover = () => undefined
  HTMLElement.prototype.hidePopover = () => undefined
}
