import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Alert } from '../../components/ui/alert'
import { Skeleton } from '../../components/ui/loading'
import { reloadPage } from '../../components/load-failure'
import { componentQuery, useNearViewport } from '../../lib/lazy'
import styles from './embedded-form.module.css'

interface EmbeddedFormProps {
  scriptUrl: string
  containerId: string
  attributes: Readonly<Record<string, string>>
  /** Replaces the form where no script runs. */
  fallback: ReactNode
}

/** The code that loads the provider's script; lazy, as most visitors don't scroll to it. */
const attemptQuery = componentQuery(
  'provider-form',
  async () => (await import('./provider-form')).ProviderFormAttempt,
)

/**
 * The provider's form on a light card. Its script is loaded when the visitor scrolls near; a
 * skeleton is shown until the form is ready (guide §6, Subscribe).
 */
export function EmbeddedForm({ fallback, ...form }: EmbeddedFormProps) {
  const column = useRef<HTMLDivElement>(null)
  const isNear = useNearViewport(column, '75%')
  const { data: Attempt, isError, refetch } = useQuery({ ...attemptQuery, enabled: isNear })
  const [attempt, setAttempt] = useState(0)
  return (
    <div ref={column} className={styles.root}>
      {Attempt ? (
        <Attempt
          key={attempt}
          {...form}
          attempt={attempt}
          skeleton={<FormSkeleton />}
          onRetry={() => {
            setAttempt(attempt + 1)
          }}
        />
      ) : isError ? (
        <div className={styles.failed}>
          <Alert
            title="The form could not be loaded."
            onRetry={() => {
              void refetch().then((result) => {
                // A browser does not request a failed chunk again.
                if (result.isError) reloadPage(column.current)
              })
            }}
          />
        </div>
      ) : (
        <>
          <FormSkeleton />
          <div className={styles.fallback}>
            <p>The form could not be loaded.</p>
            {fallback}
          </div>
        </>
      )}
    </div>
  )
}

/** A placeholder of three fields (guide §6, Subscribe). */
function FormSkeleton() {
  return (
    <div className={styles.fields} aria-busy="true">
      <p className="visually-hidden">Loading the form...</p>
      <Skeleton className={styles.field} />
      <Skeleton className={styles.field} />
      <Skeleton className={styles.field} />
    </div>
  )
}
