import { format } from 'date-fns'
import { type ComponentProps, useId } from 'react'
import type { User } from '../../api/types'
import { AdminIcon } from '../../components/ui/admin-icon'
import { Button } from '../../components/ui/button'
import { Skeleton } from '../../components/ui/loading'
import { useTooltip } from '../../components/ui/tooltip'
import styles from './user-table.module.css'

interface UserTableProps {
  users: readonly User[]
  /** The signed-in user, who can't delete themselves (spec §6). */
  me: User
  onEdit: (id: number) => void
  onDelete: (user: User) => void
}

/** All users; on phones each row is a card (spec §2, guide §6, Users). */
export function UserTable({ users, me, onEdit, onDelete }: UserTableProps) {
  return (
    <div className={styles.root}>
      <table className={styles.table} aria-label="Users">
        <Head />
        <tbody>
          {users.map((user) => (
            <tr key={user.id}>
              <th className={styles.email} scope="row">
                {user.email}
                {user.id === me.id && <span className={styles.currentUser}> (you)</span>}
              </th>
              <td>
                <span className={styles.badge}>Admin</span>
              </td>
              <td className={styles.created}>
                <span className={styles.phoneLabel} aria-hidden="true">
                  Created{' '}
                </span>
                <time dateTime={user.createdAt}>{format(user.createdAt, 'MMM d, yyyy')}</time>
              </td>
              <td className={styles.actions}>
                <Button
                  variant="ghost"
                  size="small"
                  data-opens={user.id}
                  aria-label={`Edit ${user.email}`}
                  onClick={() => {
                    onEdit(user.id)
                  }}
                >
                  <AdminIcon name="edit" />
                  Edit
                </Button>
                <ButtonWithTooltip
                  variant="ghost"
                  size="small"
                  className={styles.delete}
                  aria-label={`Delete ${user.email}`}
                  disabledReason={reasonNotToDelete(user, me, users.length)}
                  onClick={() => {
                    onDelete(user)
                  }}
                >
                  <AdminIcon name="delete" />
                </ButtonWithTooltip>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Why a user can't be deleted; undefined if they can. */
function reasonNotToDelete(user: User, me: User, count: number): string | undefined {
  if (count === 1) return 'The only user can’t be deleted, because no account would be left'
  return user.id === me.id ? 'You can’t delete your own account' : undefined
}

interface ButtonWithTooltipProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  /** Shown in the tooltip; undefined if the button is enabled. */
  disabledReason?: string | undefined
  onClick: () => void
}

/**
 * A button that may be disabled. It is then still focusable, with the reason in a tooltip that
 * opens on hover, focus and tap, and that Escape closes.
 */
export function ButtonWithTooltip({ disabledReason, onClick, ...button }: ButtonWithTooltipProps) {
  const id = useId()
  const { isOpen, open, area, trigger } = useTooltip()
  if (disabledReason === undefined) return <Button {...button} onClick={onClick} />

  return (
    <span className={styles.withTooltip} {...area}>
      <Button {...button} aria-disabled="true" aria-describedby={id} {...trigger} onClick={open} />
      <span role="tooltip" id={id} className={styles.tooltip} hidden={!isOpen}>
        {disabledReason}
      </span>
    </span>
  )
}

function Head() {
  return (
    <thead className={styles.head}>
      <tr>
        {['Email', 'Role', 'Created', 'Actions'].map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Placeholder for the table while it loads. */
export function UserTableSkeleton() {
  return (
    <div className={styles.root} aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading users...
      </p>
      <div className={styles.loading}>
        {[0, 1, 2, 3].map((index) => (
          <div key={index} className={styles.loadingRow}>
            <Skeleton className={styles.line} />
          </div>
        ))}
      </div>
    </div>
  )
}
