import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CalendarEvent } from '../../../api/types'
import { anEvent, anInPersonEvent } from '../../../testing/factories'
import { renderComponent } from '../../../testing/render'
import { EventPage } from './event-page'

const baseUrl = 'https://events.example.com'

function openPage(event: CalendarEvent) {
  renderComponent(
    <EventPage
      event={event}
      baseUrl={baseUrl}
      renderInterest={(closedBy) => (
        <button disabled={closedBy !== undefined} aria-describedby={closedBy}>
          Planning to Attend
        </button>
      )}
      back={null}
    />,
  )
}
const past = { date: '2021-03-10', startsAt: '2021-03-11T01:00:00Z' }
const register = () => screen.queryByRole('link', { name: /^Register Now/ })
const recording = () => screen.queryByRole('link', { name: /^Watch the recording/ })

describe('the page of an event', () => {
  it.each([
    ['cancelled', 'Cancelled', 'This event is cancelled.'],
    ['postponed', 'Postponed', 'This event is postponed.'],
  ] as const)('says that it is %s and closes registration', (status, badge, note) => {
    openPage(anEvent({ status }))
    expect(screen.getByText(badge)).toBeVisible()
    expect(screen.getByText(note)).toBeVisible()
    expect(register()).not.toBeInTheDocument()
    expect(screen.queryByText('Add to Calendar')).not.toBeInTheDocument()
  })

  it('closes the attendance of a cancelled in-person event', () => {
    openPage(anInPersonEvent({ status: 'cancelled' }))
    const button = screen.getByRole('button', { name: 'Planning to Attend' })
    expect(button).toBeDisabled()
    expect(button).toHaveAccessibleDescription('This event is cancelled.')
  })

  it('has no badge and an open registration otherwise', () => {
    openPage(anEvent())
    expect(register()).toBeVisible()
    expect(screen.queryByText(/cancelled|postponed/i)).not.toBeInTheDocument()
  })

  it('offers the recording beside the registration after the event only', () => {
    const recordingUrl = 'https://video.example.com/1'
    openPage(anEvent({ ...past, recordingUrl }))
    expect(recording()).toHaveAttribute('href', recordingUrl)
    expect(register()).toBeVisible()
    expect(screen.getByText('This event is over.')).toBeVisible()
  })

  it('has no recording before the event', () => {
    openPage(anEvent({ recordingUrl: 'https://video.example.com/1' }))
    expect(recording()).not.toBeInTheDocument()
  })

  it('of a draft without a link has no registration', () => {
    openPage(anEvent({ registrationUrl: '' }))
    expect(screen.queryByText(/Register Now/)).not.toBeInTheDocument()
  })

  it('of a draft without a date says that it will be announced', () => {
    openPage(anEvent({ date: '', time: '', startsAt: '' }))
    expect(screen.getByText('To be announced')).toBeVisible()
    expect(screen.queryByText('Add to Calendar')).not.toBeInTheDocument()
  })
})
