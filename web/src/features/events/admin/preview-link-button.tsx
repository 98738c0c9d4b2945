import { useMutation } from '@tanstack/react-query'
import { createElement } from 'react'
import { messageOf } from '../../../api/forms'
import type { CalendarEvent } from '../../../api/types'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Button } from '../../../components/ui/button'
import { ToastAction } from '../../../components/ui/toast-action'
import { showError, showToast } from '../../../components/ui/toast-store'
import { copyText } from '../../../lib/copy-text'
import { createPreviewLink } from './api'

interface PreviewLinkButtonProps {
  event: Pick<CalendarEvent, 'id' | 'title'>
  /** The public URL of the site. */
  siteUrl: string
  className: string | undefined
}

/** Copies the secret link to the page of an event that visitors don't see yet, and offers to open it. */
export function PreviewLinkButton({ event, siteUrl, className }: PreviewLinkButtonProps) {
  const create = useMutation({
    mutationFn: () => createPreviewLink(event.id),
    networkMode: 'always',
    onSuccess: async ({ path }) => {
      const url = `${siteUrl}${path}`
      const isCopied = await copyText(url)
      showToast({
        title: 'Success',
        description: isCopied ? 'Preview link copied' : `Preview link: ${url}`,
        action: createElement(ToastAction, {
          label: 'Open Preview',
          run: () => {
            window.open(path, '_blank', 'noopener')
          },
        }),
      })
    },
    onError: (error) => {
      showError(messageOf(error, 'Failed to create the preview link'))
    },
  })
  return (
    <Button
      variant="ghost"
      size="small"
      className={className}
      aria-label={`Copy preview link to ${event.title}`}
      title="Copy preview link"
      aria-disabled={create.isPending}
      onClick={() => {
        if (!create.isPending) create.mutate()
      }}
    >
      <AdminIcon name="link" />
    </Button>
  )
}
