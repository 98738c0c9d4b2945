import { queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError, readJson } from '../../api/client'
import { heroSubtitleFallback, heroTitleFallback } from '../../api/generated/contract'
import type { PageContent } from '../../api/types'

/** The hero's text; null if none is stored. */
export type HeroContent = Pick<PageContent, 'heroTitle' | 'heroSubtitle' | 'revision'> | null

/** The home page's stored hero text (spec §7). Usually part of the page's initial data. */
export const homeContentQuery = () =>
  queryOptions({
    queryKey: ['page-content', 'home'],
    queryFn: async ({ signal }): Promise<HeroContent> => {
      try {
        return await readJson<PageContent>('/api/page-content/home', { signal })
      } catch (cause) {
        if (cause instanceof ApiError && cause.status === 404) return null
        throw cause
      }
    },
    // Offline it fails at once, instead of waiting for a connection.
    networkMode: 'always',
  })

/** The hero's text, with the specification's defaults if none is stored (spec §2). */
export function useHeroText() {
  const { data: content, isPending } = useQuery(homeContentQuery())
  return {
    title: content?.heroTitle ?? heroTitleFallback,
    subtitle: content?.heroSubtitle ?? heroSubtitleFallback,
    isLoading: isPending,
  }
}
