import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CalendarEvent } from '../../../api/types'
import { aVenue, anEvent, anInPersonEvent, aSpeaker } from '../../../testing/factories'
import { renderComponent } from '../../../testing/render'
import { NextEventCard } from './next-event-card'

const showCard = (event: CalendarEvent) =>
  renderComponent(
    <NextEventCard
      baseUrl="https://events.example.com"
      event={event}
      renderInterest={(closedBy) => (
        <button disabled={closedBy !== undefined} aria-describedby={closedBy}>
          Planning to Attend
        </button>
      )}
    />,
  )

const fact = (name: string) => screen.getByText(name).closest('div')

describe('the Next Event card of an online event', () => {
  it('is a region called Next Event with title, type and description', () => {
    showCard(anEvent())
    const card = within(screen.getByRole('region', { name: 'Next Event' }))
    expect(card.getByRole('heading', { name: 'Reading an operating agreement' })).toBeVisible()
    expect(card.getByText('Pillars of Wealthbuilding')).toBeVisible()
    expect(card.getByText('Line by line.')).toBeVisible()
  })

  it('shows date, time and the time in the other zone', () => {
    showCard(anEvent())
    expect(fact('Date')).toHaveTextContent('March 10, 2099')
    expect(fact('Time')).toHaveTextContent('8:00 PM ET')
    expect(fact('Time')).toHaveTextContent('5:00 PM PT')
  })

  it('shows both ET and PT for other zones', () => {
    showCard(anEvent({ timezone: 'America/Chicago' }))
    expect(fact('Time')).toHaveTextContent('8:00 PM CT for 60 minutes9:00 PM ET / 6:00 PM PT')
  })

  it('links to the registration in a new tab', () => {
    showCard(anEvent())
    const link = screen.getByRole('link', { name: 'Register Now (opens in a new tab)' })
    expect(link).toHaveAttribute('href', 'https://example.com/register')
    expect(link).toHaveAttribute('target', '_blank')
  })

  it('has neither interest nor directions', () => {
    showCard(anEvent())
    expect(screen.queryByRole('button')).not.toBeInTheDocument()
    expect(screen.queryByText('Where')).not.toBeInTheDocument()
  })
})

describe('the Next Event card of an in-person event', () => {
  it('shows only its own time', () => {
    showCard(anInPersonEvent())
    expect(fact('Time')).toHaveTextContent(/^Time5:30 PM MT for 60 minutes$/)
  })

  it('shows venue, address, city and state', () => {
    showCard(anInPersonEvent())
    expect(fact('Where')).toHaveTextContent(
      'The Arcadia House4400 North 64th StreetScottsdale, AZ',
    )
  })

  it('omits city and state if the address contains the city', () => {
    const venueAddress = '4400 N 64th St, SCOTTSDALE, AZ 85251'
    showCard(anInPersonEvent({ location: aVenue({ venueAddress }) }))
    expect(fact('Where')).toHaveTextContent(venueAddress)
    expect(screen.queryByText('Scottsdale, AZ')).not.toBeInTheDocument()
  })

  it('shows a name of 30 and an address of 40 characters in full', () => {
    const location = aVenue({ venueName: 'n'.repeat(30), venueAddress: 'a'.repeat(40) })
    showCard(anInPersonEvent({ location }))
    expect(screen.getByText('n'.repeat(30))).toBeVisible()
    expect(screen.getByText('a'.repeat(40))).toBeVisible()
  })

  it('cuts longer ones and shows them in full on hover and focus, until Escape', async () => {
    const venueName = 'The Arcadia House at Camelback Park and Gardens'
    const { user } = showCard(anInPersonEvent({ location: aVenue({ venueName }) }))
    const cut = screen.getByRole('button', { name: venueName })
    expect(cut).toHaveTextContent('The Arcadia House at Camelback…')

    await user.hover(cut)
    expect(screen.getByRole('tooltip', { hidden: true })).toHaveTextContent(venueName)
    await user.unhover(cut)
    expect(screen.queryByRole('tooltip', { hidden: true })).not.toBeInTheDocument()

    await user.tab()
    expect(cut).toHaveFocus()
    expect(screen.getByRole('tooltip', { hidden: true })).toBeVisible()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('tooltip', { hidden: true })).not.toBeInTheDocument()
  })

  it('has the interest toggle instead of a registration link', () => {
    showCard(anInPersonEvent())
    expect(screen.getByRole('button', { name: 'Planning to Attend' })).toBeVisible()
    expect(screen.queryByRole('link', { name: /Register/ })).not.toBeInTheDocument()
  })

  it('opens both maps from one button', async () => {
    const { user, container } = showCard(anInPersonEvent())
    const maps = container.querySelector('details')
    expect(maps).not.toHaveAttribute('open')
    await user.click(screen.getByText('Open in Maps'))
    expect(maps).toHaveAttribute('open')
    const query = 'The%20Arcadia%20House%2C%20Scottsdale%2C%20AZ'
    const links = [...(maps?.querySelectorAll('a') ?? [])]
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      [
        'Open in Google Maps (opens in a new tab)',
        `https://www.google.com/maps/search/?api=1&query=${query}`,
      ],
      ['Open in Apple Maps (opens in a new tab)', `https://maps.apple.com/?q=${query}`],
    ])
  })

  it('has no venue and no directions without a location', () => {
    showCard(anInPersonEvent({ location: null }))
    expect(screen.queryByText('Where')).not.toBeInTheDocument()
    expect(screen.queryByText('Open in Maps')).not.toBeInTheDocument()
  })
})

