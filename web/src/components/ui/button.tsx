import type { ComponentProps } from 'react'
import { classNames } from '../../lib/class-names'
import styles from './button.module.css'

interface Look {
  /**
   * `primary` is the one main action, `line` any other, `quiet` one that stays in the back,
   * `danger` one that destroys.
   */
  look?: 'primary' | 'line' | 'quiet' | 'lit' | 'danger'
  /** `dense` for toolbars, headers and the admin portal. */
  size?: 'regular' | 'dense'
}

/** The classes of a button, for links that look like one. */
export function buttonClass({ look = 'line', size = 'regular' }: Look, more?: string): string {
  return classNames(styles.root, styles[look], size === 'dense' && styles.dense, more)
}

/** A button that does something on this page. */
export function Button({ look, size, className, ...props }: ComponentProps<'button'> & Look) {
  return (
    <button
      type="button"
      className={buttonClass({ ...(look && { look }), ...(size && { size }) }, className)}
      {...props}
    />
  )
}
