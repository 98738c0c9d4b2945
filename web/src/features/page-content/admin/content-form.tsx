import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { writeJson } from '../../../api/client'
import { fieldErrorsOf, messageOf, saveProblemOf, useFormSave } from '../../../api/forms'
import { limits, messages } from '../../../api/generated/validation'
import type { PageContent, SavePageContent } from '../../../api/types'
import { SavedInputOffer } from '../../../components/ui/saved-input-offer'
import { TextAreaField } from '../../../components/ui/field'
import { FormGroup, FormPanel } from '../../../components/ui/form-panel'
import { showError, showToast } from '../../../components/ui/toast-store'
import {
  type EditedVersion,
  theirChangesNote,
  useMergedSave,
} from '../../../components/use-merged-save'
import { confirmBeforeLeaving } from '../../../lib/unsaved-changes'
import { useFormValues } from '../../../lib/use-form-values'
import { homeContentQuery } from '../api'
import { checkHero, type HeroFormValues, isBlank } from '../rules'
import { HeroView } from './hero-view'

interface ContentFormProps {
  content: HeroFormValues
  /** The revision of the stored content; 0 if none is stored. */
  revision: number
  onClose: () => void
}

/** Edits the copy of the home page's hero, with a preview below (spec §2). */
export function ContentForm({ content, revision, onClose }: ContentFormProps) {
  const { form, values, base, field, showErrors, rebase, savedInput, clearSavedInput } =
    useFormValues(() => content, { check: checkHero, storageName: 'page-content', revision })
  const [problem, setProblem] = useState<string>()
  const { save, isPending } = useSaveContent()

  const submit = (
    values: HeroFormValues,
    onto: EditedVersion<HeroFormValues>,
    theirLabels: string[] = [],
  ) => {
    setProblem(isBlank(values) ? messages.heroBothRequired : undefined)
    if (showErrors(checkHero(values))) return
    save(
      {
        heroTitle: values.heroTitle.trim(),
        heroSubtitle: values.heroSubtitle.trim(),
        revision: onto.revision,
      },
      {
        form,
        onSuccess: () => {
          const message = `Page content updated successfully${theirChangesNote(theirLabels)}`
          showToast({ title: 'Success', description: message })
          clearSavedInput()
        },
        onClose,
        onConflict: (cause) => merge.resolve(cause, values, onto),
        onError: (cause) => {
          setProblem(saveProblemOf(cause))
          showErrors(fieldErrorsOf(cause))
          showError(messageOf(cause, 'Failed to update page content'))
        },
      },
    )
  }

  const merge = useMergedSave<PageContent, HeroFormValues>({
    subject: 'page',
    labels: { heroTitle: 'Title', heroSubtitle: 'Subtitle' },
    valuesOf: ({ heroTitle, heroSubtitle }) => ({ heroTitle, heroSubtitle }),
    rebase,
    save: submit,
  })

  return (
    <>
      <FormPanel
        title="Edit Content"
        form={form}
        save={isPending ? 'Saving...' : 'Save Changes'}
        isSaving={isPending}
        problem={problem}
        aboveFields={<SavedInputOffer savedInput={savedInput} />}
        onSave={() => {
          submit(values, base)
        }}
        onCancel={() => {
          confirmBeforeLeaving(onClose)
        }}
      >
        <FormGroup
          title="Hero"
          help="The first words on the home page. Short titles are set larger."
        >
          <TextAreaField
            label="Title"
            rows={2}
            countTo={limits.heroTitle}
            {...field('heroTitle')}
          />
          <TextAreaField
            label="Subtitle"
            rows={3}
            countTo={limits.heroSubtitle}
            {...field('heroSubtitle')}
          />
        </FormGroup>
      </FormPanel>
      {merge.dialog}
      <HeroView
        title={values.heroTitle}
        subtitle={values.heroSubtitle}
        isLoading={false}
        isPreview
      />
    </>
  )
}

/** Updates the hero's copy (spec §7). */
export function useSaveContent() {
  const queryClient = useQueryClient()
  return useFormSave({
    mutationFn: (content: SavePageContent) =>
      writeJson<PageContent>('PUT', '/api/page-content/home', content),
    onSuccess: (content) => {
      queryClient.setQueryData(homeContentQuery().queryKey, content)
    },
  })
}
