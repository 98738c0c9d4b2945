import type { Plugin } from 'vite'

/**
 * Asks for the Latin text font together with the page, so that little is painted without it. It does
 * so at the end of the body: a font that is preloaded in the head makes Chromium hold back the first
 * picture of the page by up to 100 ms, and the stand-in has the same measure anyway.
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
