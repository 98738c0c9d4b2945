import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { Speaker } from '../../../api/types'
import { Field } from '../../../components/ui/field'
import { Portrait } from '../../../components/portrait'
import { classNames } from '../../../lib/class-names'
import { plain } from './find'
import styles from './speaker-picker.module.css'
import { SpeakerTokens } from './speaker-tokens'
import { type ChosenSpeaker, nameOfChosen } from './speakers'

interface SpeakerPickerProps {
  /** Nothing while they load. */
  all: readonly Speaker[] | undefined
  chosen: readonly ChosenSpeaker[]
  error: string | undefined
  onChange: (ids: number[]) => void
}

/**
 * Adds speakers by typing a name and choosing from the list, and keeps them in order (guide §6,
 * Forms; the combobox pattern of the ARIA practices).
 */
export function SpeakerPicker({ all, chosen, error, onChange }: SpeakerPickerProps) {
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [said, setSaid] = useState('')

  const ids = chosen.map(({ id }) => id)
  const words = plain(text).split(/\s+/).filter(Boolean)
  const options = (all ?? []).filter(
    ({ id, name, title }) =>
      !ids.includes(id) && words.every((word) => plain(`${name} ${title}`).includes(word)),
  )
  const isShown = isOpen && options.length > 0
  const optionId = (index: number) => `${listId}-${index}`

  const close = () => {
    setIsOpen(false)
    setActive(-1)
  }
  const add = (speaker: Speaker) => {
    onChange([...ids, speaker.id])
    setSaid(`${speaker.name} added as number ${ids.length + 1}`)
    setText('')
    close()
  }
  const goTo = (index: number) => {
    setIsOpen(true)
    setActive(index)
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' })
  }

  const keys: Partial<Record<string, () => void>> = {
    ArrowDown: () => {
      goTo(active + 1 < options.length ? active + 1 : 0)
    },
    ArrowUp: () => {
      goTo(active > 0 ? active - 1 : options.length - 1)
    },
    // It never sends the form: who presses it here means a speaker.
    Enter: () => {
      const speaker = isShown ? options[active] : undefined
      if (speaker) add(speaker)
    },
    ...(isShown && { Escape: close }),
    ...(!isShown &&
      text !== '' && {
        Escape: () => {
          setText('')
        },
      }),
    ...(text === '' &&
      chosen.length > 0 && {
        Backspace: () => {
          const last = chosen.at(-1)
          onChange(ids.slice(0, -1))
          if (last) setSaid(`${nameOfChosen(last)} removed`)
        },
      }),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (!act || event.nativeEvent.isComposing) return
    event.preventDefault()
    act()
  }

  return (
    <div className={styles.root}>
      <div className={styles.combobox}>
        <Field
          label="Add a speaker or host"
          error={error}
          help={helpFor(all, text, options.length)}
        >
          {(control) => (
            <input
              {...control}
              ref={input}
              name="speakerIds"
              role="combobox"
              aria-expanded={isShown}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={isShown && active >= 0 ? optionId(active) : undefined}
              autoComplete="off"
              spellCheck={false}
              placeholder="Type a name"
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                setIsOpen(true)
                // Who types a name and presses Enter means the first that is found.
                setActive(event.target.value.trim() === '' ? -1 : 0)
              }}
              onClick={() => {
                setIsOpen(true)
              }}
              onBlur={close}
              onKeyDown={onKeyDown}
            />
          )}
        </Field>
        <div
          className={styles.list}
          id={listId}
          role="listbox"
          aria-label="Speakers"
          hidden={!isShown}
        >
          {isShown &&
            options.map((speaker, index) => (
              // The keyboard works from the input.
              // eslint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={speaker.id}
                id={optionId(index)}
                className={classNames(styles.option, index === active && styles.active)}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onPointerDown={(event) => {
                  // The focus stays in the input.
                  event.preventDefault()
                }}
                onMouseDown={(event) => {
                  event.preventDefault()
                }}
                onClick={() => {
                  add(speaker)
                }}
              >
                <Portrait
                  className={styles.portrait}
                  name={speaker.name}
                  imageUrl={speaker.imageUrl}
                  isLazy
                />
                <span className={styles.words}>
                  <b className={styles.name}>{speaker.name}</b>
                  <span className={styles.title}>{speaker.title}</span>
                </span>
              </div>
            ))}
        </div>
      </div>
      {chosen.length > 0 && (
        <SpeakerTokens
          chosen={chosen}
          onChange={(next, words) => {
            onChange(next)
            setSaid(words)
          }}
          onLastRemoved={() => {
            input.current?.focus()
          }}
        />
      )}
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </div>
  )
}

function helpFor(all: readonly Speaker[] | undefined, text: string, found: number) {
  if (all?.length === 0) return 'There are no speakers yet: create them in the Speakers tab.'
  return all && text.trim() !== '' && found === 0
    ? 'Nobody of that name is left to add.'
    : undefined
}
