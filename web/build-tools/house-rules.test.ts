import { describe, expect, it } from 'vitest'
import { importFault } from './house-rules.js'

describe('importFault', () => {
  it.each([
    ['app/router.tsx', 'features/events/api'],
    ['features/events/public/card.tsx', 'features/events/event-time'],
    ['features/events/public/card.tsx', 'components/ui/button'],
    ['components/site-header.tsx', 'lib/class-names'],
    ['features/events/card.test.tsx', 'testing/render'],
    ['features/events/card.test.tsx', '../../src/tests/rule_cases/wall_clock.json'],
  ])('lets %s import %s', (file, target) => {
    expect(importFault(file, target)).toBeUndefined()
  })

  it.each([
    ['features/events/api.ts', 'app/paths'],
    ['features/events/card.tsx', 'features/interest/interest-toggle'],
    ['components/site-header.tsx', 'features/session/api'],
    ['components/ui/button.tsx', 'api/types'],
    ['lib/storage.ts', 'components/logo'],
    ['api/client.ts', 'components/logo'],
    ['features/events/card.tsx', 'testing/render'],
    ['features/events/card.tsx', '../vite.config'],
  ])('keeps %s from importing %s', (file, target) => {
    expect(importFault(file, target)).toBeDefined()
  })
})
