import { useState } from 'react'
import { inPersonType } from '../../../api/generated/contract'
import { uploadPicture } from '../../../api/pictures'
import { Button } from '../../../components/ui/button'
import { FormGroup } from '../../../components/ui/form-panel'
import { PictureField } from '../../../components/ui/picture-field'
import { TextField } from '../../../components/ui/text-field'
import { bannerOf } from '../event-look'
import styles from './form-groups.module.css'
import { isWebUrl } from './rules'
import type { EventForm } from './use-event-form'
import type { VenueSearch } from './venue'

interface VenueFieldsProps {
  form: EventForm
  /** Where the site has a search for venues; the plain fields always stand. */
  search: VenueSearch | undefined
}

/** Where an in-person event takes place. */
export function VenueFields({ form: { field, change, draft }, search }: VenueFieldsProps) {
  const image = field('location.imageUrl')
  return (
    <FormGroup
      title="Where"
      help={
        search ? 'Search for the place or fill it in by hand.' : 'Leave it empty until it is known.'
      }
    >
      {search?.((place) => {
        change({
          'location.placeId': place.placeId,
          'location.venueName': place.name,
          'location.venueAddress': place.address,
          'location.city': place.city,
          'location.state': place.state,
        })
      })}
      <TextField
        label="Venue name"
        isOptional
        autoComplete="off"
        {...field('location.venueName')}
      />
      <TextField
        label="Address"
        isOptional
        autoComplete="off"
        {...field('location.venueAddress')}
      />
      <TextField
        label="City"
        width="two-thirds"
        isOptional
        autoComplete="off"
        {...field('location.city')}
      />
      <TextField
        label="State"
        width="third"
        isOptional
        autoComplete="off"
        {...field('location.state')}
      />
      {draft['location.placeId'] && (
        <p className={styles.linked}>
          Linked to a place on the map, which shows its picture.
          <Button
            look="quiet"
            size="dense"
            onClick={() => {
              change({ 'location.placeId': '' })
            }}
          >
            Unlink
          </Button>
        </p>
      )}
      <PictureField
        label="Venue image URL"
        isOptional
        {...image}
        onUpload={uploadPicture}
        preview={<VenueImage key={image.value} url={image.value.trim()} />}
        onChange={(address) => {
          change({ 'location.imageUrl': address })
        }}
      />
    </FormGroup>
  )
}

function VenueImage({ url }: { url: string }) {
  const [hasFailed, setHasFailed] = useState(false)
  const isShown = !hasFailed && (isWebUrl(url) || url.startsWith('/pictures/'))
  return (
    <img
      className={styles.picture}
      src={isShown ? url : bannerOf(inPersonType)}
      alt=""
      onError={() => {
        setHasFailed(true)
      }}
    />
  )
}
