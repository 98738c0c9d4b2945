import { type RefObject, useEffect, useState } from 'react'
import { showError } from './toast-store'

const message =
  'Nothing was saved: the image was still being uploaded. Save again once it is there.'

/**
 * Whether an image field of a form is uploading: without its URL, the image would be lost. `check`
 * looks for it before a save; `problem` says why the last one did nothing, until the upload ends.
 */
export function usePendingUpload(form: RefObject<HTMLFormElement | null>) {
  const [isPending, setIsPending] = useState(false)

  useEffect(() => {
    const element = form.current
    if (!isPending || !element) return
    const observer = new MutationObserver(() => {
      if (!isUploading(element)) setIsPending(false)
    })
    observer.observe(element, {
      subtree: true,
      childList: true,
      attributeFilter: ['data-uploading'],
    })
    return () => {
      observer.disconnect()
    }
  }, [form, isPending])

  return {
    problem: isPending ? message : undefined,
    check: (): boolean => {
      const isUploadRunning = isUploading(form.current)
      setIsPending(isUploadRunning)
      // In a long form, the problem at its end may be out of sight.
      if (isUploadRunning) showError('Wait until the image is uploaded, then save again')
      return isUploadRunning
    },
  }
}

function isUploading(form: HTMLFormElement | null): boolean {
  return form?.querySelector('[data-uploading]') != null
}
