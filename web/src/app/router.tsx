import { type ReactElement, Suspense } from 'react'
import { matchPath, useLocation } from 'react-router-dom'
import { lazyChunk } from '../lib/lazy'
import { calendarSections, homeSections } from './lazy-sections'
import { PublicLayout } from './layouts/public-layout'
import { paths } from './paths'
import { CalendarRoute } from './routes/calendar-route'
import { HomeRoute } from './routes/home-route'

// The home and calendar routes are in the main script. The other public routes, the portal and the
// sign-in pages are in separate chunks, which are loaded on demand.
const AdminRoute = lazyChunk(async () => (await import('./routes/admin-route')).AdminRoute)
const AdminLoginRoute = lazyChunk(
  async () => (await import('./routes/admin-login-route')).AdminLoginRoute,
)
const AuthRoute = lazyChunk(async () => (await import('./routes/auth-route')).AuthRoute)
const AuthSuccessRoute = lazyChunk(
  async () => (await import('./routes/auth-success-route')).AuthSuccessRoute,
)
const LoginHelpRoute = lazyChunk(
  async () => (await import('./routes/login-help-route')).LoginHelpRoute,
)
const EventRoute = lazyChunk(async () => (await import('./routes/event-route')).EventRoute)
const EmbedRoute = lazyChunk(async () => (await import('./routes/embed-route')).EmbedRoute)
const NotFoundRoute = lazyChunk(
  async () => (await import('./routes/not-found-route')).NotFoundRoute,
)
const SeriesRoute = lazyChunk(async () => (await import('./routes/series-route')).SeriesRoute)
const SearchRoute = lazyChunk(async () => (await import('./routes/search-route')).SearchRoute)

/** Code that is loaded on demand. */
interface Loadable {
  load: () => Promise<unknown>
  isLoaded: () => boolean
}

interface AppRoute {
  path: string
  element: ReactElement
  /** The route's own chunk, if it has one. */
  chunk?: Loadable
  /** The code of its lazy sections, without which the page as served can be read and used. */
  sections?: Loadable
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
  { path: paths.home, element: <HomeRoute />, sections: homeSections },
  { path: paths.calendar, element: <CalendarRoute />, sections: calendarSections },
  { path: paths.event, element: <EventRoute />, chunk: EventRoute },
  { path: paths.attendance, element: <EventRoute />, chunk: EventRoute },
  { path: paths.series, element: <SeriesRoute />, chunk: SeriesRoute },
  { path: paths.search, element: <SearchRoute />, chunk: SearchRoute },
  { path: '*', element: <NotFoundRoute />, chunk: NotFoundRoute },
]

/** The first route whose pattern matches the path; there always is one. */
const routeOf = (pathname: string) =>
  [...routes, ...publicRoutes].find(({ path }) => matchPath(path, pathname))

/**
 * The code that a path needs and that is not loaded yet, if any: the route's chunk, and in a navigation
 * that of its sections, as no server renders them.
 */
export function codeToLoad(pathname: string, isNavigation = false): Loadable | undefined {
  const route = routeOf(pathname)
  const code = route?.chunk ?? (isNavigation ? route?.sections : undefined)
  return code?.isLoaded() ? undefined : code
}

/**
 * The page at the current location (spec §2). No route is nested, so `matchPath` suffices: `Routes` would
 * add 2 kB to the main script.
 */
export function AppRoutes() {
  const route = routeOf(useLocation().pathname)
  return (
    <Suspense>
      {route && publicRoutes.includes(route) ? (
        <PublicLayout>{route.element}</PublicLayout>
      ) : (
        route?.element
      )}
    </Suspense>
  )
}
