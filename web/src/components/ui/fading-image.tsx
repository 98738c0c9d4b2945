import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names'
import styles from './fading-image.module.css'

/**
 * A picture that fades in when it arrives. One that is there already, such as those of the page as
 * the server wrote it, is simply shown.
 */
export function FadingImage({ className, alt, ...props }: ComponentProps<'img'>) {
  const image = useRef<HTMLImageElement>(null)
  const [isPending, setIsPending] = useState(false)

  useLayoutEffect(() => {
    setIsPending(image.current?.complete === false)
  }, [props.src])

  return (
    <img
      ref={image}
      className={classNames(styles.root, isPending && styles.pending, className)}
      alt={alt}
      {...props}
      onLoad={(event) => {
        setIsPending(false)
        props.onLoad?.(event)
      }}
    />
  )
}
