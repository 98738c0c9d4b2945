import { useState } from 'react'
import { ApiError } from '../../api/client'
import { fieldErrorsOf, messageOf } from '../../api/forms'
import { limits, messages } from '../../api/generated/validation'
import type { User } from '../../api/types'
import { SavedInputOffer } from '../../components/ui/saved-input-offer'
import { TextField } from '../../components/ui/field'
import { FormGroup, FormPanel } from '../../components/ui/form-panel'
import { showError, showToast } from '../../components/ui/toast-store'
import {
  type EditedVersion,
  theirChangesNote,
  useMergedSave,
} from '../../components/use-merged-save'
import { confirmBeforeLeaving } from '../../lib/unsaved-changes'
import { useFormValues } from '../../lib/use-form-values'
import { useSaveUser } from './api'
import {
  checkUser,
  formValuesOf,
  toFormMessages,
  type UserFormValues,
  userLabels,
  userToSave,
} from './rules'

interface UserFormProps {
  /** The user to edit; null for a new one. */
  user: User | null
  /** The signed-in user; null after the session has ended and signing in again was declined. */
  me: User | null
  onClose: () => void
}

/** The form to create or edit a user (spec §2, Users tab). */
export function UserForm({ user, me, onClose }: UserFormProps) {
  const { form, values, base, field, showErrors, rebase, savedInput, clearSavedInput } =
    useFormValues(() => formValuesOf(user), {
      check: (values) => checkUser(values, user === null),
      storageName: `user.${user?.id ?? 'new'}`,
      secret: 'password',
      revision: user?.revision,
    })
  const [problem, setProblem] = useState<string>()
  const { save, isPending } = useSaveUser(user?.id ?? null)

  const submit = (
    values: UserFormValues,
    onto: EditedVersion<UserFormValues>,
    theirLabels: string[] = [],
  ) => {
    setProblem(undefined)
    if (showErrors(checkUser(values, user === null))) return
    if (!me) {
      setProblem(messages.loginRequired)
      return
    }
    const revision = onto.revision !== null && { revision: onto.revision }
    save(
      { ...userToSave(values), ...revision },
      {
        form,
        onSuccess: () => {
          const saved = successOf(user, me, values)
          // The note is one more sentence.
          const message =
            theirLabels.length > 0
              ? saved.replace(/\.$/, '') + theirChangesNote(theirLabels)
              : saved
          showToast({ title: 'Success', description: message })
          clearSavedInput()
        },
        onClose,
        onConflict: (cause) => merge.resolve(cause, values, onto),
        onError: (cause) => {
          const isAtField = showErrors(toFormMessages(fieldErrorsOf(cause)))
          const isDeleted = user && cause instanceof ApiError && cause.status === 404
          if (isDeleted) setProblem('This user has been deleted.')
          else if (!isAtField) setProblem('Failed to save user. Please try again.')
          showError(messageOf(cause, user ? 'Failed to update user' : 'Failed to create user'))
        },
      },
    )
  }

  const merge = useMergedSave<User, UserFormValues>({
    subject: 'user',
    labels: userLabels,
    valuesOf: formValuesOf,
    rebase,
    save: submit,
  })

  return (
    <>
      <FormPanel
        title={user ? 'Edit User' : 'Add New User'}
        form={form}
        save={isPending ? 'Saving...' : user ? 'Update User' : 'Create User'}
        isSaving={isPending}
        problem={problem}
        aboveFields={<SavedInputOffer savedInput={savedInput} />}
        onSave={() => {
          submit(values, base)
        }}
        onCancel={() => {
          confirmBeforeLeaving(onClose)
        }}
      >
        <FormGroup title="Account" help="Every user is an admin and can change everything here.">
          <TextField
            label="Email"
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...field('email')}
          />
          <TextField
            label="Password"
            type="password"
            autoComplete="new-password"
            isOptional={user !== null}
            help={
              user
                ? 'Leave blank to keep the current password.'
                : `At least ${limits.passwordMin} characters.`
            }
            {...field('password')}
          />
        </FormGroup>
      </FormPanel>
      {merge.dialog}
    </>
  )
}

/** The success message; a changed password ends that user's other sessions. */
function successOf(user: User | null, me: User, { password }: UserFormValues): string {
  if (!user) return 'User created successfully'
  const message = 'User updated successfully'
  if (password === '') return message
  return user.id === me.id
    ? `${message}. You are signed out everywhere else.`
    : `${message}. Their sessions have ended.`
}
