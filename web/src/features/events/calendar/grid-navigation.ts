import type { KeyboardEvent } from 'react'
import { narrowQuery } from '../../../lib/use-media-query'

/** The keyboard shortcuts and animations, which narrow windows do not load. */

const dayLength = 24 * 60 * 60 * 1000
/** Durations of the exit and entry animations, in milliseconds (guide §8). */
const exitDuration = 120
const entryDuration = 180
/** Distance that a period slides in, in pixels. */
const distance = 8

/** The links of the events shown, by date, without those of an open dialog. */
export function eventLinks(calendar: HTMLElement): HTMLElement[] {
  return [
    ...calendar.querySelectorAll<HTMLElement>('[data-event]:not(dialog *, [inert] *)'),
  ].filter(
    // Not every browser has this method; a hidden link can't be focused there.
    (link) => (link as Partial<HTMLElement>).checkVisibility?.() ?? true,
  )
}

/**
 * The target of a key pressed on an event: another event, or the previous (-1) or next (1) period
 * (guide §9, Month grid). Keys elsewhere are not handled.
 */
export function focusTargetOf(event: KeyboardEvent<HTMLElement>): HTMLElement | -1 | 1 | undefined {
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
  const from = (event.target as Element).closest<HTMLElement>('[data-event]')
  if (!from || hasModifier || !keys.includes(event.key) || from.closest('dialog')) return undefined
  event.preventDefault()
  const links = eventLinks(event.currentTarget)
  const index = links.indexOf(from)
  if (index < 0) return undefined
  switch (event.key) {
    case 'ArrowLeft':
      return links[index - 1]
    case 'ArrowRight':
      return links[index + 1]
    case 'ArrowUp':
      return nearest(links, dayOfLink(from) - 7)
    case 'ArrowDown':
      return nearest(links, dayOfLink(from) + 7)
    case 'Home':
      return links[0]
    case 'End':
      return links.at(-1)
    case 'PageUp':
      return -1
    case 'PageDown':
      return 1
    default:
      return undefined
  }
}

/** The keys handled on an event, even if they have no target. */
const keys: readonly string[] = [
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'PageUp',
  'PageDown',
]

function dayOfLink(link: HTMLElement): number {
  return Date.parse(link.dataset.event ?? '') / dayLength
}

/** The event closest to `targetDay`, at most three days away from it. */
function nearest(links: readonly HTMLElement[], targetDay: number): HTMLElement | undefined {
  const distance = (link: HTMLElement) => Math.abs(dayOfLink(link) - targetDay)
  return links.filter((link) => distance(link) <= 3).sort((a, b) => distance(a) - distance(b))[0]
}

/** Slides a new period in from the left (-1) or the right (1), or fades a new view in (0). */
export function animateEntry(body: HTMLElement | null, direction: -1 | 0 | 1): void {
  if (skipsAnimations()) return
  const transform = `translateX(${direction * distance}px)`
  contentOf(body)?.animate([{ opacity: 0, transform }, { opacity: 1 }], {
    duration: entryDuration,
    easing: 'cubic-bezier(.2, .8, .25, 1)',
  })
}

/** Fades out a clone of the content, which is about to change. */
export function animateExit(body: HTMLElement | null): void {
  const content = contentOf(body)
  if (!body || !content?.offsetParent || skipsAnimations()) return
  // In a document without a window, because a cloned image loads, even if it is hidden and lazy.
  const clone = document.implementation.createHTMLDocument().importNode(content, true)
  for (const image of clone.querySelectorAll('img')) image.remove()
  clone.inert = true
  clone.ariaHidden = 'true'
  for (const element of [clone, ...clone.querySelectorAll('[id]')]) element.removeAttribute('id')
  Object.assign(clone.style, {
    position: 'absolute',
    top: `${content.offsetTop}px`,
    left: '0',
    pointerEvents: 'none',
  })
  body.append(clone)
  const fading = clone.animate([{ opacity: 1 }, { opacity: 0 }], {
    duration: exitDuration,
    easing: 'cubic-bezier(.5, 0, .9, .4)',
  })
  fading.onfinish = () => {
    clone.remove()
  }
}

/** The view in the body. */
function contentOf(body: HTMLElement | null) {
  const content = body?.querySelector<HTMLElement>(':scope > table, .rbc-time-view')
  // Not every browser supports `Element.animate`.
  return typeof content?.animate === 'function' ? content : null
}

function skipsAnimations(): boolean {
  return matchMedia(narrowQuery).matches || matchMedia('(prefers-reduced-motion: reduce)').matches
}
