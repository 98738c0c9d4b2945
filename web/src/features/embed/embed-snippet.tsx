import { useId, useState } from 'react'
import { eventTypes } from '../../api/generated/contract'
import { Button } from '../../components/ui/button'
import { NewTabLink } from '../../components/ui/new-tab-link'
import { copyText } from '../../lib/copy-text'
import {
  embedAddress,
  type EmbedOptions,
  embedSnippet,
  embedThemes,
  embedViews,
} from './embed-options'
import styles from './embed-snippet.module.css'

interface EmbedSnippetProps {
  /** Where visitors reach the site. */
  baseUrl: string
}

const title = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** What an admin copies to have the calendar on another site (issue 6, Embedding). */
export function EmbedSnippet({ baseUrl }: EmbedSnippetProps) {
  const headingId = useId()
  const codeId = useId()
  const [options, setOptions] = useState<EmbedOptions>({ type: null, theme: null, view: 'month' })
  const [said, setSaid] = useState('')
  const snippet = embedSnippet(baseUrl, options)
  const choose = (choice: Partial<EmbedOptions>) => {
    setOptions({ ...options, ...choice })
    setSaid('')
  }

  return (
    <section className={styles.root} aria-labelledby={headingId}>
      <h3 className={styles.heading} id={headingId}>
        Embed this calendar
      </h3>
      <p>Put these two lines where the calendar is to stand on another site.</p>
      <div className={styles.choices}>
        <Choice
          label="Events"
          value={options.type ?? ''}
          values={[['', 'All Events'], ...eventTypes.map((type) => [type, type] as const)]}
          onChoose={(type) => {
            choose({ type: type || null })
          }}
        />
        <Choice
          label="Theme"
          value={options.theme ?? ''}
          values={[
            ['', "The visitor's own"],
            ...embedThemes.map((theme) => [theme, title(theme)] as const),
          ]}
          onChoose={(value) => {
            choose({ theme: embedThemes.find((theme) => theme === value) ?? null })
          }}
        />
        <Choice
          label="View"
          value={options.view}
          values={embedViews.map((view) => [view, title(view)] as const)}
          onChoose={(value) => {
            choose({ view: embedViews.find((view) => view === value) ?? 'month' })
          }}
        />
      </div>
      <label className={styles.label} htmlFor={codeId}>
        Code for the other site
      </label>
      <textarea
        id={codeId}
        className={styles.code}
        readOnly
        rows={3}
        spellCheck={false}
        value={snippet}
        onFocus={(event) => {
          event.target.select()
        }}
      />
      <div className={styles.actions}>
        <Button
          look="primary"
          size="dense"
          onClick={() => {
            void copyText(snippet).then((isCopied) => {
              setSaid(isCopied ? 'Code copied' : 'Select the code above and copy it.')
            })
          }}
        >
          Copy the code
        </Button>
        <NewTabLink href={embedAddress(baseUrl, options)}>See how it looks</NewTabLink>
        <span className={styles.said} role="status">
          {said}
        </span>
      </div>
    </section>
  )
}

interface ChoiceProps {
  label: string
  value: string
  values: readonly (readonly [string, string])[]
  onChoose: (value: string) => void
}

function Choice({ label, value, values, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <div className={styles.choice}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={styles.select}
        value={value}
        onChange={(event) => {
          onChoose(event.target.value)
        }}
      >
        {values.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}
