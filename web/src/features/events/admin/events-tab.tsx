/** The portal's Events tab (spec §2, /admin). */
export function EventsTab() {
  return <h1 tabIndex={-1}>Events</h1>
}
