// Embeds the calendar in a page of another site:
//
//   <div data-lectern-embed data-type="special" data-theme="light" data-view="month"></div>
//   <script async src="https://events.example.com/embed.js"></script>
//
// All attributes except the first are optional; a script that has data-lectern-embed itself inserts
// the calendar after itself. The frame reports its height with
// postMessage({ type: 'lectern:height', height: 812 }, '*'); messages of other origins are ignored.
// No cookies are used.
;(() => {
  const script = document.currentScript
  if (!script || !script.src) return
  const { origin } = new URL(script.src)
  const frames = []

  function insertFrame(element) {
    if (element.dataset.lecternEmbedded) return
    element.dataset.lecternEmbedded = 'true'
    const url = new URL('/embed', origin)
    for (const name of ['type', 'theme', 'view']) {
      if (element.dataset[name]) url.searchParams.set(name, element.dataset[name])
    }
    const frame = document.createElement('iframe')
    frame.title = element.dataset.title || 'Events calendar'
    frame.loading = 'lazy'
    frame.style.display = 'block'
    frame.style.width = '100%'
    frame.style.height = '720px'
    frame.style.border = '0'
    frames.push(frame)
    frame.src = url.href
    if (element === script) element.after(frame)
    else element.append(frame)
  }

  window.addEventListener('message', ({ origin: from, source, data }) => {
    if (from !== origin || !data || data.type !== 'lectern:height') return
    const frame = frames.find((frame) => frame.contentWindow === source)
    const height = Number(data.height)
    if (!frame || !Number.isFinite(height)) return
    frame.style.height = `${Math.min(Math.max(Math.ceil(height), 200), 10000)}px`
  })

  function insertAll() {
    for (const element of document.querySelectorAll('[data-lectern-embed]:not(script)')) insertFrame(element)
  }
  if ('lecternEmbed' in script.dataset) insertFrame(script)
  insertAll()
  // Elements after the script are not parsed yet.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', insertAll)
})()
