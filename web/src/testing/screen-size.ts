import { vi } from 'vitest'

/** Sets the screen width that media queries match. */
export function setScreen(screen: 'desktop' | 'phone'): void {
  const width = screen === 'phone' ? 390 : 1440
  vi.stubGlobal('matchMedia', (query: string) => {
    const max = /max-width: (\d+)px/.exec(query)?.[1]
    const min = /min-width: (\d+)px/.exec(query)?.[1]
    return {
      media: query,
      matches:
        (max !== undefined && width <= Number(max)) || (min !== undefined && width >= Number(min)),
      addEventListener: vi.fn(),
      removeEventListener: vi.fn(),
    }
  })
}
