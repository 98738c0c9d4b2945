import { afterEach, describe, expect, it } from 'vitest'
import source from '../../../src/features/feeds/embed.js?raw'

const site = 'https://events.example.com'

/** Runs the script as loaded from the calendar's site. */
function load(script = document.createElement('script')) {
  script.src = `${site}/embed.js`
  Object.defineProperty(document, 'currentScript', { configurable: true, value: script })
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- This is the code under test.
  new Function(source)()
}

function post(frame: HTMLIFrameElement, data: unknown, overrides: MessageEventInit = {}) {
  const source = frame.contentWindow
  window.dispatchEvent(new MessageEvent('message', { data, origin: site, source, ...overrides }))
}

function frames() {
  return [...document.querySelectorAll('iframe')]
}

function onlyFrame() {
  const [frame] = frames()
  if (!frame || frames().length > 1) throw new Error(`There are ${frames().length} frames`)
  return frame
}

afterEach(() => {
  document.body.innerHTML = ''
})

describe('the embed script', () => {
  it('inserts the calendar into the marked element with its type, theme and view', () => {
    document.body.innerHTML =
      '<div data-lectern-embed data-type="special" data-theme="dark" data-view="week" data-title="Our events"></div>'
    load()
    const frame = onlyFrame()
    expect(frame.src).toBe(`${site}/embed?type=special&theme=dark&view=week`)
    expect(frame.title).toBe('Our events')
    expect(frame.getAttribute('loading') ?? frame.loading).toBe('lazy')
    expect(frame.parentElement).toHaveAttribute('data-lectern-embed')
  })

  it('inserts the calendar after a marked script element, only once', () => {
    const script = document.createElement('script')
    script.dataset.lecternEmbed = ''
    script.dataset.view = 'list'
    document.body.append(script, document.createElement('p'))
    load(script)
    load(script)
    const frame = onlyFrame()
    expect(frame.src).toBe(`${site}/embed?view=list`)
    expect(frame.title).toBe('Events calendar')
    expect(script.nextElementSibling).toBe(frame)
  })

  it('sets the height only on messages from its own frame', () => {
    document.body.innerHTML = '<div data-lectern-embed></div><iframe id="other"></iframe>'
    load()
    const [frame, other] = frames()
    if (!frame || !other) throw new Error('Expected two frames')
    const height = () => frame.style.height
    const before = height()
    post(frame, { type: 'lectern:height', height: 900 }, { origin: 'https://evil.example' })
    post(other, { type: 'lectern:height', height: 900 })
    post(frame, { type: 'something', height: 900 })
    post(frame, { type: 'lectern:height', height: 'a' })
    post(frame, null)
    expect(height()).toBe(before)

    post(frame, { type: 'lectern:height', height: 812.4 })
    expect(height()).toBe('813px')
    post(frame, { type: 'lectern:height', height: -5 })
    expect(height()).toBe('200px')
    post(frame, { type: 'lectern:height', height: 1e9 })
    expect(height()).toBe('10000px')
  })
})
