import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { showError } from '../../components/ui/toast-store'
import { type FoundPlace, foundPlaceOf, placeFields } from './found-place'
import {
  loadPlaces,
  type PlaceSelectEvent,
  type PlacesLibrary,
  ScriptLoadError,
} from './maps-script'
import styles from './venue-search.module.css'

interface VenueSearchProps {
  /** The provider's key for browsers. */
  mapsKey: string
  onPlace: (place: FoundPlace) => void
}

const failed = 'Failed to load location search. Please try again or enter location manually.'
const label = 'Find a venue'

/**
 * The provider's search field for establishments in the United States (spec §5, "Venue search").
 * If it fails to load, the venue is entered in the fields below.
 */
export function VenueSearch({ mapsKey, onPlace }: VenueSearchProps) {
  const labelId = useId()
  const container = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')

  const choose = useEffectEvent(async (event: Event) => {
    const place = (event as PlaceSelectEvent).placePrediction.toPlace()
    try {
      await place.fetchFields({ fields: placeFields })
      onPlace(foundPlaceOf(place))
    } catch (cause) {
      console.warn('Failed to fetch the chosen place', cause)
      showError(failed)
    }
  })

  useEffect(() => {
    const element = container.current
    let isGone = false
    const show = ({ PlaceAutocompleteElement }: PlacesLibrary) => {
      if (isGone) return
      const search = new PlaceAutocompleteElement({
        includedRegionCodes: ['us'],
        includedPrimaryTypes: ['establishment'],
      })
      search.setAttribute('placeholder', 'Name or address')
      search.setAttribute('description', label)
      search.addEventListener('gmp-select', (event) => void choose(event))
      // Enter chooses a place; it must not submit the form.
      search.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') event.preventDefault()
      })
      element?.append(search)
      setState('ready')
    }
    loadPlaces(mapsKey)
      .then(show)
      .catch((cause: unknown) => {
        if (isGone) return
        setState('failed')
        // Spec §8: only a script that failed to load is shown to the admin.
        if (cause instanceof ScriptLoadError) {
          showError(failed)
        } else {
          console.warn('The location search could not be started', cause)
        }
      })
    return () => {
      isGone = true
      element?.replaceChildren()
    }
  }, [mapsKey])

  return (
    <div className={styles.root} role="group" aria-labelledby={labelId} hidden={state === 'failed'}>
      <span className={styles.label} id={labelId}>
        {label}
      </span>
      <div ref={container} className={styles.host} aria-busy={state === 'loading'} />
    </div>
  )
}
