import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { User } from '../../api/types'
import { AdminIcon } from '../../components/ui/admin-icon'
import { Alert } from '../../components/ui/alert'
import { Button } from '../../components/ui/button'
import { EmptyState } from '../../components/ui/empty-state'
import { TabHeader } from '../../components/ui/tabs'
import { useEditedItem, useOpenForm } from '../../lib/use-open-form'
import { usersQuery } from './api'
import { DeleteUser } from './delete-user'
import { UserForm } from './user-form'
import { UserTable, UserTableSkeleton } from './user-table'

interface UsersTabProps {
  /** The signed-in user; null after the session has ended and signing in again was declined. */
  me: User | null
  onSignIn: () => void
}

/** The portal's Users tab: the table, or the form (spec §2, /admin). */
export function UsersTab({ me, onSignIn }: UsersTabProps) {
  const { data: users } = useQuery(usersQuery())
  const { isNew, editedId, openNew, openEdit, close } = useOpenForm('user')
  const [deleted, setDeleted] = useState<User | null>(null)
  const edited = useEditedItem(editedId, users)
  const hasForm = isNew || edited !== undefined

  return (
    <>
      <TabHeader title="User Management">
        {!hasForm && me && (
          <Button variant="primary" size="small" data-opens="new" onClick={openNew}>
            <AdminIcon name="plus" />
            New User
          </Button>
        )}
      </TabHeader>
      {hasForm ? (
        <UserForm key={editedId ?? 'new'} user={edited ?? null} me={me} onClose={close} />
      ) : me ? (
        <UserList me={me} onEdit={openEdit} onDelete={setDeleted} />
      ) : (
        <EmptyState title="Authentication Required">
          <p>Please log in to manage users.</p>
          <Button size="small" onClick={onSignIn}>
            Sign In
          </Button>
        </EmptyState>
      )}
      {deleted && (
        <DeleteUser
          user={deleted}
          onClose={() => {
            setDeleted(null)
          }}
        />
      )}
    </>
  )
}

interface UserListProps {
  me: User
  onEdit: (id: number) => void
  onDelete: (user: User) => void
}

function UserList({ me, onEdit, onDelete }: UserListProps) {
  const { data: users, isPending, isError, refetch } = useQuery(usersQuery())

  if (isPending) return <UserTableSkeleton />
  if (isError) {
    return (
      <Alert
        title="Unable to load users"
        onRetry={() => {
          void refetch()
        }}
      />
    )
  }
  if (users.length === 0) {
    return (
      <EmptyState title="No Users Found">
        <p>Create a new user to get started.</p>
      </EmptyState>
    )
  }
  return <UserTable users={users} me={me} onEdit={onEdit} onDelete={onDelete} />
}
