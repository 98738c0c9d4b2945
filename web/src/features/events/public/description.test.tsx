import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderComponent } from '../../../testing/render'
import { LinkedText, partsOf } from './description'

const urls = (text: string) => partsOf(text).filter((_, index) => index % 2 === 1)

describe('LinkedText', () => {
  it('makes links of web URLs and leaves the rest as text', () => {
    const { container } = renderComponent(
      <p>
        <LinkedText text={'Slides: https://example.com/a?b=1&c=2#d. See you.'} />
      </p>,
    )
    const link = screen.getByRole('link')
    expect(link).toHaveAttribute('href', 'https://example.com/a?b=1&c=2#d')
    expect(link).toHaveAttribute('rel', 'noopener nofollow ugc')
    expect(link).toHaveAttribute('target', '_blank')
    expect(container.querySelector('p')).toHaveTextContent(
      'Slides: https://example.com/a?b=1&c=2#d (opens in a new tab). See you.',
    )
  })

  it.each([
    ['(https://example.com/a)', 'https://example.com/a'],
    ['https://en.wikipedia.org/wiki/Cap_(rate).', 'https://en.wikipedia.org/wiki/Cap_(rate)'],
    ['“https://example.com”, he said', 'https://example.com'],
    ['<https://example.com/>', 'https://example.com/'],
    ['Really https://example.com/?!', 'https://example.com/'],
    ['[https://example.com/a]: a', 'https://example.com/a'],
    ['HTTP://EXAMPLE.COM/a', 'HTTP://EXAMPLE.COM/a'],
    ['https://münchen.example/straße', 'https://münchen.example/straße'],
    ['http://[2001:db8::1]:8080/', 'http://[2001:db8::1]:8080/'],
    ['see www.example.com/a?b#c.', 'www.example.com/a?b#c'],
    ['(WWW.Example.com)', 'WWW.Example.com'],
    ['https://www.example.com', 'https://www.example.com'],
  ])('ends a URL before the punctuation of the sentence: %s', (text, url) => {
    expect(urls(text)).toEqual([url])
    expect(partsOf(text).join('')).toBe(text)
  })

  it.each([
    'javascript:alert(1)',
    'ftp://example.com',
    'example.com',
    'xhttps://example.com',
    'https://',
    'https:// example.com',
    'https://.',
    'www.example',
    'www..example.com',
    'ftp://www.example.com',
    'mail@www.example.com',
    'my.www.example.com',
    'mailto:a@example.com',
  ])('leaves other text alone: %s', (text) => {
    expect(urls(text)).toEqual([])
  })

  it('links a URL without a scheme to its https URL', () => {
    renderComponent(
      <p>
        <LinkedText text="More at www.example.com." />
      </p>,
    )
    const link = screen.getByRole('link', { name: /^www\.example\.com/ })
    expect(link).toHaveAttribute('href', 'https://www.example.com')
    expect(link).toHaveAttribute('rel', 'noopener nofollow ugc')
  })

  it('finds several URLs', () => {
    const text = 'https://a.example, https://b.example\nhttps://c.example'
    expect(urls(text)).toEqual(['https://a.example', 'https://b.example', 'https://c.example'])
  })
})
