// Fields of forms: a label, the control, and below it a hint or what is wrong, read together by a screen reader.
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react'
import { type Currency, currencyCodes } from './amount.tsx'
import { useWords } from './language.ts'
import { common } from './words.ts'

export interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  optional?: boolean
  /** Only for screen readers, where the place makes clear what it is. */
  hiddenLabel?: boolean
}

interface Described {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** For controls of another kind; the ones below use it too. */
export const Field = ({
  label,
  hint,
  error,
  optional = false,
  hiddenLabel = false,
  children,
}: FieldProps & { children: (control: Described) => ReactNode }) => {
  const id = useId()
  const t = useWords(common)
  const about = error !== undefined ? `${id}-error` : hint !== undefined ? `${id}-hint` : undefined
  return (
    <div className="field">
      <label className={hiddenLabel ? 'sr-only' : 'field-label'} htmlFor={id}>
        {label}
        {optional && <span className="field-optional"> ({t.optional})</span>}
      </label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': error === undefined ? undefined : true })}
      {error !== undefined ? (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p className="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}

type Without<T> = Omit<T, 'onChange' | 'value' | 'id'>

interface TextProps extends FieldProps, Without<InputHTMLAttributes<HTMLInputElement>> {
  value: string
  onChange: (value: string) => void
}

export const TextField = ({ label, hint, error, optional, hiddenLabel, onChange, ...input }: TextProps) => (
  <Field {...fieldOf({ label, hint, error, optional, hiddenLabel })}>
    {(control) => (
      <input
        className="control"
        type="text"
        {...input}
        {...control}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)

/** With a button that shows what was typed: shared phones have small keys. */
export const PasswordField = ({
  label,
  hint,
  error,
  optional,
  hiddenLabel,
  onChange,
  ...input
}: TextProps) => {
  const [shown, show] = useState(false)
  const t = useWords(common)
  return (
    <Field {...fieldOf({ label, hint, error, optional, hiddenLabel })}>
      {(control) => (
        <div className="control-row">
          <input
            className="control"
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => onChange(event.target.value)}
          />
          <button type="button" className="control-side" aria-pressed={shown} onClick={() => show(!shown)}>
            {shown ? t.hide : t.show}
          </button>
        </div>
      )}
    </Field>
  )
}

interface LongTextProps extends FieldProps, Without<TextareaHTMLAttributes<HTMLTextAreaElement>> {
  value: string
  onChange: (value: string) => void
}

export const LongTextField = ({
  label,
  hint,
  error,
  optional,
  hiddenLabel,
  onChange,
  ...input
}: LongTextProps) => (
  <Field {...fieldOf({ label, hint, error, optional, hiddenLabel })}>
    {(control) => (
      <textarea
        className="control control-long"
        rows={4}
        {...input}
        {...control}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)

interface ChoiceProps<T extends string> extends FieldProps, Without<SelectHTMLAttributes<HTMLSelectElement>> {
  value: T
  onChange: (value: T) => void
  options: readonly { value: T; text: string }[]
}

export const ChoiceField = <T extends string>({
  label,
  hint,
  error,
  optional,
  hiddenLabel,
  onChange,
  options,
  ...select
}: ChoiceProps<T>) => (
  <Field {...fieldOf({ label, hint, error, optional, hiddenLabel })}>
    {(control) => (
      <select
        className="control"
        {...select}
        {...control}
        onChange={(event) => onChange(event.target.value as T)}
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

interface AmountProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  currency: Currency
  /** Absent: the currency can't be chosen here. */
  onCurrency?: ((currency: Currency) => void) | undefined
  /** Default: all. */
  currencies?: readonly Currency[] | undefined
  autoFocus?: boolean
}

/** The currency before the number, as amounts are written everywhere. Read it with `readAmount`. */
export const AmountField = ({ value, onChange, currency, onCurrency, currencies, ...props }: AmountProps) => {
  const { autoFocus = false, ...rest } = props
  const t = useWords(common)
  return (
    <Field {...rest}>
      {(control) => (
        <div className="control-row amount-row">
          {onCurrency === undefined ? (
            <span className="amount-currency">{currency}</span>
          ) : (
            <select
              className="amount-currency"
              aria-label={t.currency}
              value={currency}
              onChange={(event) => onCurrency(event.target.value as Currency)}
            >
              {(currencies ?? currencyCodes).map((code) => (
                <option key={code}>{code}</option>
              ))}
            </select>
          )}
          <input
            className="control control-amount"
            {...control}
            inputMode="decimal"
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: only where the amount is the one thing the page asks for.
            autoFocus={autoFocus}
            maxLength={20}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
    </Field>
  )
}

interface CheckProps {
  label: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: ReactNode
}

export const CheckField = ({ label, checked, onChange, hint }: CheckProps) => {
  const id = useId()
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <p className="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

/** Without the ones that are not set: `exactOptionalPropertyTypes` tells apart what is absent and what is undefined. */
const fieldOf = (props: { [K in keyof FieldProps]: FieldProps[K] | undefined }): FieldProps =>
  Object.fromEntries(
    Object.entries(props).filter(([, value]) => value !== undefined),
  ) as unknown as FieldProps
