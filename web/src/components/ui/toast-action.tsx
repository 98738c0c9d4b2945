import { useEffect, useEffectEvent, useState } from 'react'
import styles from './toast-action.module.css'

interface ToastActionProps {
  label: string
  run: () => void
}

/**
 * What a toast offers to do, once, while it stands. The keyboard's way to undo does it, too,
 * wherever nobody types.
 */
export function ToastAction({ label, run }: ToastActionProps) {
  const [isDone, setIsDone] = useState(false)
  const act = useEffectEvent(() => {
    if (isDone) return
    setIsDone(true)
    run()
  })

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey
      if (!isUndo || isTyping(event.target)) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [])

  return (
    <button
      type="button"
      className={styles.root}
      aria-keyshortcuts="Control+Z Meta+Z"
      aria-disabled={isDone}
      onClick={() => {
        if (isDone) return
        setIsDone(true)
        run()
      }}
    >
      {label}
    </button>
  )
}

/** Whether the keys go into a text, whose own changes they undo. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]')
}
