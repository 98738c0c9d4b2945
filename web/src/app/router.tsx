import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { PublicLayout } from './layouts/public-layout'
import { paths } from './paths'
import { AuthRoute } from './routes/auth-route'
import { AuthSuccessRoute } from './routes/auth-success-route'
import { CalendarRoute } from './routes/calendar-route'
import { HomeRoute } from './routes/home-route'
import { LoginHelpRoute } from './routes/login-help-route'
import { NotFoundRoute } from './routes/not-found-route'

// Visitors of the calendar never load the portal.
const AdminRoute = lazy(async () => ({
  default: (await import('./routes/admin-route')).AdminRoute,
}))
const AdminLoginRoute = lazy(async () => ({
  default: (await import('./routes/admin-login-route')).AdminLoginRoute,
}))

/** Which screen stands at which address (spec §2). */
export function Router() {
  return (
    <Suspense>
      <Routes>
        <Route path={paths.admin} element={<AdminRoute />} />
        <Route path={paths.adminLogin} element={<AdminLoginRoute />} />
        <Route element={<PublicLayout />}>
          <Route path={paths.home} element={<HomeRoute />} />
          <Route path={paths.calendar} element={<CalendarRoute />} />
          <Route path={paths.auth} element={<AuthRoute />} />
          <Route path={paths.authSuccess} element={<AuthSuccessRoute />} />
          <Route path={paths.loginHelp} element={<LoginHelpRoute />} />
          <Route path="*" element={<NotFoundRoute />} />
        </Route>
      </Routes>
    </Suspense>
  )
}
