import { limits, messages } from '../../api/generated/contract'
import { textFault } from '../../api/text-fault'

/** What the CMS form holds. */
export interface HeroDraft {
  heroTitle: string
  heroSubtitle: string
}

/** What of the form can't be saved, in the specification's words (spec §5, "Page content"). */
export function checkHero({
  heroTitle,
  heroSubtitle,
}: HeroDraft): Partial<Record<keyof HeroDraft, string>> {
  const title = heroTitle.trim()
  const subtitle = heroSubtitle.trim()
  const wrongTitle = title
    ? textFault(title, limits.heroTitle, messages.heroTitleTooLong, 'many lines')
    : messages.heroTitleRequired
  const wrongSubtitle = subtitle
    ? textFault(subtitle, limits.heroSubtitle, messages.heroSubtitleTooLong, 'many lines')
    : messages.heroSubtitleRequired
  return {
    ...(wrongTitle !== undefined && { heroTitle: wrongTitle }),
    ...(wrongSubtitle !== undefined && { heroSubtitle: wrongSubtitle }),
  }
}

/** Whether either is blank, of which the screen says a sentence of its own (spec §5). */
export function isBlank({ heroTitle, heroSubtitle }: HeroDraft): boolean {
  return heroTitle.trim() === '' || heroSubtitle.trim() === ''
}
