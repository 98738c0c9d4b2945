import { useState } from 'react'
import { nameTitles } from '../api/generated/contract'
import { classNames } from '../lib/class-names'
import styles from './portrait.module.css'
import { FadingImage } from './ui/fading-image'

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

const isTitle = (word: string) => nameTitles.includes(word.replace(/\.$/, '').toLowerCase())

/**
 * The initials of the first and last name: `NP` for `Dr. Nikhil Patel, MD`. Titles before the name
 * and everything after a comma are ignored (guide §6).
 */
export function initialsOf(name: string): string {
  const words = (name.split(',')[0] ?? '').split(/\s+/).filter(Boolean)
  const firstName = words.findIndex((word) => !isTitle(word))
  const names = firstName < 0 ? words : words.slice(firstName)
  const ends = names.length > 1 ? [names[0], names.at(-1)] : names
  return ends.map((word) => firstLetter(word ?? '')).join('')
}

function firstLetter(word: string): string {
  return /\p{L}|\p{N}/u.exec(word)?.[0].toUpperCase() ?? ''
}
