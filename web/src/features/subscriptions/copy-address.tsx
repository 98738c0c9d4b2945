import { useState } from 'react'
import { copyText } from '../../lib/copy-text'

interface CopyAddressProps {
  className: string | undefined
  address: string
}

/** Copies the calendar's address, and says so in its place; where it can't, it shows it. */
export function CopyAddress({ className, address }: CopyAddressProps) {
  const [said, setSaid] = useState('')
  return (
    <button
      type="button"
      className={className}
      onClick={() => {
        void copyText(address).then((isCopied) => {
          setSaid(isCopied ? 'Address copied' : address)
        })
      }}
    >
      <span hidden={said !== ''}>Copy the address</span>
      <span role="status">{said}</span>
    </button>
  )
}
