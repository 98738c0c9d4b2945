import { limits, messages, roles } from '../../api/generated/validation'
import type { SaveUser, User } from '../../api/types'
import { isEmail, lengthOf } from '../../lib/text'

/** The user form's fields. Every user is an admin (spec §6), so the form has no field for the role. */
export interface UserFormValues {
  email: string
  password: string
  role: string
}

/** The label of each field. */
export const userLabels: Readonly<Record<keyof UserFormValues, string>> = {
  email: 'Email',
  password: 'Password',
  role: 'Role',
}

/** An empty form, or one filled with a user's values; the password is always empty. */
export function formValuesOf(user: User | null): UserFormValues {
  return { email: user?.email ?? '', password: '', role: roles[0] }
}

/**
 * Validates the form, with the specification's messages (spec §5). A new user needs a password; a
 * blank one leaves an existing user's unchanged.
 */
export function checkUser(
  values: UserFormValues,
  isNew: boolean,
): Partial<Record<keyof UserFormValues, string>> {
  const { password, role } = values
  const email = values.email.trim()
  const wrongPassword =
    password === '' ? isNew && messages.passwordRequiredNew : passwordError(password)
  return {
    ...(lengthOf(email) > limits.email
      ? { email: messages.emailTooLong }
      : !isEmail(email) && { email: messages.emailInvalid }),
    ...(wrongPassword && { password: wrongPassword }),
    ...(role.trim() === ''
      ? { role: messages.roleRequired }
      : !roles.some((valid) => valid === role.trim()) && { role: messages.roleInvalid }),
  }
}

function passwordError(password: string): string | false {
  const length = lengthOf(password)
  if (length < limits.passwordMin || password.trim() === '') return messages.passwordTooShort
  return length > limits.passwordMax && messages.passwordTooLong
}

/** The request body: always the role admin (spec §6), and a password only if it is new. */
export function userToSave({ email, password, role }: UserFormValues): SaveUser {
  return { email: email.trim(), role, ...(password !== '' && { password }) }
}

/** Maps the server's field messages to the form's (spec §5). */
export function toFormMessages(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, message]) => [
      field,
      message === messages.emailInvalidStored ? messages.emailInvalid : message,
    ]),
  )
}
