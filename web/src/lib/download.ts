/** Saves content as a file of the visitor. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has started to read it.
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 10_000)
}
