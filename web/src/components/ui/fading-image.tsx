import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names'
import styles from './fading-image.module.css'

/**
 * An image that fades in when it has loaded. One that has loaded before the first render, such as
 * those in the server's markup, is shown without a transition. One that failed before it was hydrated
 * reports its error then.
 */
export function FadingImage({ className, alt, ...props }: ComponentProps<'img'>) {
  const image = useRef<HTMLImageElement>(null)
  const [isPending, setIsPending] = useState(false)

  useLayoutEffect(() => {
    const { current } = image
    setIsPending(current?.complete === false)
    // An SVG without a size has no width in some browsers, but is decoded.
    if (current?.complete && current.naturalWidth === 0) {
      current.decode().catch(() => current.dispatchEvent(new Event('error')))
    }
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
