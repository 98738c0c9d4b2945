import type { Plugin } from 'vite'

/** What the calendar library brings along and this site has no use for. */
const unused: readonly RegExp[] = [
  // The popup of its own month, whose place our table of the month takes.
  /^react-overlays$/,
  // Its localizer by dayjs; ours is that by date-fns.
  /^dayjs\/plugin\//,
]

const nothing = '\0lectern:nothing'

/**
 * Leaves parts of react-big-calendar out of the bundle that it imports wherever it is used. They
 * would make the grid's code a fifth larger.
 */
export function leanCalendar(): Plugin {
  return {
    name: 'lectern:lean-calendar',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      const isUnused = unused.some((pattern) => pattern.test(source))
      if (isUnused && importer?.includes('/react-big-calendar/')) return nothing
      return source === nothing ? nothing : null
    },
    load(id) {
      return id === nothing ? 'export const Overlay = undefined\nexport default undefined\n' : null
    },
  }
}
