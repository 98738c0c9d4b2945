import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import type { SaveSiteSettings, SiteSettings } from '../../api/types'
import { aSite } from '../../testing/factories'
import { renderComponent } from '../../testing/render'
import { aRevisionServer } from '../../testing/revision-server'
import { server } from '../../testing/session'
import { SettingsSection } from './settings-section'

const link = (label: string) => ({ label, url: `https://example.com/${label.toLowerCase()}` })

function someSettings(
  values: Partial<SiteSettings['values']> = {},
  more: Partial<SiteSettings> = {},
): SiteSettings {
  return {
    values: {
      name: 'EM Events',
      logoUrl: '',
      accentLight: '',
      accentDark: '',
      addressLines: ['1200 Market Street', 'Denver, CO'],
      phone: '(303) 555-0142',
      email: 'hello@example.com',
      whoWeAre: [link('About'), link('Team'), link('Press')],
      investments: [],
      discover: [],
      exploreMore: [],
      social: [],
      learnMoreUrl: 'https://example.com/',
      scheduleCallUrl: '',
      investorResourcesUrl: '',
      disclaimer: '',
      subscribeScriptUrl: '',
      subscribeContainerId: '',
      subscribeAttributes: { 'data-form': '1=2' },
      subscribeAllowedHosts: [],
      noticeText: '',
      noticeLinkLabel: '',
      noticeLinkUrl: '',
      noticeEndsAt: '2031-03-10T15:00:00Z',
      ...values,
    },
    locked: {},
    revision: 1,
    updatedAt: null,
    ...more,
  }
}

/** A fake API whose settings another admin can change; returns the bodies that it received. */
function aSettingsServer(first: SiteSettings) {
  const state = aRevisionServer<SiteSettings, SaveSiteSettings>(
    '/api/site-settings',
    first,
    'These settings were changed while you were editing them',
    ({ values: before, ...settings }, values) => ({
      ...settings,
      values: { ...before, ...values } as SiteSettings['values'],
    }),
  )
  server.use(http.get('/api/site-settings', () => HttpResponse.json(state.current)))
  return state
}

async function openForm() {
  const view = renderComponent(<SettingsSection site={aSite()} />, '/admin?tab=cms&company=1')
  const form = await screen.findByRole('form', { name: 'Edit Company' })
  const saveChanges = () =>
    view.user.click(within(form).getByRole('button', { name: 'Save Changes' }))
  return { ...view, form: within(form), saveChanges }
}

async function expectSaved() {
  await screen.findByText('Company settings updated successfully')
}

