import { useEffect, useState } from 'react'
import type { CalendarEvent } from '../../../api/types'
import { Button } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { copyText } from '../../../lib/copy-text'
import styles from './share-button.module.css'

/** How long the confirmation is shown, in milliseconds. */
const duration = 4000

interface ShareButtonProps {
  event: Pick<CalendarEvent, 'title' | 'path'>
  /** The public URL of the site. */
  baseUrl: string
}

/** Shares the URL of an event's page by the device's share sheet, else by copying it. */
export function ShareButton({ event, baseUrl }: ShareButtonProps) {
  const [status, setStatus] = useState('')

  useEffect(() => {
    if (!status) return
    const timer = setTimeout(() => {
      setStatus('')
    }, duration)
    return () => {
      clearTimeout(timer)
    }
  }, [status])

  const share = async () => {
    const url = baseUrl + event.path
    if (await shareByDevice({ title: event.title, url })) return
    setStatus((await copyText(url)) ? 'Link copied' : `Copy this link: ${url}`)
  }

  return (
    <span className={styles.root}>
      <Button size="small" onClick={() => void share()}>
        <Icon name="share" /> Share
      </Button>
      <span className={styles.status} role="status">
        {status}
      </span>
    </span>
  )
}

/** Whether the URL was shared, or the visitor cancelled. */
async function shareByDevice(data: ShareData): Promise<boolean> {
  if (typeof navigator.share !== 'function') return false
  try {
    await navigator.share(data)
    return true
  } catch (cause) {
    return cause instanceof DOMException && cause.name === 'AbortError'
  }
}
