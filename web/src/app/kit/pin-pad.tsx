import { Delete } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Field } from './field.tsx'
import { useWords } from './language.ts'
import { common } from './words.ts'

interface Props {
  value: string
  onChange: (pin: string) => void
  label?: string
  error?: string | undefined
  autoFocus?: boolean
}

const digitsMost = 6
const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

/** Large keys for a thumb; a keyboard types into the field itself. The phone's own keyboard stays closed. */
export const PinPad = ({ value, onChange, label, error, autoFocus = true }: Props) => {
  const t = useWords(common)
  const field = useRef<HTMLInputElement>(null)
  const type = (digit: string) => onChange((value + digit).slice(0, digitsMost))
  useEffect(() => {
    if (autoFocus) field.current?.focus()
  }, [autoFocus])
  return (
    <div className="pin">
      <Field label={label ?? t.pinAsk} hint={t.pinHint} error={error}>
        {(control) => (
          <input
            ref={field}
            className="control pin-field"
            {...control}
            type="password"
            name="pin"
            inputMode="none"
            // Browsers would offer to keep it.
            autoComplete="off"
            data-1p-ignore
            maxLength={digitsMost}
            value={value}
            onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, '').slice(0, digitsMost))}
          />
        )}
      </Field>
      <span className="sr-only" role="status">
        {t.digits(value.length)}
      </span>
      <div className="pin-keys">
        {keys.map((digit) => (
          <button key={digit} type="button" className="pin-key" onClick={() => type(digit)}>
            {digit}
          </button>
        ))}
        <span />
        <button type="button" className="pin-key" onClick={() => type('0')}>
          0
        </button>
        <button
          type="button"
          className="pin-key"
          aria-label={t.digitBack}
          onClick={() => onChange(value.slice(0, -1))}
        >
          <Delete aria-hidden="true" />
        </button>
      </div>
    </div>
  )
}

export const isPin = (text: string): boolean => /^\d{4,6}$/.test(text)
