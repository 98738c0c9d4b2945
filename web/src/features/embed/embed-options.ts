import { eventTypes } from '../../api/generated/contract'
import { slugOf } from '../../lib/slug'

/** The views that an embedded calendar can begin with. */
export const embedViews = ['month', 'week', 'day', 'list'] as const
/** Its themes; without one it follows the visitor's system. */
export const embedThemes = ['light', 'dark'] as const

/** What an embedded calendar shows. */
export interface EmbedOptions {
  /** One event type; all by default. */
  type: string | null
  theme: (typeof embedThemes)[number] | null
  view: (typeof embedViews)[number]
}

/** Reads an address such as `/embed?type=special&theme=dark&view=week`; what is unknown is left out. */
export function embedOptionsIn(search: string): EmbedOptions {
  const parameters = new URLSearchParams(search)
  const requested = parameters.get('type')
  return {
    type: eventTypes.find((type) => type === requested || slugOf(type) === requested) ?? null,
    theme: embedThemes.find((theme) => theme === parameters.get('theme')) ?? null,
    view: embedViews.find((view) => view === parameters.get('view')) ?? 'month',
  }
}

/** What differs from what an embedded calendar shows by itself. */
function choices({ type, theme, view }: EmbedOptions): [string, string][] {
  return [
    ...(type ? [['type', slugOf(type)] as [string, string]] : []),
    ...(theme ? [['theme', theme] as [string, string]] : []),
    ...(view === 'month' ? [] : [['view', view] as [string, string]]),
  ]
}

/** Where the embedded calendar is seen by itself. */
export function embedAddress(baseUrl: string, options: EmbedOptions): string {
  const parameters = new URLSearchParams(choices(options)).toString()
  return `${baseUrl}/embed${parameters && '?'}${parameters}`
}

/** What is put into another site's page to have the calendar there. */
export function embedSnippet(baseUrl: string, options: EmbedOptions): string {
  const data = choices(options).map(([name, value]) => ` data-${name}="${value}"`)
  return [
    `<div data-lectern-embed${data.join('')}></div>`,
    `<script async src="${baseUrl}/embed.js"></script>`,
  ].join('\n')
}
