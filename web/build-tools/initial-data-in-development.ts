import type { Plugin } from 'vite'

const initialData = /<script[^>]*\bid="initial-data"[^>]*>[\s\S]*?<\/script>/

/**
 * Fills the template's data marker under `npm run dev` with the initial data of the same page from a
 * running lectern, so that the page starts as it does in production.
 */
export function initialDataInDevelopment(server: string): Plugin {
  return {
    name: 'lectern:initial-data-in-development',
    apply: 'serve',
    async transformIndexHtml(html, { originalUrl }) {
      const page = await fetch(new URL(originalUrl ?? '/', server)).catch((cause: unknown) => {
        throw new Error(`No lectern is running at ${server}; start one or set LECTERN_DEV_SERVER`, {
          cause,
        })
      })
      return html.replace('<!--lectern:data-->', initialData.exec(await page.text())?.[0] ?? '')
    },
  }
}
