import type { ReactNode } from 'react'
import { accentTokens } from '../../api/generated/validation'
import { Field } from '../../components/ui/field'
import styles from './accent-field.module.css'
import { accentOf, minContrast, parseColor, type Theme } from './accent'
import { fieldLabels } from './rules'

interface AccentFieldProps {
  name: 'accentLight' | 'accentDark'
  theme: Theme
  value: string
  error: string | undefined
  help: ReactNode
  onChange: (event: { target: { value: string } }) => void
}

/** A field for an accent color, with a sample and its contrasts. */
export function AccentField({ name, theme, value, error, help, onChange }: AccentFieldProps) {
  const accent = accentOf(parseColor(value.trim()) ?? accentTokens.accent, theme)
  return (
    <div className={styles.root}>
      <Field label={fieldLabels[name]} isOptional error={error} help={help}>
        {(control) => (
          <div className={styles.row}>
            <input
              {...control}
              name={name}
              type="text"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder={accentTokens.accent}
              value={value}
              onChange={onChange}
            />
            <input
              type="color"
              className={styles.picker}
              aria-label={`Pick the ${fieldLabels[name].toLowerCase()}`}
              value={accent.color}
              onChange={onChange}
            />
          </div>
        )}
      </Field>
      <div className={styles.check}>
        <span
          className={styles.sample}
          style={{ background: accent.color, color: accent.text }}
          aria-hidden="true"
        >
          {accent.textContrast >= minContrast.text && 'Schedule a Call'}
        </span>
        <ul className={styles.contrasts}>
          <Contrast label="Text on it" value={accent.textContrast} min={minContrast.text} />
          <Contrast
            label={
              theme === 'light' ? 'On the dark footer' : 'On the backgrounds of the dark theme'
            }
            value={accent.backgroundContrast}
            min={minContrast.graphic}
          />
        </ul>
      </div>
    </div>
  )
}

function Contrast({ label, value, min }: { label: string; value: number; min: number }) {
  // Rounded down, as 4.49 is not enough.
  const shown = (Math.floor(value * 10) / 10).toFixed(1)
  return (
    <li>
      {label}: {shown} to 1, {value >= min ? 'enough' : 'too low'} ({min} needed)
    </li>
  )
}
