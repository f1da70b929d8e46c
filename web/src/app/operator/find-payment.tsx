import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { ConsolePage } from './frame.tsx'

export const FindPayment = () => {
  const [, go] = useLocation()
  const [reference, setReference] = useState('')
  return (
    <ConsolePage title="Payments">
      <p className="mb-4 text-soft">
        Of any business or campaign. All payments of a business are on its own page.
      </p>
      <form
        className="console-filters"
        onSubmit={(event) => {
          event.preventDefault()
          go(`/operator/payments/${encodeURIComponent(reference.trim())}`)
        }}
      >
        <TextField
          label="Find by reference"
          hint="PY-…, as the customer or the shop has it"
          value={reference}
          onChange={setReference}
          maxLength={40}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          required
        />
        <Button type="submit" className="console-search">
          Find
        </Button>
      </form>
    </ConsolePage>
  )
}
