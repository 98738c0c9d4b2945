import { type ReactNode, useRef, useState } from 'react'
import { conflictingVersion, mayBeSaved } from '../api/forms'
import { differingTexts, mergeEdits } from '../lib/merge-edits'
import { ConflictDialog } from './conflict-dialog'

/** The version of an item that a form edits. */
export interface EditedVersion<Values> {
  values: Values
  /** Null for a new item. */
  revision: number | null
}

interface MergedSaveOptions<Item, Values> {
  /** What the form edits, such as `speaker`. */
  subject: string
  labels: Readonly<Record<keyof Values & string, string>>
  valuesOf: (item: Item) => Values
  rebase: (base: { values: Values; revision: number }, values: Values) => void
  /** Saves values as an edit of a version; `theirLabels` are those of the fields with the other admin's changes. */
  save: (values: Values, base: EditedVersion<Values>, theirLabels: string[]) => void
}

interface Conflict<Values> {
  theirs: { values: Values; revision: number }
  merged: Values
  theirFields: (keyof Values & string)[]
  fields: (keyof Values & string)[]
}

/**
 * Saves a form again after a conflict with another admin: at once with the changes of both, or after
 * a choice if both changed the same field.
 */
export function useMergedSave<
  Item extends { revision: number },
  Values extends { readonly [Field in keyof Values]: string },
>({ subject, labels, valuesOf, rebase, save }: MergedSaveOptions<Item, Values>) {
  const [conflict, setConflict] = useState<Conflict<Values> | null>(null)
  /** The values of a save whose response was lost. */
  const lost = useRef<Values>(undefined)
  const label = (field: keyof Values & string) => labels[field]
  const saveOnto = (theirs: Conflict<Values>['theirs'], values: Values, theirLabels: string[]) => {
    rebase(theirs, values)
    save(values, theirs, theirLabels)
  }

  /** Resolves the conflict that the failure `cause` of a save reports; returns whether it is one. */
  const resolve = (cause: unknown, mine: Values, base: EditedVersion<Values>): boolean => {
    if (mayBeSaved(cause)) lost.current = mine
    const current = conflictingVersion(cause) as Item | undefined
    if (!current) return false
    const theirs = { values: valuesOf(current), revision: current.revision }
    const { theirFields, conflicts } = mergeEdits(
      { base: base.values, mine, theirs: theirs.values, lost: lost.current },
      (one: Values, other: Values) => differingTexts(one, other),
    )
    const merged = copyTexts(mine, theirs.values, theirFields)
    if (conflicts.length > 0) setConflict({ theirs, merged, theirFields, fields: conflicts })
    else saveOnto(theirs, merged, theirFields.map(label))
    return true
  }

  const dialog: ReactNode = conflict && (
    <ConflictDialog
      title={`This ${subject} was changed while you were editing it`}
      fields={conflict.fields.map((field) => ({
        field,
        label: label(field),
        mine: conflict.merged[field],
        theirs: conflict.theirs.values[field],
      }))}
      isSaving={false}
      onCancel={() => {
        setConflict(null)
      }}
      onSave={(chosen) => {
        setConflict(null)
        const values = copyTexts(conflict.merged, conflict.theirs.values, chosen)
        saveOnto(conflict.theirs, values, [...conflict.theirFields, ...chosen].map(label))
      }}
    />
  )
  return { resolve, dialog }
}

function copyTexts<Values>(values: Values, source: Values, fields: (keyof Values)[]): Values {
  return { ...values, ...Object.fromEntries(fields.map((field) => [field, source[field]])) }
}

/** A second sentence, `. Somebody else’s changes were kept: Title`; blank without such fields. */
export function theirChangesNote(theirLabels: readonly string[]): string {
  return theirLabels.length > 0
    ? `. Somebody else’s changes were kept: ${theirLabels.join(', ')}`
    : ''
}
