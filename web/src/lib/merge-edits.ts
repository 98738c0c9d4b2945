/** How two edits of the same version go together. */
export interface MergedEdits<Field> {
  /** The fields that only the other admin changed. */
  theirFields: Field[]
  /** The fields that both changed, to different values. */
  conflicts: Field[]
}

interface Edits<Values> {
  base: Values
  mine: Values
  theirs: Values
  /** The values of an earlier save of `mine`, whose response was lost. */
  lost?: Values | undefined
}

/**
 * Merges two edits of one version by field. The fields of a group are merged as one, because their
 * values only make sense together. `differing` returns the fields in which two versions differ. What
 * `lost` has changed is no edit of another admin: if it is in `theirs`, it was saved.
 */
export function mergeEdits<Values, Field extends string>(
  { base: opened, mine, theirs, lost }: Edits<Values>,
  differing: (one: Values, other: Values) => readonly Field[],
  groups: readonly (readonly Field[])[] = [],
): MergedEdits<Field> {
  const wasSaved =
    lost !== undefined && !containsAny(differing(lost, theirs), differing(opened, lost))
  const base = wasSaved ? lost : opened
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

const containsAny = <T>(list: readonly T[], some: readonly T[]) =>
  some.some((one) => list.includes(one))

/** The fields in which two versions of a form's texts differ; outer whitespace is ignored. */
export function differingTexts<Values extends { readonly [Field in keyof Values]: string }>(
  one: Values,
  other: Values,
): (keyof Values & string)[] {
  return (Object.keys(one) as (keyof Values & string)[]).filter(
    (field) => one[field].trim() !== other[field].trim(),
  )
}
