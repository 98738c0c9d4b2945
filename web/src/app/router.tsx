import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { PublicLayout } from './layouts/public-layout'
import { paths } from './paths'
import { CalendarRoute } from './routes/calendar-route'
import { HomeRoute } from './routes/home-route'

// Separate chunks: the public pages load neither the portal nor the sign-in pages.
const AdminRoute = lazy(async () => ({
  default: (await import('./routes/admin-route')).AdminRoute,
}))
const AdminLoginRoute = lazy(async () => ({
  default: (await import('./routes/admin-login-route')).AdminLoginRoute,
}))
const AuthRoute = lazy(async () => ({
  default: (await import('./routes/auth-route')).AuthRoute,
}))
const AuthSuccessRoute = lazy(async () => ({
  default: (await import('./routes/auth-success-route')).AuthSuccessRoute,
}))
const LoginHelpRoute = lazy(async () => ({
  default: (await import('./routes/login-help-route')).LoginHelpRoute,
}))

const EventRoute = lazy(async () => ({
  default: (await import('./routes/event-route')).EventRoute,
}))
const SearchRoute = lazy(async () => ({
  default: (await import('./routes/search-route')).SearchRoute,
}))
const EmbedRoute = lazy(async () => ({
  default: (await import('./routes/embed-route')).EmbedRoute,
}))
const NotFoundRoute = lazy(async () => ({
  default: (await import('./routes/not-found-route')).NotFoundRoute,
}))

/** The routes (spec §2). */
export function Router() {
  return (
    <Suspense>
      <Routes>
        <Route path={paths.admin} element={<AdminRoute />} />
        <Route path={paths.adminLogin} element={<AdminLoginRoute />} />
        <Route path={paths.auth} element={<AuthRoute />} />
        <Route path={paths.authSuccess} element={<AuthSuccessRoute />} />
        <Route path={paths.loginHelp} element={<LoginHelpRoute />} />
        <Route path={paths.embed} element={<EmbedRoute />} />
        <Route element={<PublicLayout />}>
          <Route path={paths.home} element={<HomeRoute />} />
          <Route path={paths.calendar} element={<CalendarRoute />} />
          <Route path={paths.event} element={<EventRoute />} />
          <Route path={paths.attendance} element={<EventRoute />} />
          <Route path={paths.search} element={<SearchRoute />} />
          <Route path="*" element={<NotFoundRoute />} />
        </Route>
      </Routes>
    </Suspense>
  )
}
