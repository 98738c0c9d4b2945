import { type ReactNode, useState } from 'react'
import { inPersonType } from '../../../api/generated/contract'
import { uploadImage } from '../../../api/images'
import { Button } from '../../../components/ui/button'
import { FormGroup } from '../../../components/ui/form-panel'
import { ImageField } from '../../../components/ui/image-field'
import { TextField } from '../../../components/ui/field'
import { isImageAddress } from '../../../lib/checks'
import { bannerOf } from '../event-presentation'
import styles from './form-groups.module.css'
import type { EventForm } from './use-event-form'
import type { EventLocation } from '../../../api/types'
import type { EventDraft } from './draft'

interface VenueFieldsProps {
  form: EventForm
  /** Where the site has a search for venues; the plain fields always stand. */
  search: VenueSearch | undefined
}

/** Where an in-person event takes place. */
export function VenueFields({ form, search }: VenueFieldsProps) {
  const { field, change, draft } = form
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
            {draft['location.placeId']
              ? `Linked to a place on the map, ${
                  // Where the site has the search, it has maps.
                  search
                    ? 'which visitors see instead of a picture.'
                    : 'whose photo visitors see unless you give a picture.'
                }`
              : 'No longer linked to the place on the map: the address is another one.'}
          </p>
          {draft['location.placeId'] && (
            <Button variant="quiet" size="dense" onClick={link.unlink}>
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
        onChange={(address) => {
          change({ 'location.imageUrl': address })
        }}
      />
    </FormGroup>
  )
}

function VenueImagePreview({ url }: { url: string }) {
  const [hasFailed, setHasFailed] = useState(false)
  const isShown = !hasFailed && isImageAddress(url)
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

/** A place as a search for venues finds it. */
export interface Place {
  placeId: string
  name: string
  address: string
  city: string
  state: string
}

/**
 * Renders the search for venues, where the site has one; it hands over the place that was chosen.
 * The route supplies it, because it belongs to another feature.
 */
export type VenueSearch = (onPlace: (place: Place) => void) => ReactNode

/** Renders the picture of a venue that visitors see; the route supplies it for the same reason. */
export type VenueImage = (location: EventLocation) => ReactNode

/** What says where a place is. */
type Whereabouts = 'location.venueAddress' | 'location.city' | 'location.state'
const whereabouts = ['location.venueAddress', 'location.city', 'location.state'] as const

/** A place on the map, and what the fields said when the link to it was made. */
type LinkedPlace = Pick<EventDraft, Whereabouts | 'location.placeId'>

/**
 * The link of a venue to a place on the map, whose picture visitors see. It holds for as long as the
 * address does: a floor may be added to it, and the venue be called as one likes. Another address is
 * another place, which must not show this one's picture; put back, it is linked again.
 */
export function usePlaceLink({ draft, field, change }: EventForm) {
  const [known, setKnown] = useState<LinkedPlace | null>(null)
  const placeId = draft['location.placeId']
  // The draft may bring another one: that of the event, or another editor's.
  const linked = placeId !== '' && placeId !== known?.['location.placeId'] ? draft : known
  if (linked !== known) setKnown(linked)

  return {
    /** Whether there is a link, or was one. */
    wasLinked: linked !== null,
    /** Takes the place that was found. */
    choose: (place: Place) => {
      const changes = {
        'location.placeId': place.placeId,
        'location.venueName': place.name,
        'location.venueAddress': place.address,
        'location.city': place.city,
        'location.state': place.state,
      }
      setKnown(changes)
      change(changes)
    },
    unlink: () => {
      setKnown(null)
      change({ 'location.placeId': '' })
    },
    /** A field of the whereabouts, which makes or ends the link as it is changed by hand. */
    field: (name: Whereabouts): ReturnType<EventForm['field']> => ({
      ...field(name),
      onChange: ({ target: { value } }) => {
        const next = { ...draft, [name]: value }
        const isSame =
          linked !== null && whereabouts.every((part) => holds(next[part], linked[part]))
        change({
          [name]: value,
          ...(linked && { 'location.placeId': isSame ? linked['location.placeId'] : '' }),
        })
      },
    }),
  }
}

/** Whether a text still says all that another one said. */
function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.trim().toLowerCase())
}
