/** The portal's tabs (spec §2, /admin), by what stands for each in the address. */
export const adminTabs = [
  { id: 'events', label: 'Events' },
  { id: 'speakers', label: 'Speakers' },
  { id: 'users', label: 'Users' },
  { id: 'cms', label: 'Calendar CMS' },
  { id: 'analytics', label: 'Analytics' },
] as const

/** What stands for a tab in the address. */
export type AdminTab = (typeof adminTabs)[number]['id']

/** The tab of the portal's plain address. */
export const defaultAdminTab: AdminTab = 'events'
