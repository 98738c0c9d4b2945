import { useEffect } from 'react'

/** Reports the content's height to the embedding page, whenever it changes. */
export function useHeightForParent(): void {
  useEffect(() => {
    if (window.parent === window) return
    const root = document.getElementById('root')
    if (!root) return
    // The document's height would never be less than the frame's.
    const reportHeight = () => {
      const height = Math.ceil(root.getBoundingClientRect().height)
      // Any origin, because the content security policy limits which sites may embed the page.
      window.parent.postMessage({ type: 'lectern:height', height }, '*')
    }
    const observer = new ResizeObserver(reportHeight)
    observer.observe(root)
    return () => {
      observer.disconnect()
    }
  }, [])
}
