import { eventTypes } from '../../api/generated/contract'
import { slugOf } from '../../lib/slug'

/** The initial views of an embedded calendar. */
export const embedViews = ['month', 'week', 'day', 'list'] as const
/** Its themes; by default it follows the visitor's system. */
export const embedThemes = ['light', 'dark'] as const

/** The options of an embedded calendar. */
export interface EmbedOptions {
  /** One event type; all by default. */
  type: string | null
  theme: (typeof embedThemes)[number] | null
  view: (typeof embedViews)[number]
}

/** Parses a URL such as `/embed?type=special&theme=dark&view=week`; ignores unknown values. */
export function embedOptionsIn(queryString: string): EmbedOptions {
  const parameters = new URLSearchParams(queryString)
  const requested = parameters.get('type')
  return {
    type: eventTypes.find((type) => type === requested || slugOf(type) === requested) ?? null,
    theme: embedThemes.find((theme) => theme === parameters.get('theme')) ?? null,
    view: embedViews.find((view) => view === parameters.get('view')) ?? 'month',
  }
}

/** The query with the options that differ from the defaults. */
function parametersOf({ type, theme, view }: EmbedOptions): [string, string][] {
  return [
    ...(type ? [['type', slugOf(type)] as [string, string]] : []),
    ...(theme ? [['theme', theme] as [string, string]] : []),
    ...(view === 'month' ? [] : [['view', view] as [string, string]]),
  ]
}

/** The URL of the embeddable page. */
export function embedUrl(baseUrl: string, options: EmbedOptions): string {
  const parameters = new URLSearchParams(parametersOf(options)).toString()
  return `${baseUrl}/embed${parameters && '?'}${parameters}`
}

/** The HTML that embeds the calendar in another site's page. */
export function embedSnippet(baseUrl: string, options: EmbedOptions): string {
  const data = parametersOf(options).map(([name, value]) => ` data-${name}="${value}"`)
  return [
    `<div data-lectern-embed${data.join('')}></div>`,
    `<script async src="${baseUrl}/embed.js"></script>`,
  ].join('\n')
}
