import { expect, type Page } from '@playwright/test'
import { setTextSize } from './page.ts'

/** Expects no word of an open page to be broken at any of these widths, in pixels, and text sizes. */
export async function expectNoBrokenWords(
  page: Page,
  selector: string,
  widths: number[],
  sizes = ['100%', '200%'],
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    for (const size of sizes) {
      await setTextSize(page, size)
      // The page may render once more for a new width.
      await expect
        .poll(async () => (await page.evaluate(largeTextProblems, selector)).broken, {
          message: `${page.url()} at ${String(width)} px, ${size}`,
        })
        .toEqual([])
    }
  }
}

/**
 * Words that are broken over two lines, and pairs of texts that overlap, in all elements or those of `selector`. It runs
 * in the page, so it must not use anything outside of it. A hyphen, a slash and the like allow a break.
 */
export function largeTextProblems(selector: string): { broken: string[]; overlaps: string[] } {
  const scope = document.querySelector('dialog:modal') ?? document.body
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT)
  const broken: string[] = []
  const boxes: { text: string; element: Element; rect: DOMRect }[] = []
  const range = document.createRange()
  /** The part of a box that the scroll areas around its element show. */
  const shown = (box: DOMRect, element: Element) => {
    let { left, top, right, bottom } = box
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible') continue
      const clip = at.getBoundingClientRect()
      left = Math.max(left, clip.left)
      top = Math.max(top, clip.top)
      right = Math.min(right, clip.right)
      bottom = Math.min(bottom, clip.bottom)
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top))
  }
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.textContent ?? ''
    if (!element?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (!element.closest(selector)) continue
    if (element.closest('.visually-hidden, [aria-hidden=true], script, option')) continue
    // In the month's grid some texts are for screen readers only.
    if (getComputedStyle(element).clipPath === 'inset(50%)') continue
    for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}'’]+/gu)) {
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const rects = [...range.getClientRects()].filter(({ width }) => width > 0)
      const lines = new Set(rects.map(({ top }) => Math.round(top)))
      if (lines.size > 1) broken.push(word)
      for (const rect of rects) boxes.push({ text: word, element, rect: shown(rect, element) })
    }
  }
  const overlaps = new Set<string>()
  const margin = 3
  boxes.forEach((one, index) => {
    for (const other of boxes.slice(index + 1)) {
      if (one.element === other.element) continue
      const x =
        Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left)
      const y =
        Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top)
      // The lines of large headings are closer than their boxes are high.
      const lineSpace = Math.min(one.rect.height, other.rect.height) * 0.35
      if (x > margin && y > lineSpace) overlaps.add(`${one.text} / ${other.text}`)
    }
  })
  return { broken, overlaps: [...overlaps] }
}
