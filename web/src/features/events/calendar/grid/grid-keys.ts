import { Navigate, type NavigateAction } from 'react-big-calendar'

const day = 24 * 60 * 60 * 1000

/** The event buttons of the view by date, without those of an open dialog. */
export function eventButtons(grid: HTMLElement): HTMLElement[] {
  return [...grid.querySelectorAll<HTMLElement>('[data-event]:not(dialog *)')]
}

/**
 * The target of a key pressed on an event: another event or another period (guide §9, Month grid).
 * Keys elsewhere are not handled.
 */
export function targetOf(
  key: string,
  buttons: readonly HTMLElement[],
  from: HTMLElement,
): HTMLElement | NavigateAction | undefined {
  const index = buttons.indexOf(from)
  if (index < 0) return undefined
  switch (key) {
    case 'ArrowLeft':
      return buttons[index - 1]
    case 'ArrowRight':
      return buttons[index + 1]
    case 'ArrowUp':
      return nearest(buttons, dayOfButton(from) - 7)
    case 'ArrowDown':
      return nearest(buttons, dayOfButton(from) + 7)
    case 'Home':
      return buttons[0]
    case 'End':
      return buttons.at(-1)
    case 'PageUp':
      return Navigate.PREVIOUS
    case 'PageDown':
      return Navigate.NEXT
    default:
      return undefined
  }
}

/** The keys handled on an event, even if they have no target. */
export const gridKeys: readonly string[] = [
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'PageUp',
  'PageDown',
]

function dayOfButton(button: HTMLElement): number {
  return Date.parse(button.dataset.event ?? '') / day
}

/** The event closest to `targetDay`, at most three days away from it. */
function nearest(buttons: readonly HTMLElement[], targetDay: number): HTMLElement | undefined {
  const distance = (button: HTMLElement) => Math.abs(dayOfButton(button) - targetDay)
  return buttons
    .filter((button) => distance(button) <= 3)
    .sort((a, b) => distance(a) - distance(b))[0]
}
