import { useState } from 'react'
import { fieldsOf, wordsOf } from '../../../api/failure'
import { limits, messages } from '../../../api/generated/contract'
import { FormGroup, FormPanel } from '../../../components/ui/form-panel'
import { TextAreaField } from '../../../components/ui/text-area-field'
import { showToast } from '../../../components/ui/toast-store'
import { askBeforeLeaving, useLeaveGuard } from '../../../lib/leave-guard'
import { useFieldErrors } from '../../../lib/use-field-errors'
import { checkHero, type HeroDraft, isBlank } from '../rules'
import { HeroView } from './hero-view'
import { useSaveContent } from './save-content'

interface ContentFormProps {
  content: HeroDraft
  onClose: () => void
}

/** Changes the words of the home page's hero, which stands below as it will be (spec §2). */
export function ContentForm({ content, onClose }: ContentFormProps) {
  const [initial] = useState(content)
  const [draft, setDraft] = useState(initial)
  const [problem, setProblem] = useState<string>()
  const { form, errors, show, clear } = useFieldErrors()
  const { mutate: save, isPending } = useSaveContent()
  useLeaveGuard(
    draft.heroTitle !== initial.heroTitle || draft.heroSubtitle !== initial.heroSubtitle,
  )

  const bind = (field: keyof HeroDraft) => ({
    name: field,
    value: draft[field],
    error: errors[field],
    onChange: ({ target }: { target: { value: string } }) => {
      setDraft((known) => ({ ...known, [field]: target.value }))
      clear(field)
    },
  })
  const submit = () => {
    setProblem(isBlank(draft) ? messages.heroBothRequired : undefined)
    if (show(checkHero(draft))) return
    save(
      { heroTitle: draft.heroTitle.trim(), heroSubtitle: draft.heroSubtitle.trim() },
      {
        onSuccess: () => {
          showToast({ title: 'Success', description: 'Page content updated successfully' })
          onClose()
        },
        onError: (cause) => {
          show(fieldsOf(cause))
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
          <TextAreaField label="Title" rows={2} countTo={limits.heroTitle} {...bind('heroTitle')} />
          <TextAreaField
            label="Subtitle"
            rows={3}
            countTo={limits.heroSubtitle}
            {...bind('heroSubtitle')}
          />
        </FormGroup>
      </FormPanel>
      <HeroView title={draft.heroTitle} subtitle={draft.heroSubtitle} isLoading={false} isPreview />
    </>
  )
}
