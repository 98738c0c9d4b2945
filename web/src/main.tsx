import './styles/tokens.css'
import './styles/fonts.css'
import './styles/base.css'
import { type ReactNode, StrictMode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient, watchWindowFocus } from './api/query-client'
import { ErrorPage } from './app/error-page'
import { readFirstData, seedQueries } from './app/first-data'
import { noteFocus } from './app/keep-focus'
import { Providers } from './app/providers'
import { Router } from './app/router'
import { logProblem } from './lib/log-problem'

/** Says when its children have taken the place of what the server wrote, before anything is painted. */
function Takeover({ onDone, children }: { onDone: () => void; children: ReactNode }) {
  useLayoutEffect(onDone, [onDone])
  return children
}

function start(root: HTMLElement) {
  const renderer = createRoot(root)
  try {
    const giveFocusBack = noteFocus(root)
    const firstData = readFirstData()
    const queryClient = createQueryClient()
    seedQueries(queryClient, firstData)
    watchWindowFocus()
    // In slices, so that a tap or a scroll on what the server wrote is answered meanwhile.
    startTransition(() => {
      renderer.render(
        <StrictMode>
          <Takeover onDone={giveFocusBack}>
            <Providers queryClient={queryClient} site={firstData.site}>
              <Router />
            </Providers>
          </Takeover>
        </StrictMode>,
      )
    })
  } catch (cause) {
    logProblem('The application could not start', cause)
    renderer.render(<ErrorPage />)
  }
}

/**
 * Lets the browser show what the server wrote, pictures too, before the page takes it over. A window
 * that nobody sees paints nothing, so it isn't waited for.
 */
function afterPaint(run: () => void) {
  let isDue = true
  const once = () => {
    if (isDue) run()
    isDue = false
  }
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(once)))
  setTimeout(once, document.hidden ? 0 : 150)
}

const root = document.getElementById('root')
if (root) {
  afterPaint(() => {
    start(root)
  })
}
