import { expect, it } from 'vitest'
import { noteFocus } from './keep-focus'

const page = '<a href="/a">Go</a><a href="/a">Go</a><button>Share</button>'

function served() {
  document.body.innerHTML = `<div id="root">${page}</div>`
  const root = document.getElementById('root')
  if (!root) throw new Error('there is no root')
  return root
}

const part = (index: number) => document.querySelectorAll<HTMLElement>('#root > *')[index]

it('focuses the likeness of what a visitor had reached', () => {
  for (const index of [0, 1, 2]) {
    const root = served()
    const giveBack = noteFocus(root)
    part(index)?.focus()
    root.innerHTML = page
    giveBack()
    expect(part(index)).toHaveFocus()
  }
})

it('knows what was focused before it began to look', () => {
  const root = served()
  part(1)?.focus()
  const giveBack = noteFocus(root)
  root.innerHTML = page
  giveBack()
  expect(part(1)).toHaveFocus()
})

it('leaves alone who left it, or is elsewhere by then', async () => {
  const root = served()
  const giveBack = noteFocus(root)
  part(0)?.focus()
  part(0)?.blur()
  await Promise.resolve()
  root.innerHTML = page
  giveBack()
  expect(document.body).toHaveFocus()

  const other = served()
  document.body.append(document.createElement('input'))
  const giveBackToo = noteFocus(other)
  part(0)?.focus()
  other.innerHTML = page
  document.querySelector('input')?.focus()
  giveBackToo()
  expect(document.querySelector('input')).toHaveFocus()
})

it('does without where there is nothing like it', () => {
  const root = served()
  const giveBack = noteFocus(root)
  part(2)?.focus()
  root.innerHTML = '<button>Send</button>'
  giveBack()
  expect(document.body).toHaveFocus()
})
