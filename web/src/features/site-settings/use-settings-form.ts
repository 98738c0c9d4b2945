import { type ReactNode, createElement, useState } from 'react'
import type { SiteSettings } from '../../api/types'
import { useSavedInput } from '../../lib/saved-input'
import { useUnsavedChanges } from '../../lib/unsaved-changes'
import { useFailedAttempts } from '../../lib/use-form-values'
import {
  checkSettings,
  differingFields,
  formValuesOf,
  type LinkRow,
  type LinksField,
  type SettingsErrors,
  type SettingsValues,
  settingsFields,
  settingsToSave,
  type TextField,
  withFields,
  withNewKeys,
} from './rules'

/** The form of the site settings. */
export type SettingsForm = ReturnType<typeof useSettingsForm>

/**
 * The state of the form. From the first failed attempt to save, errors are shown until they are
 * corrected.
 */
export function useSettingsForm({ values: stored, locked, revision }: SiteSettings) {
  const [started, setStarted] = useState(() => ({ values: formValuesOf(stored), revision }))
  const [values, setValues] = useState(started.values)
  const [isChecked, setIsChecked] = useState(false)
  const [serverErrors, setServerErrors] = useState<SettingsErrors>({})
  const { form, focusFirstError } = useFailedAttempts()
  const isChanged = differingFields(started.values, values).length > 0
  const savedInput = useSavedInput({
    name: 'company',
    start: started.values,
    values,
    revision: started.revision,
    isChanged,
  })
  useUnsavedChanges(isChanged, savedInput.isStored)

  const errors: SettingsErrors = isChecked
    ? { ...serverErrors, ...checkSettings(settingsToSave(values, started.revision, locked)) }
    : {}
  const change = (field: keyof SettingsValues, value: string | readonly LinkRow[]) => {
    setValues((previous) => ({ ...previous, [field]: value }))
    setServerErrors((previous) =>
      Object.fromEntries(
        Object.entries(previous).filter(
          ([name]) => name !== field && !name.startsWith(`${field}.`),
        ),
      ),
    )
  }
  const noteOf = (field: string): ReactNode => {
    const key = locked[field]
    if (key === undefined) return undefined
    const code = createElement('code', {}, key)
    return createElement(
      'span',
      {},
      'Set by ',
      code,
      ' in the configuration, which has precedence.',
    )
  }

  return {
    form,
    values,
    started,
    errors,
    change,
    /** The input of an earlier visit, for `SavedInputOffer`. */
    savedInput: {
      offered: savedInput.offered,
      isChanged,
      restore: () => {
        if (!savedInput.offered) return
        const { start, values: typed, revision: typedOn } = savedInput.offered
        // Fields that the configuration sets since then can't be changed.
        const others = settingsFields.filter((field) => field in locked)
        setStarted({
          values: withNewKeys({ ...started.values, ...start }),
          revision: typedOn ?? revision,
        })
        setValues(withFields(withNewKeys({ ...started.values, ...typed }), started.values, others))
        savedInput.dismiss(true)
      },
      discard: () => {
        savedInput.dismiss(false)
      },
    },
    /** Deletes the stored input, after the form was saved. */
    clearSavedInput: savedInput.clear,
    /** Continues with these values on the settings that another admin has saved. */
    rebase: (theirs: SettingsValues, revision: number, merged: SettingsValues) => {
      setStarted({ values: theirs, revision })
      setValues(merged)
    },
    /** Shows the errors and focuses the first one; returns whether there are any. */
    showErrors: (errors: SettingsErrors): boolean => {
      const hasErrors = Object.keys(errors).length > 0
      setIsChecked(true)
      setServerErrors(errors)
      if (hasErrors) focusFirstError()
      return hasErrors
    },
    /** The props of a text field; `help` gives way to the key of the configuration that sets it. */
    field: (name: TextField, help?: string) => ({
      name,
      value: values[name],
      error: errors[name],
      help: noteOf(name) ?? help,
      disabled: name in locked,
      onChange: ({ target }: { target: { value: string } }) => {
        change(name, target.value)
      },
    }),
    /** The props of a list of links. */
    links: (name: LinksField, help?: string) => ({
      name,
      rows: values[name],
      errors,
      help: noteOf(name) ?? help,
      isDisabled: name in locked,
      onChange: (rows: readonly LinkRow[]) => {
        change(name, rows)
      },
    }),
  }
}
