import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Alert } from '../../../components/ui/alert'
import { Button } from '../../../components/ui/button'
import { TabHeader } from '../../../components/ui/tabs'
import { useOpenForm } from '../../../lib/use-open-form'
import { homeContentQuery, useHeroText } from '../api'
import { ContentForm } from './content-form'
import { HeroView } from './hero-view'

/** The portal's Calendar CMS tab (spec §2, /admin). `children` are further sections of the tab. */
export function ContentTab({ children }: { children?: ReactNode }) {
  const { data, isError, refetch } = useQuery(homeContentQuery())
  const { isNew: isEditing, openNew: edit, close } = useOpenForm('content')
  const { title, subtitle, isLoading } = useHeroText()
  // A failed refetch keeps the loaded content and the form's input.
  const canEdit = data !== undefined

  return (
    <>
      <TabHeader title="Calendar Page Content">
        {(canEdit || !isError) && !isEditing && (
          <Button
            variant="primary"
            size="small"
            data-opens="new"
            disabled={!canEdit}
            onClick={edit}
          >
            <AdminIcon name="edit" />
            Edit Content
          </Button>
        )}
      </TabHeader>
      {isError && !canEdit ? (
        <Alert
          title="Failed to load page content"
          onRetry={() => {
            void refetch()
          }}
        />
      ) : isEditing && canEdit ? (
        <ContentForm
          content={{ heroTitle: title, heroSubtitle: subtitle }}
          revision={data?.revision ?? 0}
          onClose={close}
        />
      ) : (
        <HeroView title={title} subtitle={subtitle} isLoading={isLoading} />
      )}
      {children}
    </>
  )
}
