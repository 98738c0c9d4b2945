import type { Plugin } from 'vite'

/**
 * Gives the page's script a low priority: the page is shown and works without it, so that what is
 * seen first, its images and the font, comes first.
 */
export function lowScriptPriority(): Plugin {
  return {
    name: 'lectern:low-script-priority',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replace('<script type="module"', '<script type="module" fetchpriority="low"'),
    },
  }
}
