import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names'
import styles from './fading-image.module.css'

/**
 * An image that fades in when it has loaded. One that has loaded before the first render, such as
 * those in the server's markup, is shown without a transition.
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
