import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { CalendarView } from '../period'

/** How long views leave and arrive, in milliseconds (guide §8). */
const leaving = 120
const arriving = 180
/** How far a period slides in from the direction of travel, in pixels. */
const distance = 8

/**
 * Lets another period slide in from the direction of travel, and another view fade in. Gives a
 * function that lets a picture of the present view fade out; it is called before the change.
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
    const picture = body.cloneNode(true) as HTMLElement
    picture.inert = true
    picture.ariaHidden = 'true'
    for (const named of picture.querySelectorAll('[id]')) named.removeAttribute('id')
    Object.assign(picture.style, {
      position: 'absolute',
      top: `${body.offsetTop}px`,
      left: '0',
      pointerEvents: 'none',
    })
    grid.current?.append(picture)
    const fading = picture.animate([{ opacity: 1 }, { opacity: 0 }], {
      duration: leaving,
      easing: 'cubic-bezier(.5, 0, .9, .4)',
    })
    fading.onfinish = () => {
      picture.remove()
    }
  }
}

/** The view below the toolbar. */
function bodyOf(grid: HTMLElement | null) {
  const body = grid?.querySelector<HTMLElement>(
    '.rbc-calendar > table, .rbc-calendar > .rbc-time-view',
  )
  // Not every browser animates elements by script.
  return typeof body?.animate === 'function' ? body : null
}

function isCalm(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
