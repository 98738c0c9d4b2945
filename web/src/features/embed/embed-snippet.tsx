import { useId, useState } from 'react'
import { eventTypes } from '../../api/generated/contract'
import { NewTabLink } from '../../components/links'
import { Button } from '../../components/ui/button'
import { SelectField, TextAreaField } from '../../components/ui/field'
import { copyText } from '../../lib/copy-text'
import { embedUrl, type EmbedOptions, embedSnippet, embedThemes, embedViews } from './embed-options'
import styles from './embed-snippet.module.css'

interface EmbedSnippetProps {
  /** The public URL of the site. */
  baseUrl: string
}

const optionOf = (word: string) => ({
  value: word,
  label: word.charAt(0).toUpperCase() + word.slice(1),
})

/** Options and code to embed the calendar in another site. */
export function EmbedSnippet({ baseUrl }: EmbedSnippetProps) {
  const headingId = useId()
  const [options, setOptions] = useState<EmbedOptions>({ type: null, theme: null, view: 'month' })
  const [status, setStatus] = useState('')
  const snippet = embedSnippet(baseUrl, options)
  const choose = (option: Partial<EmbedOptions>) => {
    setOptions({ ...options, ...option })
    setStatus('')
  }

  return (
    <section className={styles.root} aria-labelledby={headingId}>
      <h2 className={styles.heading} id={headingId}>
        Embed this calendar
      </h2>
      <p>Paste these two lines into the page of another site to show the calendar there.</p>
      <div className={styles.options}>
        <SelectField
          label="Events"
          value={options.type ?? ''}
          options={[{ value: '', label: 'All Events' }, ...eventTypes]}
          onChange={({ target }) => {
            choose({ type: target.value || null })
          }}
        />
        <SelectField
          label="Theme"
          value={options.theme ?? ''}
          options={[{ value: '', label: "The visitor's own" }, ...embedThemes.map(optionOf)]}
          onChange={({ target }) => {
            choose({ theme: embedThemes.find((theme) => theme === target.value) ?? null })
          }}
        />
        <SelectField
          label="View"
          value={options.view}
          options={embedViews.map(optionOf)}
          onChange={({ target }) => {
            choose({ view: embedViews.find((view) => view === target.value) ?? 'month' })
          }}
        />
      </div>
      <div className={styles.code}>
        <TextAreaField
          label="Code for the other site"
          readOnly
          rows={4}
          spellCheck={false}
          value={snippet}
          onFocus={(event) => {
            event.target.select()
          }}
        />
      </div>
      <div className={styles.actions}>
        <Button
          variant="primary"
          size="small"
          onClick={() => {
            void copyText(snippet).then((isCopied) => {
              setStatus(isCopied ? 'Code copied' : 'Select the code above and copy it.')
            })
          }}
        >
          Copy the code
        </Button>
        <NewTabLink href={embedUrl(baseUrl, options)}>See how it looks</NewTabLink>
        <span className={styles.status} role="status">
          {status}
        </span>
      </div>
    </section>
  )
}
