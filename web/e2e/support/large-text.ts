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
  /** What the scroll areas around an element show. */
  const clips = new Map<Element, DOMRect>()
  const everything = new DOMRect(-1e6, -1e6, 2e6, 2e6)
  const clipOf = (element: Element | null): DOMRect => {
    if (!element || element === document.body) return everything
    const known = clips.get(element)
    if (known) return known
    const around = clipOf(element.parentElement)
    const isVisible = getComputedStyle(element).overflow === 'visible'
    const clip = isVisible ? around : shown(element.getBoundingClientRect(), around)
    clips.set(element, clip)
    return clip
  }
  const shown = (box: DOMRect, clip: DOMRect) => {
    const [left, top] = [Math.max(box.left, clip.left), Math.max(box.top, clip.top)]
    const [right, bottom] = [Math.min(box.right, clip.right), Math.min(box.bottom, clip.bottom)]
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
      const clip = clipOf(element)
      for (const rect of rects) boxes.push({ text: word, element, rect: shown(rect, clip) })
    }
  }
  const overlaps = new Set<string>()
  const margin = 3
  boxes.sort((one, other) => one.rect.top - other.rect.top)
  boxes.forEach((one, index) => {
    for (let at = index + 1; at < boxes.length; at += 1) {
      const other = boxes[at]
      if (!other || other.rect.top >= one.rect.bottom) break
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
