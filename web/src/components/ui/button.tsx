import type { ComponentProps } from 'react'
import { classNames } from '../../lib/class-names'
import styles from './button.module.css'

interface ButtonStyle {
  /**
   * `primary` is the main action, `secondary` any other, `ghost` a less prominent one, `accent` a
   * main action on dark backgrounds, `destructive` one that deletes or discards something.
   */
  variant?: 'primary' | 'secondary' | 'ghost' | 'accent' | 'destructive'
  /** `small` for toolbars, headers and the admin portal. */
  size?: 'medium' | 'small'
}

/** The classes of a button, for links that look like one. */
export function buttonClass(
  { variant = 'secondary', size = 'medium' }: ButtonStyle,
  more?: string,
): string {
  return classNames(styles.root, styles[variant], size === 'small' && styles.small, more)
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
