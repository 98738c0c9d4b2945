import { useState } from 'react'
import { copyText } from '../../lib/copy-text'

interface CopyAddressProps {
  className: string | undefined
  address: string
}

/** Copies the calendar's address and confirms it; if it can't, it shows the address. */
export function CopyAddress({ className, address }: CopyAddressProps) {
  const [status, setStatus] = useState('')
  return (
    <button
      type="button"
      className={className}
      onClick={() => {
        void copyText(address).then((isCopied) => {
          setStatus(isCopied ? 'Address copied' : address)
        })
      }}
    >
      <span hidden={status !== ''}>Copy the address</span>
      <span role="status">{status}</span>
    </button>
  )
}
