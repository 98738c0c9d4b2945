import { messageOf } from '../../api/forms'
import type { User } from '../../api/types'
import { ConfirmDialog } from '../../components/ui/confirm-dialog'
import { showError, showToast } from '../../components/ui/toast-store'
import { useDeleteUser } from './api'

/** Confirms the deletion of a user (spec §2, Users tab). */
export function DeleteUser({ user, onClose }: { user: User; onClose: () => void }) {
  const { mutate, isPending } = useDeleteUser(user.id)
  return (
    <ConfirmDialog
      title="Confirm Deletion"
      confirm="Delete"
      isBusy={isPending}
      onCancel={onClose}
      onConfirm={() => {
        mutate(undefined, {
          onSuccess: () => {
            showToast({ title: 'Success', description: 'User deleted successfully' })
            onClose()
          },
          onError: (cause) => {
            showError(messageOf(cause, 'Failed to delete user'))
            onClose()
          },
        })
      }}
    >
      <p>Are you sure you want to delete this user? This action cannot be undone.</p>
      <p>
        <b>{user.email}</b>
      </p>
    </ConfirmDialog>
  )
}
