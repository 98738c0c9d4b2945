import { useRef, useState } from 'react'
import { fieldErrorsOf, mayBeSaved, messageOf, saveProblemOf, uploadImage } from '../../api/forms'
import { limits } from '../../api/generated/validation'
import type { Site, SiteSettings } from '../../api/types'
import { ConflictDialog } from '../../components/conflict-dialog'
import { TextAreaField, TextField } from '../../components/ui/field'
import { FormGroup, FormPanel } from '../../components/ui/form-panel'
import { SavedInputOffer } from '../../components/ui/saved-input-offer'
import { ImageField } from '../../components/ui/image-field'
import { showError, showToast } from '../../components/ui/toast-store'
import { mergeEdits } from '../../lib/merge-edits'
import { confirmBeforeLeaving } from '../../lib/unsaved-changes'
import { visitorZone } from '../../lib/zones'
import { usedAccent } from './accent'
import { AccentField } from './accent-field'
import { conflictingSettings, useSaveSettings } from './api'
import { LinkListField } from './link-list-field'
import {
  checkSettings,
  differingFields,
  fieldLabels,
  formValuesOf,
  linksFields,
  settingsToSave,
  type SettingsField,
  type SettingsValues,
  siteOf,
  textOf,
  withFields,
} from './rules'
import styles from './settings-form.module.css'
import { SitePreview } from './site-preview'
import { type SettingsForm as Form, useSettingsForm } from './use-settings-form'

interface SettingsFormProps {
  settings: SiteSettings
  site: Site
  onClose: () => void
}

/** What another admin has saved in fields that were changed here too. */
interface Conflict {
  theirs: SettingsValues
  revision: number
  /** The values here with the fields that only the other admin changed. */
  merged: SettingsValues
  fields: readonly SettingsField[]
}

/** Edits the site settings, with a preview below. */
export function SettingsForm({ settings, site, onClose }: SettingsFormProps) {
  const form = useSettingsForm(settings)
  const { values, started } = form
  const [conflict, setConflict] = useState<Conflict>()
  const [problem, setProblem] = useState<string>()
  /** The values of a save whose response was lost. */
  const lost = useRef<SettingsValues>(undefined)
  const { save: send, isPending } = useSaveSettings()

  const save = (values: SettingsValues, revision: number, base: SettingsValues) => {
    setProblem(undefined)
    const body = settingsToSave(values, revision, settings.locked)
    if (form.showErrors(checkSettings(body))) return
    send(body, {
      form: form.form,
      onSuccess: () => {
        showToast({ title: 'Success', description: 'Company settings updated successfully' })
        form.clearSavedInput()
      },
      onClose,
      onConflict: (cause) => {
        if (mayBeSaved(cause)) lost.current = values
        const current = conflictingSettings(cause)
        if (current) resolve(values, base, current)
        return current !== undefined
      },
      onError: (cause) => {
        setProblem(saveProblemOf(cause))
        form.showErrors(fieldErrorsOf(cause))
        showError(messageOf(cause, 'Failed to update the company settings'))
      },
    })
  }

  /** Saves at once if both admins have changed different fields, and asks otherwise. */
  const resolve = (mine: SettingsValues, base: SettingsValues, current: SiteSettings) => {
    const theirs = formValuesOf(current.values)
    const edits = { base, mine, theirs, lost: lost.current }
    const { theirFields, conflicts } = mergeEdits(edits, differingFields)
    const merged = withFields(mine, theirs, theirFields)
    const found = { theirs, revision: current.revision, merged, fields: conflicts }
    if (conflicts.length === 0) saveMerged(found, merged)
    else setConflict(found)
  }

  const saveMerged = ({ theirs, revision }: Conflict, merged: SettingsValues) => {
    setConflict(undefined)
    form.rebase(theirs, revision, merged)
    save(merged, revision, theirs)
  }

  return (
    <>
      <FormPanel
        title="Edit Company"
        form={form.form}
        save={isPending ? 'Saving...' : 'Save Changes'}
        isSaving={isPending}
        problem={problem}
        aboveFields={<SavedInputOffer savedInput={form.savedInput} />}
        onSave={() => {
          save(values, started.revision, started.values)
        }}
        onCancel={() => {
          confirmBeforeLeaving(onClose)
        }}
      >
        <AppearanceFields form={form} />
        <ContactFields form={form} />
        <FooterFields form={form} />
        <NewsletterFields form={form} />
        <NoticeFields form={form} />
      </FormPanel>
      <h3 className={styles.preview}>Preview</h3>
      <SitePreview
        site={siteOf(values, site)}
        accents={{
          light: usedAccent(values.accentLight, 'light'),
          dark: usedAccent(values.accentDark, 'dark'),
        }}
      />
      {conflict && (
        <ConflictDialog
          title="These settings were changed while you were editing them"
          fields={conflict.fields.map((field) => ({
            field,
            label: fieldLabels[field],
            mine: textOf(conflict.merged, field),
            theirs: textOf(conflict.theirs, field),
          }))}
          isSaving={false}
          onSave={(theirFields) => {
            saveMerged(conflict, withFields(conflict.merged, conflict.theirs, theirFields))
          }}
          onCancel={() => {
            setConflict(undefined)
          }}
        />
      )}
    </>
  )
}

const urlInput = { type: 'url', placeholder: 'https://', autoComplete: 'off' } as const

