import { type ReactNode, useState } from 'react'
import { inPersonType } from '../../../api/generated/contract'
import { uploadImage } from '../../../api/forms'
import type { Venue } from '../../../api/types'
import { Button } from '../../../components/ui/button'
import { TextField } from '../../../components/ui/field'
import { FormGroup } from '../../../components/ui/form-panel'
import { ImageField } from '../../../components/ui/image-field'
import { isImageUrl } from '../../../lib/text'
import { bannerOf } from '../event-presentation'
import styles from './form-groups.module.css'
import type { EventFormValues } from './form-values'
import type { EventForm } from './use-event-form'

interface VenueFieldsProps {
  form: EventForm
  /** The venue search, if the site has one. */
  search: VenueSearch | undefined
}

/** The location of an in-person event. */
export function VenueFields({ form, search }: VenueFieldsProps) {
  const { field, change, values } = form
  const image = field('location.imageUrl')
  const link = usePlaceLink(form)
  return (
    <FormGroup
      title="Where"
      help={
        search ? 'Search for the place or fill it in by hand.' : 'Leave it empty until it is known.'
      }
    >
      {search?.(link.choose)}
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
        {...link.field('location.venueAddress')}
      />
      <TextField
        label="City"
        width="two-thirds"
        isOptional
        autoComplete="off"
        {...link.field('location.city')}
      />
      <TextField
        label="State"
        width="third"
        isOptional
        autoComplete="off"
        {...link.field('location.state')}
      />
      {link.wasLinked && (
        <div className={styles.linked}>
          <p role="status">
            {values['location.placeId']
              ? `Linked to a place on the map, ${
                  // A site with the venue search also shows maps.
                  search
                    ? 'which visitors see instead of an image.'
                    : 'whose photo visitors see unless you add an image.'
                }`
              : 'No longer linked to the place on the map: the address is another one.'}
          </p>
          {values['location.placeId'] && (
            <Button variant="ghost" size="small" onClick={link.unlink}>
              Unlink
            </Button>
          )}
        </div>
      )}
      <ImageField
        label="Venue image URL"
        isOptional
        {...image}
        onUpload={uploadImage}
        preview={<VenueImagePreview key={image.value} url={image.value.trim()} />}
        onChange={(url) => {
          change({ 'location.imageUrl': url })
        }}
      />
    </FormGroup>
  )
}

function VenueImagePreview({ url }: { url: string }) {
  const [hasFailed, setHasFailed] = useState(false)
  const isShown = !hasFailed && isImageUrl(url)
  return (
    <img
      className={styles.image}
      src={isShown ? url : bannerOf(inPersonType)}
      alt=""
      onError={() => {
        setHasFailed(true)
      }}
    />
  )
}

/** A place from the venue search. */
export interface Place {
  placeId: string
  name: string
  address: string
  city: string
  state: string
}

/** Renders the venue search. The route supplies it, because it belongs to another feature. */
export type VenueSearch = (onPlace: (place: Place) => void) => ReactNode

/** Renders the public image of a venue; supplied by the route for the same reason. */
export type VenueImage = (location: Venue) => ReactNode

/** The fields of an address. */
type AddressField = 'location.venueAddress' | 'location.city' | 'location.state'
const addressFields = ['location.venueAddress', 'location.city', 'location.state'] as const

/** A place on the map, with the address at the time it was linked. */
type LinkedPlace = Pick<EventFormValues, AddressField | 'location.placeId'>

/**
 * Links a venue to a place on the map, whose photo visitors see. The link lasts while each address
 * field contains the linked text, so a floor may be added and the venue renamed. Another address
 * must not show this photo; restoring the address restores the link.
 */
export function usePlaceLink({ values, field, change }: EventForm) {
  const [previous, setPrevious] = useState<LinkedPlace | null>(null)
  const placeId = values['location.placeId']
  // The values may contain another link: the event's, or another admin's.
  const linked = placeId !== '' && placeId !== previous?.['location.placeId'] ? values : previous
  if (linked !== previous) setPrevious(linked)

  return {
    /** Whether there is or was a link. */
    wasLinked: linked !== null,
    /** Fills in and links a place from the search. */
    choose: (place: Place) => {
      const changes = {
        'location.placeId': place.placeId,
        'location.venueName': place.name,
        'location.venueAddress': place.address,
        'location.city': place.city,
        'location.state': place.state,
      }
      setPrevious(changes)
      change(changes)
    },
    unlink: () => {
      setPrevious(null)
      change({ 'location.placeId': '' })
    },
    /** Props of an address field; editing it sets or clears the link. */
    field: (name: AddressField): ReturnType<EventForm['field']> => ({
      ...field(name),
      onChange: ({ target: { value } }) => {
        const next = { ...values, [name]: value }
        const isSame =
          linked !== null && addressFields.every((part) => includesText(next[part], linked[part]))
        change({
          [name]: value,
          ...(linked && { 'location.placeId': isSame ? linked['location.placeId'] : '' }),
        })
      },
    }),
  }
}

/** Whether a text contains another, ignoring case. */
function includesText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.trim().toLowerCase())
}
