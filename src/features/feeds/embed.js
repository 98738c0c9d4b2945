// The calendar inside of another site's page. Put this where it is to stand:
//
//   <div data-lectern-embed data-type="special" data-theme="light" data-view="month"></div>
//   <script async src="https://events.example.com/embed.js"></script>
//
// Every attribute but the first may be left out; a script with data-lectern-embed of its own puts
// the calendar right behind itself. The frame says how high it is with
// postMessage({ type: 'lectern:height', height: 812 }, '*'); nobody else is listened to. No cookie
// is set or read.
;(() => {
  const script = document.currentScript
  if (!script || !script.src) return
  const { origin } = new URL(script.src)
  const frames = []

  function place(element) {
    if (element.dataset.lecternPlaced) return
    element.dataset.lecternPlaced = 'true'
    const address = new URL('/embed', origin)
    for (const name of ['type', 'theme', 'view']) {
      if (element.dataset[name]) address.searchParams.set(name, element.dataset[name])
    }
    const frame = document.createElement('iframe')
    frame.title = element.dataset.title || 'Events calendar'
    frame.loading = 'lazy'
    frame.style.display = 'block'
    frame.style.width = '100%'
    frame.style.height = '720px'
    frame.style.border = '0'
    frames.push(frame)
    frame.src = address.href
    if (element === script) element.after(frame)
    else element.append(frame)
  }

  window.addEventListener('message', ({ origin: from, source, data }) => {
    if (from !== origin || !data || data.type !== 'lectern:height') return
    const frame = frames.find((one) => one.contentWindow === source)
    const height = Number(data.height)
    if (!frame || !Number.isFinite(height)) return
    frame.style.height = `${Math.min(Math.max(Math.ceil(height), 200), 10000)}px`
  })

  function placeAll() {
    for (const element of document.querySelectorAll('[data-lectern-embed]:not(script)')) place(element)
  }
  if ('lecternEmbed' in script.dataset) place(script)
  placeAll()
  // What stands behind the script is not there yet.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', placeAll)
})()
