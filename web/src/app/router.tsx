import { type ReactElement, Suspense } from 'react'
import { matchPath, Route, Routes } from 'react-router-dom'
import { lazyScreen } from '../lib/lazy-screen'
import { PublicLayout } from './layouts/public-layout'
import { paths } from './paths'
import { CalendarRoute } from './routes/calendar-route'
import { HomeRoute } from './routes/home-route'

// Separate chunks: the public pages load neither the portal nor the sign-in pages.
const AdminRoute = lazyScreen(async () => (await import('./routes/admin-route')).AdminRoute)
const AdminLoginRoute = lazyScreen(
  async () => (await import('./routes/admin-login-route')).AdminLoginRoute,
)
const AuthRoute = lazyScreen(async () => (await import('./routes/auth-route')).AuthRoute)
const AuthSuccessRoute = lazyScreen(
  async () => (await import('./routes/auth-success-route')).AuthSuccessRoute,
)
const LoginHelpRoute = lazyScreen(
  async () => (await import('./routes/login-help-route')).LoginHelpRoute,
)
const EventRoute = lazyScreen(async () => (await import('./routes/event-route')).EventRoute)
const EmbedRoute = lazyScreen(async () => (await import('./routes/embed-route')).EmbedRoute)
const NotFoundRoute = lazyScreen(
  async () => (await import('./routes/not-found-route')).NotFoundRoute,
)

const SearchRoute = lazyScreen(async () => (await import('./routes/search-route')).SearchRoute)

interface Screen {
  path: string
  element: ReactElement
  /** The screen's own chunk, if it has one. */
  chunk?: Pick<typeof EventRoute, 'load' | 'isLoaded'>
}

const screens: Screen[] = [
  { path: paths.admin, element: <AdminRoute />, chunk: AdminRoute },
  { path: paths.adminLogin, element: <AdminLoginRoute />, chunk: AdminLoginRoute },
  { path: paths.auth, element: <AuthRoute />, chunk: AuthRoute },
  { path: paths.authSuccess, element: <AuthSuccessRoute />, chunk: AuthSuccessRoute },
  { path: paths.loginHelp, element: <LoginHelpRoute />, chunk: LoginHelpRoute },
  { path: paths.embed, element: <EmbedRoute />, chunk: EmbedRoute },
]
const publicScreens: Screen[] = [
  { path: paths.home, element: <HomeRoute /> },
  { path: paths.calendar, element: <CalendarRoute /> },
  { path: paths.event, element: <EventRoute />, chunk: EventRoute },
  { path: paths.attendance, element: <EventRoute />, chunk: EventRoute },
  { path: paths.search, element: <SearchRoute />, chunk: SearchRoute },
  { path: '*', element: <NotFoundRoute />, chunk: NotFoundRoute },
]

/** The chunk of the screen at a path; undefined if it is loaded. */
export function missingChunk(pathname: string): Screen['chunk'] {
  const screen = [...screens, ...publicScreens].find(({ path }) => matchPath(path, pathname))
  return screen?.chunk?.isLoaded() ? undefined : screen?.chunk
}

/** The routes (spec §2). */
export function Router() {
  return (
    <Suspense>
      <Routes>
        {screens.map(({ path, element }) => (
          <Route key={path} path={path} element={element} />
        ))}
        <Route element={<PublicLayout />}>
          {publicScreens.map(({ path, element }) => (
            <Route key={path} path={path} element={element} />
          ))}
        </Route>
      </Routes>
    </Suspense>
  )
}
