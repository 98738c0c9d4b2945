import type { CalendarEvent } from '../../../api/types'

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** The description as text without marks. */
export function descriptionText({
  description,
  descriptionHtml,
}: Pick<CalendarEvent, 'description' | 'descriptionHtml'>): string {
  return descriptionHtml === undefined
    ? description
    : descriptionHtml
        .replace(/<span[^>]*>.*?<\/span>/g, '')
        .replace(/<li>/g, '• ')
        .replace(/<(\/p|\/li|br)>/g, '\n')
        .replace(/<[^>]*>/g, '')
        .replace(/&(\w+);/g, (_, name: string) => entities[name] ?? '&')
        .trim()
}
