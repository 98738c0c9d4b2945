import { uploadImage } from '../../api/forms'
import { limits, speakerTypes } from '../../api/generated/validation'
import { Portrait } from '../../components/portrait'
import { SelectField, TextAreaField, TextField } from '../../components/ui/field'
import { FormGroup } from '../../components/ui/form-panel'
import { ImageField } from '../../components/ui/image-field'
import { checkSpeaker, type SpeakerFormValues } from './rules'
import styles from './speaker-cards.module.css'

interface SpeakerFieldsProps {
  values: SpeakerFormValues
  field: (name: keyof SpeakerFormValues) => {
    name: string
    value: string
    error: string | undefined
    onChange: (event: { target: { value: string } }) => void
  }
  change: (name: keyof SpeakerFormValues, value: string) => void
}

/** The fields of a speaker, in the Speakers tab and in the form of an event. */
export function SpeakerFields({ values, field, change }: SpeakerFieldsProps) {
  return (
    <>
      <FormGroup
        title="Who it is"
        help="Visitors see name and title on the event, and the bio in its details."
      >
        <TextField label="Name" autoComplete="off" {...field('name')} />
        <TextField label="Title" width="half" autoComplete="off" {...field('title')} />
        <SelectField label="Speaker type" width="half" options={speakerTypes} {...field('type')} />
      </FormGroup>
      <FormGroup title="Image" help="Without one, visitors see the initials.">
        <ImageField
          label="Image URL"
          isOptional
          help="A URL, or upload a JPEG, PNG or WebP of up to 8 MB."
          {...field('imageUrl')}
          onChange={(url) => {
            change('imageUrl', url)
          }}
          onUpload={uploadImage}
          preview={
            <Portrait
              className={styles.preview}
              name={values.name}
              imageUrl={checkSpeaker(values).imageUrl ? null : values.imageUrl.trim()}
            />
          }
        />
      </FormGroup>
      <FormGroup title="About" help="A few sentences. Cards show the first two lines.">
        <TextAreaField label="Bio" isOptional rows={5} countTo={limits.bio} {...field('bio')} />
      </FormGroup>
    </>
  )
}
