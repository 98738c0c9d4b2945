import { vi } from 'vitest'

/** Makes media queries on the width match as on such a screen. */
export function showOn(screen: 'desktop' | 'phone'): void {
  const width = screen === 'phone' ? 390 : 1440
  vi.stubGlobal('matchMedia', (query: string) => {
    const most = /max-width: (\d+)px/.exec(query)?.[1]
    const least = /min-width: (\d+)px/.exec(query)?.[1]
    return {
      media: query,
      matches:
        (most !== undefined && width <= Number(most)) ||
        (least !== undefined && width >= Number(least)),
      addEventListener: vi.fn(),
      removeEventListener: vi.fn(),
    }
  })
}
