import type { ComponentProps } from 'react'
import { classNames } from '../../lib/class-names'
import styles from './button.module.css'

interface ButtonStyle {
  /**
   * `primary` is the main action, `line` any other, `quiet` a less prominent one, `lit` a main
   * action on dark backgrounds, `danger` a destructive one.
   */
  variant?: 'primary' | 'line' | 'quiet' | 'lit' | 'danger'
  /** `dense` for toolbars, headers and the admin portal. */
  size?: 'regular' | 'dense'
}

/** The classes of a button, for links that look like one. */
export function buttonClass(
  { variant = 'line', size = 'regular' }: ButtonStyle,
  more?: string,
): string {
  return classNames(styles.root, styles[variant], size === 'dense' && styles.dense, more)
}

/** A button, by default of type `button`. */
export function Button({
  variant,
  size,
  className,
  ...props
}: ComponentProps<'button'> & ButtonStyle) {
  return (
    <button
      type="button"
      className={buttonClass({ ...(variant && { variant }), ...(size && { size }) }, className)}
      {...props}
    />
  )
}
