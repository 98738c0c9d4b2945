import type { Plugin } from 'vite'

const firstData = /<script[^>]*\bid="first-data"[^>]*>[\s\S]*?<\/script>/

/**
 * Fills the template's data marker under `npm run dev` with the first data of the same page from a
 * running lectern, so that the page starts as it does in production.
 */
export function firstDataInDevelopment(server: string): Plugin {
  return {
    name: 'lectern:first-data-in-development',
    apply: 'serve',
    async transformIndexHtml(html, { originalUrl }) {
      const page = await fetch(new URL(originalUrl ?? '/', server)).catch((cause: unknown) => {
        throw new Error(`No lectern is running at ${server}; start one or set LECTERN_DEV_SERVER`, {
          cause,
        })
      })
      return html.replace('<!--lectern:data-->', firstData.exec(await page.text())?.[0] ?? '')
    },
  }
}
