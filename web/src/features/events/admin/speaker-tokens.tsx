import { useLayoutEffect, useRef } from 'react'
import { Icon } from '../../../components/ui/icon'
import { Portrait } from '../../../components/ui/portrait'
import styles from './speaker-picker.module.css'
import { type ChosenSpeaker, nameOfChosen } from './speaker-picker'

interface SpeakerTokensProps {
  chosen: readonly ChosenSpeaker[]
  /** The speakers as they are to be, and what to say of it to those who can't see it. */
  onChange: (ids: number[], said: string) => void
  /** The last token has gone, and with it the place of the focus. */
  onLastRemoved: () => void
}

/** The event's speakers in order: each can be moved and removed. */
export function SpeakerTokens({ chosen, onChange, onLastRemoved }: SpeakerTokensProps) {
  const list = useRef<HTMLUListElement>(null)
  // Which button has the focus after a change; a token that moves in the page loses it.
  const focus = useRef<string | null>(null)
  const ids = chosen.map(({ id }) => id)

  useLayoutEffect(() => {
    if (focus.current === null) return
    list.current?.querySelector<HTMLElement>(`[data-do="${focus.current}"]`)?.focus()
    focus.current = null
  })

  const move = (index: number, step: -1 | 1, name: string) => {
    const to = index + step
    const id = ids[index]
    if (id === undefined || to < 0 || to >= ids.length) return
    focus.current = `${step < 0 ? 'earlier' : 'later'}-${id}`
    onChange(ids.with(index, ids[to] ?? id).with(to, id), `${name} is now number ${to + 1}`)
  }
  const remove = (index: number, name: string) => {
    const next = ids[index + 1] ?? ids[index - 1]
    focus.current = next === undefined ? null : `remove-${next}`
    if (next === undefined) onLastRemoved()
    onChange(
      ids.filter((_, other) => other !== index),
      `${name} removed`,
    )
  }

  return (
    <ul className={styles.tokens} aria-label="Chosen speakers" ref={list}>
      {chosen.map((one, index) => {
        const name = nameOfChosen(one)
        const mover = (words: 'earlier' | 'later', icon: 'previous' | 'next', step: -1 | 1) => (
          <button
            type="button"
            className={styles.tool}
            data-do={`${words}-${one.id}`}
            aria-label={`Move ${name} ${words}`}
            title={`Move ${words}`}
            aria-disabled={index + step < 0 || index + step >= chosen.length}
            onClick={() => {
              move(index, step, name)
            }}
          >
            <Icon name={icon} />
          </button>
        )
        return (
          <li key={one.id} className={styles.token}>
            <Portrait
              className={styles.tokenPortrait}
              name={name}
              imageUrl={one.speaker?.imageUrl}
            />
            <span className={styles.tokenName}>{name}</span>
            {chosen.length > 1 && mover('earlier', 'previous', -1)}
            {chosen.length > 1 && mover('later', 'next', 1)}
            <button
              type="button"
              className={styles.tool}
              data-do={`remove-${one.id}`}
              aria-label={`Remove ${name}`}
              title="Remove"
              onClick={() => {
                remove(index, name)
              }}
            >
              <Icon name="close" />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
