import { useSearchParams } from 'react-router-dom'

/** The query string of the list of events, with its filter. */
export function useListSearch(): string {
  const [search] = useSearchParams()
  const parameters = new URLSearchParams(search)
  parameters.delete('view')
  return `?${parameters.toString()}`
}
