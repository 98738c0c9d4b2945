/** Why a form with an image that is being uploaded was not saved. */
export const uploadPendingMessage =
  'Nothing was saved: the image was still being uploaded. Save again once it is there.'

/** Whether an image field of the form is uploading: without its URL, the image would be lost. */
export const hasPendingUpload = (form: HTMLFormElement | null): boolean =>
  form?.querySelector('[data-uploading]') != null
