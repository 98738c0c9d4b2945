import { useState } from 'react'
import { fieldsOf, wordsOf } from '../../../api/failure'
import { limits, messages } from '../../../api/generated/contract'
import { FormGroup, FormPanel } from '../../../components/ui/form-panel'
import { TextAreaField } from '../../../components/ui/text-area-field'
import { showToast } from '../../../components/ui/toast-store'
import { askBeforeLeaving } from '../../../lib/leave-guard'
import { useDraft } from '../../../lib/use-draft'
import { checkHero, type HeroDraft, isBlank } from '../rules'
import { HeroView } from './hero-view'
import { useSaveContent } from './save-content'

interface ContentFormProps {
  content: HeroDraft
  onClose: () => void
}

/** Changes the words of the home page's hero, which stands below as it will be (spec §2). */
export function ContentForm({ content, onClose }: ContentFormProps) {
  const { form, draft, field, mark } = useDraft(() => content)
  const [problem, setProblem] = useState<string>()
  const { mutate: save, isPending } = useSaveContent()

  const submit = () => {
    setProblem(isBlank(draft) ? messages.heroBothRequired : undefined)
    if (mark(checkHero(draft))) return
    save(
      { heroTitle: draft.heroTitle.trim(), heroSubtitle: draft.heroSubtitle.trim() },
      {
        onSuccess: () => {
          showToast({ title: 'Success', description: 'Page content updated successfully' })
          onClose()
        },
        onError: (cause) => {
          mark(fieldsOf(cause))
          showToast({
            title: 'Error',
            description: wordsOf(cause, 'Failed to update page content'),
            variant: 'destructive',
          })
        },
      },
    )
  }

  return (
    <>
      <FormPanel
        title="Edit Content"
        form={form}
        save={isPending ? 'Saving...' : 'Save Changes'}
        isSaving={isPending}
        problem={problem}
        onSave={submit}
        onCancel={() => {
          askBeforeLeaving(onClose)
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
      <HeroView title={draft.heroTitle} subtitle={draft.heroSubtitle} isLoading={false} isPreview />
    </>
  )
}
