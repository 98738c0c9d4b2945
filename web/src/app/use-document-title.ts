import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useSite } from './first-data'

/** The address key and title of the page as the server wrote it. */
const served = { key: 'default', title: document.title }

/** Titles the tab by its screen. The page that was loaded keeps the title that the server wrote. */
export function useDocumentTitle(screen: string): void {
  const { name } = useSite()
  const { key } = useLocation()

  useEffect(() => {
    const isServed = key === served.key && served.title !== ''
    document.title = isServed ? served.title : screen === name ? name : `${screen} — ${name}`
  }, [screen, name, key])
}
