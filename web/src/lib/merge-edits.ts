/** How two edits of the same version go together. */
export interface MergedEdits<Field> {
  /** The fields that only the other admin changed. */
  theirFields: Field[]
  /** The fields that both changed, to different values. */
  conflicts: Field[]
}

/**
 * Merges two edits of one version by field. The fields of a group are merged as one, because their
 * values only make sense together. `differing` returns the fields in which two versions differ.
 */
export function mergeEdits<Values, Field extends string>(
  { base, mine, theirs }: { base: Values; mine: Values; theirs: Values },
  differing: (one: Values, other: Values) => readonly Field[],
  groups: readonly (readonly Field[])[] = [],
): MergedEdits<Field> {
  const changedHere = new Set(differing(base, mine))
  const changedThere = new Set(differing(base, theirs))
  const merged: MergedEdits<Field> = { theirFields: [], conflicts: [] }
  for (const field of differing(mine, theirs)) {
    const group = groups.find((one) => one.includes(field)) ?? [field]
    if (!group.some((one) => changedHere.has(one))) merged.theirFields.push(field)
    else if (group.some((one) => changedThere.has(one))) merged.conflicts.push(field)
  }
  return merged
}

/** The fields in which two versions of a form's texts differ; outer whitespace is ignored. */
export function differingTexts<Values extends { readonly [Field in keyof Values]: string }>(
  one: Values,
  other: Values,
): (keyof Values & string)[] {
  return (Object.keys(one) as (keyof Values & string)[]).filter(
    (field) => one[field].trim() !== other[field].trim(),
  )
}
