import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/forms'
import { NewTabLink } from '../../../components/links'
import { Button, buttonClass } from '../../../components/ui/button'
import { TextField } from '../../../components/ui/field'
import { FormGroup } from '../../../components/ui/form-panel'
import { Icon } from '../../../components/ui/icon'
import { Spinner } from '../../../components/ui/loading'
import { showError, showToast } from '../../../components/ui/toast-store'
import { copyText } from '../../../lib/copy-text'
import { createPreviewLink, deletePreviewLink } from './api'
import styles from './form-groups.module.css'

/** Focuses the link that has just been created, to be copied. */
function focusAndSelect(input: HTMLInputElement | null) {
  input?.focus()
  input?.select()
}

/** Focuses the button that replaces the one just pressed. */
function focus(button: HTMLButtonElement | null) {
  button?.focus()
}

interface PreviewLinkProps {
  id: number
  /** The public URL of the site. */
  siteUrl: string
}

/** The secret link to the page of an event that visitors don't see yet. */
export function PreviewLink({ id, siteUrl }: PreviewLinkProps) {
  const [url, setUrl] = useState<string>()
  const create = useMutation({
    mutationFn: () => createPreviewLink(id),
    networkMode: 'always',
    onSuccess: ({ path }) => {
      setUrl(`${siteUrl}${path}`)
    },
    onError: (error) => {
      showError(messageOf(error, 'Failed to create the preview link'))
    },
  })
  const remove = useMutation({
    mutationFn: () => deletePreviewLink(id),
    networkMode: 'always',
    onSuccess: () => {
      setUrl(undefined)
      showToast({ title: 'Success', description: 'The preview link no longer works' })
    },
    onError: (error) => {
      showError(messageOf(error, 'Failed to end the preview link'))
    },
  })

  return (
    <FormGroup
      title="Preview"
      help="A secret link to the page as it was saved last. It needs no account, and search engines don’t list it."
    >
      {url === undefined ? (
        <Button
          {...(remove.isSuccess && { ref: focus })}
          size="small"
          className={styles.createLink}
          aria-disabled={create.isPending}
          onClick={() => {
            if (!create.isPending) create.mutate()
          }}
        >
          {create.isPending && <Spinner />}
          Get Preview Link
        </Button>
      ) : (
        <>
          <TextField
            label="Preview link"
            readOnly
            ref={focusAndSelect}
            value={url}
            onFocus={(event) => {
              event.target.select()
            }}
          />
          <div className={styles.linkActions}>
            <Button
              size="small"
              onClick={() => {
                void copyText(url).then((isCopied) => {
                  if (isCopied) showToast({ title: 'Success', description: 'Preview link copied' })
                  else showError('Your browser did not copy the link. Copy it from the field.')
                })
              }}
            >
              Copy Link
            </Button>
            <NewTabLink className={buttonClass({ size: 'small' })} href={url}>
              Open Preview <Icon name="leave" />
            </NewTabLink>
            <Button
              variant="ghost"
              size="small"
              aria-disabled={remove.isPending}
              onClick={() => {
                if (!remove.isPending) remove.mutate()
              }}
            >
              End This Link
            </Button>
          </div>
        </>
      )}
    </FormGroup>
  )
}
