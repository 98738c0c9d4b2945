import { type RefObject, useState } from 'react'

const message =
  'Nothing was saved: the image was still being uploaded. Save again once it is there.'

/**
 * Whether an image field of a form is uploading: without its URL, the image would be lost. `check`
 * looks for it before a save; `problem` says why the last one did nothing.
 */
export function usePendingUpload(form: RefObject<HTMLFormElement | null>) {
  const [isPending, setIsPending] = useState(false)
  return {
    problem: isPending ? message : undefined,
    check: (): boolean => {
      const isUploading = form.current?.querySelector('[data-uploading]') != null
      setIsPending(isUploading)
      return isUploading
    },
  }
}
