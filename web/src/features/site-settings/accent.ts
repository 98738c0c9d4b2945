import { accentTokens, messages } from '../../api/generated/validation'

/** The themes of the design. */
export type Theme = 'light' | 'dark'

/** The least contrast of text and of what is no text (WCAG 2.2 §1.4.3, §1.4.11). */
export const minContrast = { text: 4.5, graphic: 3 }

/** How far the color of a button is mixed with white or black while the pointer is on it. */
const hoverPart = 0.2

type Channels = [number, number, number]

const isColor = /^#?(?:[\da-f]{3}|[\da-f]{6})$/i

/** Three or six hexadecimal digits as `#rrggbb`; undefined for anything else. */
export function parseColor(text: string): string | undefined {
  if (!isColor.test(text)) return undefined
  const digits = text.replace('#', '').toLowerCase()
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}

function channelsOf(color: string): Channels {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

function mixed(color: string, other: Channels, part: number): string {
  const channels = channelsOf(color).map((channel, index) =>
    Math.round(channel * (1 - part) + (other[index] ?? 0) * part),
  )
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** An accent as the pages use it, and its contrasts. */
export interface Accent {
  color: string
  /** The color of text on it. */
  text: string
  hover: string
  /** The contrast of that text. */
  textContrast: number
  /** The lowest contrast with the backgrounds on which it alone shows a button or the focus. */
  backgroundContrast: number
}

const darkText = { light: accentTokens.lightOnAccent, dark: accentTokens.darkOnAccent }
const backgrounds = { light: accentTokens.lightBackgrounds, dark: accentTokens.darkBackgrounds }

/** An accent in a theme, with the text color that has the higher contrast. */
export function accentOf(color: string, theme: Theme): Accent {
  const dark = contrast(color, darkText[theme])
  const white = contrast(color, accentTokens.white)
  const isDark = dark >= white
  return {
    color,
    text: isDark ? darkText[theme] : accentTokens.white,
    hover: mixed(color, isDark ? [255, 255, 255] : [0, 0, 0], hoverPart),
    textContrast: Math.max(dark, white),
    backgroundContrast: Math.min(
      ...backgrounds[theme].map((background) => contrast(color, background)),
    ),
  }
}

/** Why an accent can't be used; a blank one stands for that of the design. */
export function accentProblem(text: string, theme: Theme): string | undefined {
  if (text.trim() === '') return undefined
  const color = parseColor(text.trim())
  if (color === undefined) return messages.accentInvalid
  const { textContrast, backgroundContrast } = accentOf(color, theme)
  if (textContrast < minContrast.text) return messages.accentUnreadable
  if (backgroundContrast >= minContrast.graphic) return undefined
  return theme === 'light' ? messages.accentLostInLight : messages.accentLostInDark
}

/** The accent that a field stands for: that of the design if it is blank or can't be used. */
export function usedAccent(text: string, theme: Theme): Accent {
  const color = accentProblem(text, theme) === undefined ? parseColor(text.trim()) : undefined
  return accentOf(color ?? accentTokens.accent, theme)
}
