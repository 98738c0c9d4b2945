import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Alert } from '../../components/ui/alert'
import { componentQuery } from '../../lib/lazy'
import { useNearViewport } from '../../lib/use-near-viewport'
import styles from './embedded-form.module.css'
import { FormSkeleton } from './form-skeleton'
import type { Embed } from './use-embed'

/** The code that loads the provider's script; lazy, as most visitors don't scroll to it. */
const attemptPart = componentQuery(
  'embed-attempt',
  async () => (await import('./embed-attempt')).EmbedAttempt,
)

/**
 * The provider's form on a light card. Its script is loaded when the visitor scrolls near; a
 * skeleton is shown until the form is ready (guide §6, Subscribe).
 */
export function EmbeddedForm(embed: Embed) {
  const column = useRef<HTMLDivElement>(null)
  const isNear = useNearViewport(column, '75%')
  const { data: EmbedAttempt, isError, refetch } = useQuery({ ...attemptPart, enabled: isNear })
  const [attempt, setAttempt] = useState(0)

  return (
    <div ref={column} className={styles.root}>
      {EmbedAttempt ? (
        <EmbedAttempt
          key={attempt}
          {...embed}
          attempt={attempt}
          onRetry={() => {
            setAttempt(attempt + 1)
          }}
        />
      ) : isError ? (
        <div className={styles.failed}>
          <Alert title="The form could not be loaded." onRetry={() => void refetch()} />
        </div>
      ) : (
        <FormSkeleton />
      )}
    </div>
  )
}