describe('the time of an event', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const at = (now: string, event: CalendarEvent) => {
    vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] })
    return showCard(event)
  }

  it.each([
    ['2099-03-10T23:59:00Z', null, false],
    ['2099-03-11T00:00:00Z', 'Live now', false],
    ['2099-03-11T00:59:00Z', 'Live now', false],
    ['2099-03-11T01:00:00Z', 'This event is over.', true],
  ])('decides what the card of an in-person event says: %s', (now, text, isOver) => {
    at(now, anInPersonEvent({ time: '18:00', date: '2099-03-10' }))
    for (const each of ['Live now', 'This event is over.']) {
      expect(screen.queryAllByText(each)).toHaveLength(each === text ? 1 : 0)
    }
    expect(screen.getByRole('button', { name: 'Planning to Attend' }).matches(':disabled')).toBe(isOver)
    expect(screen.queryAllByText('Add to Calendar')).toHaveLength(isOver ? 0 : 1)
  })

  it('leaves the link of a past webinar, which may lead to a recording', () => {
    at('2099-03-11T02:00:00Z', anEvent())
    expect(screen.getByRole('link', { name: /^Register Now/ })).toBeVisible()
    expect(
      screen.getByText('This event is over. The link may lead to a recording.'),
    ).toBeVisible()
  })

  it('names the day of another zone if it is another day', () => {
    showCard(anEvent({ time: '01:30' }))
    expect(fact('Time')).toHaveTextContent('1:30 AM ET for 60 minutesMarch 9 at 10:30 PM PT')
  })
})

describe('the speakers', () => {
  const speakers = (count: number) =>
    Array.from({ length: count }, (_, index) => aSpeaker({ name: `First${index} Last${index}` }))

  it('have name, title and initials', () => {
    showCard(anEvent({}, [aSpeaker({ name: 'Dr. Nikhil Patel', title: 'Anesthesiologist' })]))
    const [speaker] = screen.getAllByRole('listitem')
    expect(speaker).toHaveTextContent('NPDr. Nikhil PatelAnesthesiologist')
  })

  it('are all shown up to six', () => {
    showCard(anEvent({}, speakers(6)))
    expect(screen.getAllByRole('listitem')).toHaveLength(6)
    expect(screen.getByText('First5 Last5')).toBeVisible()
  })

  it('are limited to five and a count from seven on', () => {
    showCard(anEvent({}, speakers(7)))
    const items = screen.getAllByRole('listitem')
    expect(items).toHaveLength(6)
    expect(items.at(-1)).toHaveTextContent('+2and First5 Last5, First6 Last6')
  })

  it('render no empty list', () => {
    showCard(anEvent({}, []))
    expect(screen.queryByRole('list')).not.toBeInTheDocument()
  })
})
