import { type ReactElement, Suspense } from 'react'
import { matchPath, Route, Routes } from 'react-router-dom'
import { lazyRoute } from '../lib/lazy'
import { PublicLayout } from './layouts/public-layout'
import { paths } from './paths'
import { CalendarRoute } from './routes/calendar-route'
import { HomeRoute } from './routes/home-route'

// Separate chunks: the public pages load neither the portal nor the sign-in pages.
const AdminRoute = lazyRoute(async () => (await import('./routes/admin-route')).AdminRoute)
const AdminLoginRoute = lazyRoute(
  async () => (await import('./routes/admin-login-route')).AdminLoginRoute,
)
const AuthRoute = lazyRoute(async () => (await import('./routes/auth-route')).AuthRoute)
const AuthSuccessRoute = lazyRoute(
  async () => (await import('./routes/auth-success-route')).AuthSuccessRoute,
)
const LoginHelpRoute = lazyRoute(
  async () => (await import('./routes/login-help-route')).LoginHelpRoute,
)
const EventRoute = lazyRoute(async () => (await import('./routes/event-route')).EventRoute)
const EmbedRoute = lazyRoute(async () => (await import('./routes/embed-route')).EmbedRoute)
const NotFoundRoute = lazyRoute(
  async () => (await import('./routes/not-found-route')).NotFoundRoute,
)

const SearchRoute = lazyRoute(async () => (await import('./routes/search-route')).SearchRoute)

interface AppRoute {
  path: string
  element: ReactElement
  /** The route's own chunk, if it has one. */
  chunk?: Pick<typeof EventRoute, 'load' | 'isLoaded'>
}

const routes: AppRoute[] = [
  { path: paths.admin, element: <AdminRoute />, chunk: AdminRoute },
  { path: paths.adminLogin, element: <AdminLoginRoute />, chunk: AdminLoginRoute },
  { path: paths.auth, element: <AuthRoute />, chunk: AuthRoute },
  { path: paths.authSuccess, element: <AuthSuccessRoute />, chunk: AuthSuccessRoute },
  { path: paths.loginHelp, element: <LoginHelpRoute />, chunk: LoginHelpRoute },
  { path: paths.embed, element: <EmbedRoute />, chunk: EmbedRoute },
]
const publicRoutes: AppRoute[] = [
  { path: paths.home, element: <HomeRoute /> },
  { path: paths.calendar, element: <CalendarRoute /> },
  { path: paths.event, element: <EventRoute />, chunk: EventRoute },
  { path: paths.attendance, element: <EventRoute />, chunk: EventRoute },
  { path: paths.search, element: <SearchRoute />, chunk: SearchRoute },
  { path: '*', element: <NotFoundRoute />, chunk: NotFoundRoute },
]

/** The chunk of the route at a path that is not loaded yet, if any. */
export function chunkToLoad(pathname: string): AppRoute['chunk'] {
  const route = [...routes, ...publicRoutes].find(({ path }) => matchPath(path, pathname))
  return route?.chunk?.isLoaded() ? undefined : route?.chunk
}

/** The routes (spec §2). */
export function AppRoutes() {
  return (
    <Suspense>
      <Routes>
        {routes.map(({ path, element }) => (
          <Route key={path} path={path} element={element} />
        ))}
        <Route element={<PublicLayout />}>
          {publicRoutes.map(({ path, element }) => (
            <Route key={path} path={path} element={element} />
          ))}
        </Route>
      </Routes>
    </Suspense>
  )
}
