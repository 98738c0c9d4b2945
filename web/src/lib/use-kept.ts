import { useState } from 'react'

/**
 * What is edited, as the list of such things has it now. It stays although the list loses it, as it
 * may while it is fetched anew or when somebody else deletes the thing: the form must not go, with
 * all that was typed. `id` is null where nothing is edited.
 */
export function useKept<Thing extends { id: number }>(
  id: number | null,
  list: readonly Thing[] | undefined,
): Thing | undefined {
  const [kept, setKept] = useState<Thing>()
  const listed = id === null ? undefined : list?.find((thing) => thing.id === id)
  if (listed && listed !== kept) setKept(listed)
  return listed ?? (kept?.id === id ? kept : undefined)
}
