import { useState } from 'react'

/**
 * The item being edited, in its latest version from the list. It is retained when the list loses it,
 * during a refetch or after another editor's deletion, so that the open form keeps its input. `id` is
 * null when no item is edited.
 */
export function useEditedItem<Item extends { id: number }>(
  id: number | null,
  list: readonly Item[] | undefined,
): Item | undefined {
  const [retained, setRetained] = useState<Item>()
  const listed = id === null ? undefined : list?.find((item) => item.id === id)
  if (listed && listed !== retained) setRetained(listed)
  return listed ?? (retained?.id === id ? retained : undefined)
}
