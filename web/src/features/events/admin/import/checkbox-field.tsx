import { useId } from 'react'
import styles from './import-page.module.css'

interface CheckboxFieldProps {
  label: string
  checked: boolean
  help?: string
  onChange: (checked: boolean) => void
}

/** A labeled checkbox. */
export function CheckboxField({ label, checked, help, onChange }: CheckboxFieldProps) {
  const id = useId()
  return (
    <div className={styles.checkbox}>
      <input
        type="checkbox"
        id={id}
        checked={checked}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onChange={(event) => {
          onChange(event.target.checked)
        }}
      />
      <label htmlFor={id}>{label}</label>
      {help !== undefined && (
        <p className={styles.help} id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}