function AppearanceFields({ form }: { form: Form }) {
  const logo = form.field('logoUrl', 'A URL, or upload a JPEG, PNG or WebP of up to 8 MB.')
  const hasLogo = form.errors.logoUrl === undefined && logo.value.trim() !== ''
  return (
    <>
      <FormGroup title="Name and logo" help="In the header, in titles, feeds and link previews.">
        <TextField label={fieldLabels.name} autoComplete="off" {...form.field('name')} />
        {logo.disabled ? (
          <TextField label={fieldLabels.logoUrl} {...logo} />
        ) : (
          <ImageField
            label={fieldLabels.logoUrl}
            isOptional
            {...logo}
            onChange={(url) => {
              form.change('logoUrl', url)
            }}
            onUpload={uploadImage}
            preview={
              <span className={styles.logo}>
                {hasLogo && <img src={logo.value.trim()} alt="" />}
              </span>
            }
          />
        )}
      </FormGroup>
      <FormGroup
        title="Colors"
        help="The accent marks today, the selection and attendance. In the dark theme it is also the color of main buttons and of the focus. The colors of event types stay."
      >
        <AccentField
          theme="light"
          {...form.field('accentLight', 'Blank is the yellow of the design.')}
          name="accentLight"
        />
        <AccentField
          theme="dark"
          {...form.field('accentDark', 'Blank is the yellow of the design.')}
          name="accentDark"
        />
      </FormGroup>
    </>
  )
}

function ContactFields({ form }: { form: Form }) {
  return (
    <>
      <FormGroup title="Contact" help="In the footer. Blank fields are left out.">
        <TextAreaField
          label={fieldLabels.addressLines}
          isOptional
          rows={3}
          {...form.field('addressLines', 'Street and city, one line each.')}
        />
        <TextField
          label={fieldLabels.phone}
          isOptional
          width="half"
          autoComplete="off"
          {...form.field('phone')}
        />
        <TextField
          label={fieldLabels.email}
          isOptional
          width="half"
          type="email"
          autoComplete="off"
          {...form.field('email')}
        />
      </FormGroup>
      <FormGroup title="Buttons" help="Where these buttons lead. A blank one is left out.">
        <TextField
          label={fieldLabels.learnMoreUrl}
          {...urlInput}
          {...form.field('learnMoreUrl', 'On the home page while there is no upcoming event.')}
        />
        <TextField
          label={fieldLabels.scheduleCallUrl}
          isOptional
          {...urlInput}
          {...form.field('scheduleCallUrl')}
        />
        <TextField
          label={fieldLabels.investorResourcesUrl}
          isOptional
          {...urlInput}
          {...form.field('investorResourcesUrl')}
        />
      </FormGroup>
    </>
  )
}

function FooterFields({ form }: { form: Form }) {
  return (
    <FormGroup
      title="Footer"
      help="The links of the four columns and to social media. They open in a new tab."
    >
      {linksFields.map((name) => (
        <LinkListField key={name} label={fieldLabels[name]} {...form.links(name)} />
      ))}
      <TextAreaField
        label={fieldLabels.disclaimer}
        isOptional
        rows={3}
        countTo={limits.disclaimer}
        {...form.field('disclaimer', 'The small print at the bottom of all pages.')}
      />
    </FormGroup>
  )
}

function NewsletterFields({ form }: { form: Form }) {
  return (
    <FormGroup
      title="Subscribe form"
      help="The newsletter form on the home page, from the code that your provider shows. Without a script no form is shown."
    >
      <TextField
        label={fieldLabels.subscribeScriptUrl}
        isOptional
        {...urlInput}
        {...form.field(
          'subscribeScriptUrl',
          'The URL in the src of its script element. The script can do anything on the public pages.',
        )}
      />
      <TextField
        label={fieldLabels.subscribeContainerId}
        isOptional
        autoComplete="off"
        {...form.field('subscribeContainerId', 'The id of the element that the script fills.')}
      />
      <TextAreaField
        label={fieldLabels.subscribeAttributes}
        isOptional
        rows={3}
        spellCheck={false}
        {...form.field(
          'subscribeAttributes',
          'Of that element, one in each line, such as data-form=1234.',
        )}
      />
      <TextAreaField
        label={fieldLabels.subscribeAllowedHosts}
        isOptional
        rows={2}
        spellCheck={false}
        {...form.field(
          'subscribeAllowedHosts',
          'From which the form loads or to which it sends, one in each line, such as https://forms.example.com. Browsers block all others.',
        )}
      />
    </FormGroup>
  )
}

function NoticeFields({ form }: { form: Form }) {
  const zone = visitorZone()
  return (
    <FormGroup
      title="Notice bar"
      help="One sentence above the header of all public pages. Visitors can dismiss it until it changes."
    >
      <TextField
        label={fieldLabels.noticeText}
        isOptional
        autoComplete="off"
        countTo={limits.notice}
        {...form.field('noticeText')}
      />
      <TextField
        label={fieldLabels.noticeLinkLabel}
        isOptional
        width="third"
        autoComplete="off"
        {...form.field('noticeLinkLabel')}
      />
      <TextField
        label={fieldLabels.noticeLinkUrl}
        isOptional
        width="two-thirds"
        {...urlInput}
        {...form.field('noticeLinkUrl')}
      />
      <TextField
        label={fieldLabels.noticeEndsAt}
        isOptional
        type="datetime-local"
        width="half"
        {...form.field(
          'noticeEndsAt',
          zone === null ? 'In your time zone.' : `In your time zone (${zone}).`,
        )}
      />
    </FormGroup>
  )
}
