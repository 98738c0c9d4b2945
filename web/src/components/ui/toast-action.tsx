import { useEffect, useEffectEvent, useState } from 'react'
import styles from './toast-action.module.css'

interface ToastActionProps {
  label: string
  run: () => void
}

/**
 * The action of a toast, which runs once at most. Ctrl+Z or Cmd+Z runs it too, unless the focus is
 * in a text field.
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
      if (!isUndo || isTextField(event.target)) return
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

/** Whether the target has its own undo. */
function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]')
}
