import { Alert } from '../../components/ui/alert'
import styles from './embedded-form.module.css'
import { FormSkeleton } from './form-skeleton'
import { type Embed, useEmbed } from './use-embed'

interface EmbedAttemptProps extends Embed {
  /** Counted from 0. */
  attempt: number
  onRetry: () => void
}

/** One attempt to load the provider's form, with a placeholder until it is ready. */
export function EmbedAttempt({ attempt, onRetry, ...embed }: EmbedAttemptProps) {
  const { host, state } = useEmbed(embed, attempt)
  return (
    <>
      {state === 'loading' && <FormSkeleton />}
      {state === 'failed' && (
        <div className={styles.failed}>
          <Alert title="The form could not be loaded." onRetry={onRetry} />
        </div>
      )}
      <div ref={host} className={state === 'ready' ? styles.form : styles.waiting} />
    </>
  )
}
