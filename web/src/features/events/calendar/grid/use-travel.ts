import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { CalendarView } from '../period'

/** Durations of the exit and entry animations, in milliseconds (guide §8). */
const leaving = 120
const arriving = 180
/** Distance that a period slides in, in pixels. */
const distance = 8

/**
 * Slides a new period in from the direction of navigation and fades a new view in. Returns a
 * function, to call before the change, that fades out a clone of the current view.
 */
export function useTravel(
  grid: RefObject<HTMLElement | null>,
  date: Date,
  view: CalendarView,
): () => void {
  const last = useRef({ date, view })

  useLayoutEffect(() => {
    const { date: lastDate, view: lastView } = last.current
    last.current = { date, view }
    const isOtherView = lastView !== view
    const travel = Math.sign(date.getTime() - lastDate.getTime())
    if ((!isOtherView && travel === 0) || isCalm()) return
    bodyOf(grid.current)?.animate(
      [
        { opacity: 0, ...(!isOtherView && { transform: `translateX(${travel * distance}px)` }) },
        { opacity: 1 },
      ],
      { duration: arriving, easing: 'cubic-bezier(.2, .8, .25, 1)' },
    )
  }, [grid, date, view])

  return () => {
    const body = bodyOf(grid.current)
    if (!body?.offsetParent || isCalm()) return
    const clone = body.cloneNode(true) as HTMLElement
    clone.inert = true
    clone.ariaHidden = 'true'
    for (const element of clone.querySelectorAll('[id]')) element.removeAttribute('id')
    Object.assign(clone.style, {
      position: 'absolute',
      top: `${body.offsetTop}px`,
      left: '0',
      pointerEvents: 'none',
    })
    grid.current?.append(clone)
    const fading = clone.animate([{ opacity: 1 }, { opacity: 0 }], {
      duration: leaving,
      easing: 'cubic-bezier(.5, 0, .9, .4)',
    })
    fading.onfinish = () => {
      clone.remove()
    }
  }
}

/** The view below the toolbar. */
function bodyOf(grid: HTMLElement | null) {
  const body = grid?.querySelector<HTMLElement>(
    '.rbc-calendar > table, .rbc-calendar > .rbc-time-view',
  )
  // Not every browser supports `Element.animate`.
  return typeof body?.animate === 'function' ? body : null
}

function isCalm(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
