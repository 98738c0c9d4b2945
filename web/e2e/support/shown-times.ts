/**
 * Whether each visible link shows its whole time with the zone: within everything that cuts it, and
 * not where an ellipsis replaces text. It runs in the page, so it must not use anything outside of it.
 */
export function timesShown(links: Element[]): boolean[] {
  return links
    .filter((link) => link.checkVisibility())
    .map((link) => {
      const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const time = /\d+:\d\d\s[AP]M\s[A-Z]{2}/.exec(node.textContent ?? '')
        if (!time) continue
        const range = document.createRange()
        range.setStart(node, time.index)
        range.setEnd(node, time.index + time[0].length)
        const shown = range.getBoundingClientRect()
        for (let at = node.parentElement; at && at !== link.parentElement; at = at.parentElement) {
          const box = at.getBoundingClientRect()
          const { overflowX, textOverflow, fontSize } = getComputedStyle(at)
          if (overflowX === 'visible') continue
          const isCut = textOverflow === 'ellipsis' && at.scrollWidth > at.clientWidth
          const end = isCut ? box.right - parseFloat(fontSize) : box.right
          if (shown.left < box.left || end < shown.right) return false
          // The boxes of two close lines are higher than their letters.
          if (shown.top < box.top - 1 || box.bottom + 1 < shown.bottom) return false
        }
        return shown.width > 0
      }
      return false
    })
}
