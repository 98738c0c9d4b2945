import { useMutation, useQueryClient } from '@tanstack/react-query'
import { writeJson } from '../../../api/client'
import type { PageContent, SavePageContent } from '../../../api/types'
import { homeContentQuery } from '../api'

/** Changes the hero's words (spec §7). */
export function useSaveContent() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (content: SavePageContent) =>
      writeJson<PageContent>('PUT', '/api/page-content/home', content),
    networkMode: 'always',
    onSuccess: (content) => {
      queryClient.setQueryData(homeContentQuery().queryKey, content)
    },
  })
}
