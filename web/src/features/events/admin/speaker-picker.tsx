import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { CalendarEvent, Speaker } from '../../../api/types'
import { Portrait } from '../../../components/portrait'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Alert } from '../../../components/ui/alert'
import { Button } from '../../../components/ui/button'
import { Field } from '../../../components/ui/field'
import { FormGroup } from '../../../components/ui/form-panel'
import { Icon } from '../../../components/ui/icon'
import { classNames } from '../../../lib/class-names'
import { normalized, normalizedWords } from '../../../lib/text'
import styles from './speaker-picker.module.css'
import {
  type ChosenSpeaker,
  distinctName,
  distinctTitle,
  findSpeaker,
  type PortalSpeakers,
} from './speakers'
import type { EventForm } from './use-event-form'

interface SpeakerPickerProps {
  /** Undefined while they load. */
  all: readonly Speaker[] | undefined
  chosen: readonly ChosenSpeaker[]
  error: string | undefined
  onChange: (ids: number[]) => void
  /** Opens the dialog for a new speaker, with the name that was searched for. */
  onCreate?: ((name: string) => void) | undefined
}

/**
 * Adds speakers from a list filtered by typing, in order (guide §6, Forms; the ARIA combobox
 * pattern).
 */
export function SpeakerPicker({ all, chosen, error, onChange, onCreate }: SpeakerPickerProps) {
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [status, setStatus] = useState('')

  const ids = chosen.map(({ id }) => id)
  const words = normalizedWords(text)
  const options = (all ?? []).filter(
    ({ id, name, title }) =>
      !ids.includes(id) && words.every((word) => normalized(`${name} ${title}`).includes(word)),
  )
  const isShown = isOpen && options.length > 0
  const optionId = (index: number) => `${listId}-${index}`

  const close = () => {
    setIsOpen(false)
    setActive(-1)
  }
  const add = (speaker: Speaker) => {
    onChange([...ids, speaker.id])
    setStatus(`${distinctName(speaker, all)} added as number ${ids.length + 1}`)
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
    // Enter adds the active speaker and never submits the form.
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
          if (last) setStatus(`${last.name} removed`)
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
    // It only notices that the focus leaves its elements.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles.root}
      onBlur={({ currentTarget, relatedTarget }) => {
        const [only] = options.length === 1 && text.trim() !== '' ? options : []
        // Who types a name and goes on has chosen the only speaker with it.
        if (only && !currentTarget.contains(relatedTarget)) add(only)
      }}
    >
      <div className={styles.combobox}>
        <Field
          label="Add a speaker or host"
          error={error}
          help={helpFor(all, text, options.length, isOpen)}
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
                // The first match is active, so that Enter adds it.
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
              // The input handles the keyboard.
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
                <span className={styles.text}>
                  <b className={styles.name}>{speaker.name}</b>
                  <span className={styles.title}>{distinctTitle(speaker, all ?? [])}</span>
                </span>
              </div>
            ))}
        </div>
      </div>
      {onCreate && (
        <Button
          size="small"
          className={styles.create}
          onClick={() => {
            onCreate(text.trim())
            setText('')
          }}
        >
          <AdminIcon name="plus" /> New Speaker
        </Button>
      )}
      {chosen.length > 0 && (
        <SelectedSpeakers
          chosen={chosen}
          onChange={(next, message) => {
            onChange(next)
            setStatus(message)
          }}
          onLastRemoved={() => {
            input.current?.focus()
          }}
        />
      )}
      <span className="visually-hidden" role="status">
        {status}
      </span>
    </div>
  )
}

function helpFor(
  all: readonly Speaker[] | undefined,
  text: string,
  matches: number,
  isOpen: boolean,
) {
  if (all?.length === 0) return 'There are no speakers yet: create the first one.'
  if (!all || text.trim() === '') return undefined
  if (matches === 0) return 'No other speaker matches that name. You can create one here.'
  return isOpen ? undefined : 'Nobody was added yet: choose a speaker from the list.'
}

interface SelectedSpeakersProps {
  chosen: readonly ChosenSpeaker[]
  /** Reports the new order, and a status message for screen readers. */
  onChange: (ids: number[], status: string) => void
  /** Called after the last speaker, which had the focus, was removed. */
  onLastRemoved: () => void
}

/** The event's speakers in order: each can be moved and removed. */
export function SelectedSpeakers({ chosen, onChange, onLastRemoved }: SelectedSpeakersProps) {
  const list = useRef<HTMLUListElement>(null)
  // The button to focus after a change: a speaker who is moved in the DOM loses the focus.
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
    <ul className={styles.selected} aria-label="Chosen speakers" ref={list}>
      {chosen.map((one, index) => (
        <SelectedSpeaker
          key={one.id}
          one={one}
          isAlone={chosen.length === 1}
          isFirst={index === 0}
          isLast={index === chosen.length - 1}
          onMove={(step) => {
            move(index, step, one.name)
          }}
          onRemove={() => {
            remove(index, one.name)
          }}
        />
      ))}
    </ul>
  )
}

interface SelectedSpeakerProps {
  one: ChosenSpeaker
  isAlone: boolean
  isFirst: boolean
  isLast: boolean
  onMove: (step: -1 | 1) => void
  onRemove: () => void
}

function SelectedSpeaker({
  one,
  isAlone,
  isFirst,
  isLast,
  onMove,
  onRemove,
}: SelectedSpeakerProps) {
  const { name } = one
  return (
    <li className={styles.speaker}>
      <Portrait className={styles.speakerPortrait} name={name} imageUrl={one.imageUrl} />
      <span className={styles.speakerName}>{name}</span>
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

interface SpeakerFieldsProps {
  form: EventForm
  speakers: PortalSpeakers
  /** The speakers of the stored event. */
  eventSpeakers: CalendarEvent['speakers'] | undefined
  onCreate?: ((name: string) => void) | undefined
}

/** The speakers of the event, in order. */
export function SpeakerFields({ form, speakers, eventSpeakers, onCreate }: SpeakerFieldsProps) {
  const { speakerIds } = form.values
  return (
    <FormGroup
      title="Who speaks"
      help="At least one speaker, in the order in which they are shown."
    >
      {speakers.hasFailed && <Alert title="Failed to fetch speakers" onRetry={speakers.retry} />}
      <SpeakerPicker
        all={speakers.all}
        chosen={speakerIds.map((id) => {
          const speaker = findSpeaker(id, speakers, eventSpeakers)
          const name = speaker ? distinctName(speaker, speakers.all) : 'A deleted speaker'
          return { id, name, imageUrl: speaker?.imageUrl }
        })}
        error={form.errorOf('speakerIds')}
        onCreate={onCreate}
        onChange={(ids) => {
          form.change({ speakerIds: ids })
        }}
      />
    </FormGroup>
  )
}
