import { limits, messages } from '../../api/generated/validation'
import { lengthOf } from '../../lib/text'

/** The CMS form's values. */
export interface HeroFormValues {
  heroTitle: string
  heroSubtitle: string
}

/** Validation messages by field, as specified (spec §5, "Page content"). */
export function checkHero({
  heroTitle,
  heroSubtitle,
}: HeroFormValues): Partial<Record<keyof HeroFormValues, string>> {
  const title = heroTitle.trim()
  const subtitle = heroSubtitle.trim()
  return {
    ...(title === ''
      ? { heroTitle: messages.heroTitleRequired }
      : lengthOf(title) > limits.heroTitle && { heroTitle: messages.heroTitleTooLong }),
    ...(subtitle === ''
      ? { heroSubtitle: messages.heroSubtitleRequired }
      : lengthOf(subtitle) > limits.heroSubtitle && {
          heroSubtitle: messages.heroSubtitleTooLong,
        }),
  }
}

/** Whether either is blank, which has its own message (spec §5). */
export function isBlank({ heroTitle, heroSubtitle }: HeroFormValues): boolean {
  return heroTitle.trim() === '' || heroSubtitle.trim() === ''
}
