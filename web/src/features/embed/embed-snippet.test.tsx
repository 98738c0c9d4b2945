import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderComponent } from '../../testing/render'
import { EmbedSnippet } from './embed-snippet'

const site = 'https://events.example.com'
const show = () => renderComponent(<EmbedSnippet baseUrl={site} />)
const code = () => screen.getByLabelText<HTMLTextAreaElement>('Code for the other site')
const copy = () => screen.getByRole('button', { name: 'Copy the code' })
const previewLink = () => screen.getByRole('link', { name: /^See how it looks/ })

describe('the embed code', () => {
  it('defaults to the month of all events in the visitor’s own theme', () => {
    show()
    expect(code()).toHaveValue(
      `<div data-lectern-embed></div>\n<script async src="${site}/embed.js"></script>`,
    )
    expect(code()).toHaveAttribute('readonly')
    expect(previewLink()).toHaveAttribute('href', `${site}/embed`)
  })

  it('updates the code and the preview with the options', async () => {
    const { user } = show()
    await user.selectOptions(screen.getByLabelText('Events'), 'IRA-Related Webinars')
    await user.selectOptions(screen.getByLabelText('Theme'), 'Dark')
    await user.selectOptions(screen.getByLabelText('View'), 'List')
    expect(code().value).toContain(
      '<div data-lectern-embed data-type="ira-related-webinars" data-theme="dark" data-view="list">',
    )
    expect(previewLink()).toHaveAttribute(
      'href',
      `${site}/embed?type=ira-related-webinars&theme=dark&view=list`,
    )

    await user.selectOptions(screen.getByLabelText('Events'), 'All Events')
    await user.selectOptions(screen.getByLabelText('Theme'), "The visitor's own")
    await user.selectOptions(screen.getByLabelText('View'), 'Month')
    expect(code().value).toContain('<div data-lectern-embed></div>')
  })

  it('selects the whole code on focus', async () => {
    const { user } = show()
    await user.click(code())
    expect(code().selectionStart).toBe(0)
    expect(code().selectionEnd).toBe(code().value.length)
  })
})

describe('copying it', () => {
  it('shows a confirmation until the code changes', async () => {
    const { user } = show()
    await user.click(copy())
    expect(await screen.findByText('Code copied')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(code().value)
    expect(copy()).toHaveFocus()

    await user.selectOptions(screen.getByLabelText('View'), 'Week')
    expect(screen.queryByText('Code copied')).not.toBeInTheDocument()
  })

  it('shows instructions if the browser denies clipboard access', async () => {
    const { user } = show()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await user.click(copy())
    const message = await screen.findByText('Select the code above and copy it.')
    expect(message).toBeVisible()
    expect(message).toHaveRole('status')
  })
})
