import { useLayoutEffect, useRef } from 'react'
import { Icon } from '../../../components/ui/icon'
import { Portrait } from '../../../components/portrait'
import styles from './speaker-picker.module.css'
import { type ChosenSpeaker, nameOfChosen } from './speakers'

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
      {chosen.map((one, index) => (
        <Token
          key={one.id}
          one={one}
          isAlone={chosen.length === 1}
          isFirst={index === 0}
          isLast={index === chosen.length - 1}
          onMove={(step) => {
            move(index, step, nameOfChosen(one))
          }}
          onRemove={() => {
            remove(index, nameOfChosen(one))
          }}
        />
      ))}
    </ul>
  )
}

interface TokenProps {
  one: ChosenSpeaker
  isAlone: boolean
  isFirst: boolean
  isLast: boolean
  onMove: (step: -1 | 1) => void
  onRemove: () => void
}

function Token({ one, isAlone, isFirst, isLast, onMove, onRemove }: TokenProps) {
  const name = nameOfChosen(one)
  return (
    <li className={styles.token}>
      <Portrait className={styles.tokenPortrait} name={name} imageUrl={one.speaker?.imageUrl} />
      <span className={styles.tokenName}>{name}</span>
      {!isAlone && (
        <>
          <button
            type="button"
            className={styles.tool}
            data-do={`earlier-${one.id}`}
            aria-label={`Move ${name} earlier`}
            title="Move earlier"
            aria-disabled={isFirst}
            onClick={() => {
              onMove(-1)
            }}
          >
            <Icon name="previous" />
          </button>
          <button
            type="button"
            className={styles.tool}
            data-do={`later-${one.id}`}
            aria-label={`Move ${name} later`}
            title="Move later"
            aria-disabled={isLast}
            onClick={() => {
              onMove(1)
            }}
          >
            <Icon name="next" />
          </button>
        </>
      )}
      <button
        type="button"
        className={styles.tool}
        data-do={`remove-${one.id}`}
        aria-label={`Remove ${name}`}
        title="Remove"
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </li>
  )
}