describe('the site settings', () => {
  it('are sent as they were loaded if nothing was changed', async () => {
    const state = aSettingsServer(someSettings())
    const { saveChanges } = await openForm()
    await saveChanges()
    await expectSaved()
    const { noticeEndsAt, ...sent } = state.sent[0] ?? {}
    const { noticeEndsAt: end, ...values } = someSettings().values
    expect(sent).toEqual({ ...values, revision: 1 })
    expect(Date.parse(noticeEndsAt ?? '')).toBe(Date.parse(end))
  })

  it('that the configuration sets are disabled, named, and not sent', async () => {
    const locked = { name: 'site.name', whoWeAre: 'site.footer.who_we_are' }
    const state = aSettingsServer(someSettings({ name: '' }, { locked }))
    const { form, saveChanges } = await openForm()
    const name = form.getByLabelText('Company name')
    expect(name).toBeDisabled()
    expect(name).toHaveAccessibleDescription(
      'Set by site.name in the configuration, which has precedence.',
    )
    expect(form.getByRole('button', { name: 'Add a link to Who We Are' })).toBeDisabled()
    await saveChanges()
    await expectSaved()
    expect(state.sent[0]).not.toHaveProperty('name')
    expect(state.sent[0]).not.toHaveProperty('whoWeAre')
  })

  it('show an error until it is corrected, and only after an attempt to save', async () => {
    aSettingsServer(someSettings())
    const { form, user, saveChanges } = await openForm()
    const phone = form.getByLabelText(/^Phone/)
    await user.clear(phone)
    await user.type(phone, '5'.repeat(51))
    expect(phone).toBeValid()
    await saveChanges()
    const message = 'Phone number must be 50 characters or less'
    expect(form.getByText(message)).toBeVisible()
    expect(phone).toHaveFocus()
    await user.type(phone, '5')
    expect(form.getByText(message)).toBeVisible()
    await user.type(phone, '{Backspace}{Backspace}')
    expect(form.queryByText(message)).not.toBeInTheDocument()
  })

  it('have lists of links in the order that the admin gives them', async () => {
    const state = aSettingsServer(someSettings())
    const { form, user, saveChanges } = await openForm()
    await user.click(form.getByRole('button', { name: 'Move up: Who We Are, link 3' }))
    expect(form.getByRole('button', { name: 'Move up: Who We Are, link 2' })).toHaveFocus()
    await user.click(form.getByRole('button', { name: 'Remove: Who We Are, link 1' }))
    await user.click(form.getByRole('button', { name: 'Add a link to Social media' }))
    await user.keyboard('Forum{Tab}https://example.com/forum')
    await saveChanges()
    await expectSaved()
    expect(state.sent[0]?.whoWeAre).toEqual([link('Press'), link('Team')])
    expect(state.sent[0]?.social).toEqual([link('Forum')])
  })

  it('are merged with those that another admin has saved in other fields', async () => {
    const state = aSettingsServer(someSettings())
    const { form, user, saveChanges } = await openForm()
    await user.type(form.getByLabelText('Company name'), ' Inc.')
    state.current = someSettings({ phone: '1' }, { revision: 2 })
    await saveChanges()
    await expectSaved()
    expect(state.current.values).toMatchObject({ name: 'EM Events Inc.', phone: '1' })
  })

  it('of two admins who changed the same field are shown, and one is chosen', async () => {
    const state = aSettingsServer(someSettings())
    const { form, user, saveChanges } = await openForm()
    await user.type(form.getByLabelText('Company name'), ' Inc.')
    await user.type(form.getByLabelText(/^Email/), '.au')
    state.current = someSettings({ name: 'Theirs', phone: '1' }, { revision: 2 })
    await saveChanges()
    const dialog = within(await screen.findByRole('dialog'))
    const name = within(dialog.getByRole('group', { name: 'Company name' }))
    expect(name.getByText('Theirs', { selector: 'span:not(:has(input))' })).toBeVisible()
    expect(name.getByText('EM Events Inc.')).toBeVisible()
    expect(dialog.queryByRole('group', { name: 'Email' })).not.toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Take All of Theirs' }))
    await user.click(dialog.getByRole('button', { name: 'Save This Version' }))
    await expectSaved()
    expect(state.current.values).toMatchObject({
      name: 'Theirs',
      phone: '1',
      email: 'hello@example.com.au',
    })
  })

  it('that could not be saved stay in the form, with the reason', async () => {
    aSettingsServer(someSettings())
    const { form, user, saveChanges } = await openForm()
    server.use(
      http.put('/api/site-settings', () =>
        HttpResponse.json({ error: 'The storage is full.' }, { status: 503 }),
      ),
    )
    await user.type(form.getByLabelText('Company name'), ' Inc.')
    await saveChanges()
    expect((await screen.findAllByText(/The storage is full\./))[0]).toBeVisible()
    expect(form.getByLabelText('Company name')).toHaveValue('EM Events Inc.')
  })

  it('are in the preview while they are typed, and not read aloud there', async () => {
    aSettingsServer(someSettings())
    const { form, user } = await openForm()
    await user.type(form.getByLabelText(/^Notice text/), 'We moved.')
    const preview = screen.getByTestId('site-preview')
    expect(within(preview).getByText('We moved.')).toBeInTheDocument()
    expect(preview).toHaveAttribute('inert')
    await user.type(form.getByLabelText(/^Accent color, light theme/), '#ff8800')
    expect(preview.style.getPropertyValue('--light-accent')).toBe('#ff8800')
  })

  it('that cannot be loaded can be requested again', async () => {
    server.use(http.get('/api/site-settings', () => HttpResponse.json({}, { status: 503 })))
    const { user } = renderComponent(<SettingsSection site={aSite()} />, '/admin?tab=cms&company=1')
    await screen.findByText('Failed to load the settings')
    aSettingsServer(someSettings())
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    await waitFor(() => {
      expect(screen.getByRole('form', { name: 'Edit Company' })).toBeVisible()
    })
  })
})
