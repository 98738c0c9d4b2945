/** The site's paths (spec §2). */
export const paths = {
  home: '/',
  homeCalendar: '/#calendar',
  homeNewsletter: '/#subscribe',
  calendar: '/calendar',
  search: '/search',
  /** An event's page: the id, a dash and a slug. */
  event: '/events/:event',
  /** The page of an event for visitors who attend before the script has loaded. */
  attendance: '/events/:event/attendance',
  /** The page of a series: its slug. */
  series: '/series/:series',
  /** The calendar for embedding in other sites. */
  embed: '/embed',
  auth: '/auth',
  authSuccess: '/auth-success',
  loginHelp: '/login-help',
  adminLogin: '/admin/login',
  admin: '/admin',
  /** The server's endpoint that starts signing in through Replit. */
  replit: '/api/auth/replit',
} as const
