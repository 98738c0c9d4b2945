/** Every address of the site (spec §2). */
export const paths = {
  home: '/',
  homeCalendar: '/#calendar',
  homeSubscribe: '/#subscribe',
  calendar: '/calendar',
  /** An event's page; the number before the dash decides. */
  event: '/events/:event',
  /** The calendar alone, inside of other sites. */
  embed: '/embed',
  auth: '/auth',
  authSuccess: '/auth-success',
  loginHelp: '/login-help',
  adminLogin: '/admin/login',
  admin: '/admin',
  /** Where signing in through Replit begins; the server's, not a screen. */
  replit: '/api/auth/replit',
} as const
