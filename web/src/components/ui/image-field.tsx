import { type ReactNode, useId, useRef, useState } from 'react'
import { useUnsavedChanges } from '../../lib/unsaved-changes'
import { AdminIcon } from './admin-icon'
import { Button } from './button'
import { Field, type FieldProps } from './field'
import styles from './image-field.module.css'
import { Spinner } from './loading'

/** The maximum size of an image in bytes; the server has the same limit. */
const maxBytes = 8 * 1024 * 1024
const types = ['image/jpeg', 'image/png', 'image/webp']
const invalidFile = 'An image must be a JPEG, PNG or WebP file of at most 8 MB'

interface ImageFieldProps extends FieldProps {
  name: string
  /** The image's URL. */
  value: string
  onChange: (url: string) => void
  /** Uploads an image and resolves to its URL; rejects with a message to show. */
  onUpload: (image: File) => Promise<string>
  /** The image as visitors will see it, or its placeholder. */
  preview: ReactNode
}

/** A field for an image: its URL or an upload, with a preview. */
export function ImageField({
  name,
  value,
  onChange,
  onUpload,
  preview,
  error,
  ...field
}: ImageFieldProps) {
  const file = useRef<HTMLInputElement>(null)
  const statusId = useId()
  const [isUploading, setIsUploading] = useState(false)
  const [problem, setProblem] = useState<string>()
  useUnsavedChanges(isUploading)

  const upload = async (image: File) => {
    if (!types.includes(image.type) || image.size > maxBytes) {
      setProblem(invalidFile)
      return
    }
    setProblem(undefined)
    setIsUploading(true)
    try {
      onChange(await onUpload(image))
    } catch (cause) {
      setProblem(cause instanceof Error ? cause.message : 'The image could not be uploaded')
    } finally {
      setIsUploading(false)
    }
  }

  return (
    <div className={styles.root}>
      <div className={styles.preview}>{preview}</div>
      <Field {...field} error={problem ?? error}>
        {(control) => (
          <div className={styles.row}>
            <input
              {...control}
              name={name}
              type="text"
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="https://"
              value={value}
              onChange={(event) => {
                setProblem(undefined)
                onChange(event.target.value)
              }}
            />
            <input
              ref={file}
              type="file"
              accept={types.join(',')}
              hidden
              data-uploading={isUploading || undefined}
              onChange={(event) => {
                const [image] = event.target.files ?? []
                if (image) void upload(image)
                // Allows choosing the same file again.
                event.target.value = ''
              }}
            />
            <Button
              className={styles.upload}
              aria-disabled={isUploading}
              aria-describedby={statusId}
              onClick={() => {
                if (!isUploading) file.current?.click()
              }}
            >
              {isUploading ? <Spinner /> : <AdminIcon name="upload" />}
              {isUploading ? 'Uploading...' : 'Upload'}
            </Button>
            <span className="visually-hidden" role="status" id={statusId}>
              {isUploading
                ? 'The image is being uploaded'
                : problem !== undefined && `The image was not uploaded. ${problem}`}
            </span>
          </div>
        )}
      </Field>
    </div>
  )
}
