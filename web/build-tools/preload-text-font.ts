import type { Plugin } from 'vite'

/**
 * Preloads the Latin text font, which shortens the time that the fallback font is shown. The link
 * is at the end of the body, because in the head it delays Chromium's first paint by up to 100 ms;
 * the fallback has the same metrics, so the swap causes no layout shift.
 */
export function preloadTextFont(): Plugin {
  return {
    name: 'lectern:preload-text-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /archivo-latin-wdth-normal.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `/${file}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: true,
            },
            injectTo: 'body' as const,
          })),
    },
  }
}
