import { useState } from 'react'
import { classNames } from '../lib/class-names'
import { FadingImage } from './ui/fading-image'
import { initialsOf } from './initials'
import styles from './portrait.module.css'

interface PortraitProps {
  name: string
  imageUrl: string | null | undefined
  className?: string | undefined
  /** Loads the image only when it is near the viewport. */
  isLazy?: boolean
}

/**
 * A person's image in an arch; their initials on the event type's color if there is no image or it
 * fails to load. Hidden from assistive technology, because the name is next to it.
 */
export function Portrait({ name, imageUrl, className, isLazy = false }: PortraitProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const hasImage = imageUrl && imageUrl !== failedUrl

  return (
    <span className={classNames(styles.root, className)}>
      {hasImage ? (
        <FadingImage
          className={styles.image}
          src={imageUrl}
          alt=""
          loading={isLazy ? 'lazy' : 'eager'}
          onError={() => {
            setFailedUrl(imageUrl)
          }}
        />
      ) : (
        <span className={styles.initials} aria-hidden="true">
          {initialsOf(name)}
        </span>
      )}
    </span>
  )
}
