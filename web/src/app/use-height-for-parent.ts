import { useEffect } from 'react'

/** Tells the page around this frame how high the content is, as often as it changes. */
export function useHeightForParent(): void {
  useEffect(() => {
    if (window.parent === window) return
    const root = document.getElementById('root')
    if (!root) return
    // Of the content, not of the document: that is never lower than its frame.
    const tell = () => {
      const height = Math.ceil(root.getBoundingClientRect().height)
      // Whoever frames the page may know it; who may frame it is the content policy's affair.
      window.parent.postMessage({ type: 'lectern:height', height }, '*')
    }
    const observer = new ResizeObserver(tell)
    observer.observe(root)
    return () => {
      observer.disconnect()
    }
  }, [])
}
