import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Site } from '../../api/types'
import { AdminIcon } from '../../components/ui/admin-icon'
import { Alert } from '../../components/ui/alert'
import { Button } from '../../components/ui/button'
import { Skeleton } from '../../components/ui/loading'
import { componentQuery } from '../../lib/lazy'
import { useOpenForm } from '../../lib/use-open-form'
import { siteSettingsQuery } from './api'
import { formValuesOf, siteOf } from './rules'
import styles from './settings-section.module.css'
import { SitePreview } from './site-preview'

/** The site with the settings that were saved since the page was loaded. */
export function useSavedSite(site: Site): Site {
  const { data } = useQuery({ ...siteSettingsQuery(), enabled: false })
  return data ? siteOf(formValuesOf(data.values), site) : site
}

/** The part of the Calendar CMS tab with the site settings. */
export function SettingsSection({ site: initialSite }: { site: Site }) {
  const headingId = useId()
  const { editedId, openEdit, close } = useOpenForm('company')
  const site = useSavedSite(initialSite)
  return (
    <section className={styles.root} aria-labelledby={headingId}>
      <div className={styles.head}>
        <div>
          <h2 className={styles.heading} id={headingId}>
            Company
          </h2>
          <p className={styles.help}>
            Name, logo, colors, links and the notice of all pages. Changes are public at once.
          </p>
        </div>
        {editedId === null && (
          <Button
            size="small"
            data-opens="1"
            onClick={() => {
              openEdit(1)
            }}
          >
            <AdminIcon name="edit" />
            Edit Company
          </Button>
        )}
      </div>
      {editedId === null ? <SitePreview site={site} /> : <Editor site={site} onClose={close} />}
    </section>
  )
}

/** The code of the form, which few visits to the portal need. */
const formQuery = componentQuery(
  'settings-form',
  async () => (await import('./settings-form')).SettingsForm,
)

function Editor({ site, onClose }: { site: Site; onClose: () => void }) {
  const form = useQuery(formQuery)
  // What another admin has saved since is what editing starts with.
  const settings = useQuery({ ...siteSettingsQuery(), refetchOnMount: 'always' })
  const Form = form.data
  if (Form && settings.data && settings.isFetchedAfterMount && !settings.isError) {
    return <Form settings={settings.data} site={site} onClose={onClose} />
  }
  if (form.isError || (settings.isError && !settings.isFetching)) {
    return (
      <Alert
        title="Failed to load the settings"
        onRetry={() => {
          if (form.isError) void form.refetch()
          void settings.refetch()
        }}
      />
    )
  }
  return (
    <div aria-busy="true">
      <p className="visually-hidden">Loading the settings...</p>
      <Skeleton className={styles.loading} />
    </div>
  )
}
