// By which provider money comes in or leaves, and what it needs to know. A phone number tells the probable provider.
import { CreditCard, Landmark, Smartphone, Wallet as WalletIcon } from 'lucide-react'
import type { Currency } from '../kit/amount.tsx'
import { TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded } from '../kit/loaded.tsx'
import { useUser } from '../session.ts'
import { type Method, useMethods } from './data.ts'
import { funding } from './funding-words.ts'
import { phoneExample, readPhone } from './phones.ts'

export interface MethodForm extends Record<string, string> {
  amount: string
  currency: string
  /** Empty: the one that fits the phone. */
  method: string
  phone: string
  email: string
  account: string
}

export type Provider = Exclude<Method['id'], 'wallet'>
export type Purpose = 'deposit' | 'withdrawal'

/** The chosen one; else that of the phone number; else the first, which is healthy. */
export function methodOf(form: MethodForm, methods: readonly Method[] | undefined): Method | undefined {
  const phone = readPhone(form.phone, form.currency as Currency)
  const guessed = methods?.find(({ prefixes }) => prefixes.some((prefix) => phone.startsWith(prefix)))
  return methods?.find(({ id }) => id === form.method) ?? guessed ?? methods?.[0]
}

/** What the method needs, as requests take it; problems by field. */
export function useMethodFields(
  form: MethodForm,
  purpose: Purpose,
): {
  method: Method | undefined
  given: { phone?: string; email?: string; account?: string }
  problems: Problems
} {
  const t = useWords(funding)
  const methods = useMethods(form.currency as Currency, purpose)
  const method = methodOf(form, methods.data)
  const needs = (field: 'phone' | 'email' | 'account') => method?.fields.includes(field) === true
  const phone = readPhone(form.phone, form.currency as Currency)
  const [email, account] = [form.email.trim(), form.account.trim()]
  const problems: Problems = {
    ...(needs('phone') && !/^\+[1-9]\d{6,14}$/.test(phone) ? { phone: t.needPhone } : {}),
    ...(needs('email') && !email.includes('@') ? { email: t.needEmail } : {}),
    ...(needs('account') && account === '' ? { account: t.needAccount } : {}),
  }
  return {
    method,
    given: {
      ...(needs('phone') ? { phone } : {}),
      ...(needs('email') ? { email } : {}),
      ...(needs('account') ? { account } : {}),
    },
    problems,
  }
}

export type Problems = Partial<Record<'phone' | 'email' | 'account', string>>

interface Props {
  form: MethodForm
  change: (part: Partial<MethodForm>) => void
  purpose: Purpose
  errorOf: (field: string) => string | undefined
}

export const MethodFields = ({ form, change, purpose, errorOf }: Props) => {
  const t = useWords(funding)
  const currency = form.currency as Currency
  const methods = useMethods(currency, purpose)
  const { method } = useMethodFields(form, purpose)
  return (
    <Loaded query={methods} skeleton={<span className="bone h-32 w-full" />}>
      {(found) =>
        method === undefined ? (
          <Empty title={t.noMethods(currency)}>{t.noMethodsText}</Empty>
        ) : (
          <>
            <Choice methods={found} chosen={method} onChoose={(id) => change({ method: id })} />
            {errorOf('method') !== undefined && (
              <p className="field-error" role="alert">
                {errorOf('method')}
              </p>
            )}
            <Needs {...{ form, change, purpose, errorOf, method }} />
          </>
        )
      }
    </Loaded>
  )
}

const icons = { mobile_money: Smartphone, card: CreditCard, bank: Landmark, wallet: WalletIcon }

interface ChoiceProps {
  methods: readonly Method[]
  chosen: Method
  onChoose: (id: string) => void
}

const Choice = ({ methods, chosen, onChoose }: ChoiceProps) => {
  const t = useWords(funding)
  return (
    <fieldset className="people-methods">
      <legend className="field-label">{t.method}</legend>
      {methods.map(({ id, name, kind, health }) => {
        const Icon = icons[kind]
        return (
          <label key={id} className="people-method">
            <input type="radio" name="method" checked={chosen.id === id} onChange={() => onChoose(id)} />
            <Icon aria-hidden="true" />
            <span>
              <strong>{kind === 'mobile_money' ? name : t.kinds[kind]}</strong>
              <span className="people-method-kind">
                {[kind === 'mobile_money' ? t.kinds[kind] : '', t.health[health]].filter(Boolean).join(' · ')}
              </span>
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

const Needs = ({ form, change, purpose, errorOf, method }: Props & { method: Method }) => {
  const t = useWords(funding)
  const example = phoneExample(form.currency as Currency)
  return (
    <>
      {method.fields.includes('phone') && (
        <TextField
          label={t.phone}
          hint={purpose === 'deposit' ? t.phonePays(example) : t.phoneGets(example)}
          error={errorOf('phone')}
          value={form.phone}
          onChange={(phone) => change({ phone })}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
        />
      )}
      {method.fields.includes('email') && (
        <TextField
          label={t.email}
          hint={t.emailHint}
          error={errorOf('email')}
          value={form.email}
          onChange={(email) => change({ email })}
          type="email"
          autoComplete="email"
        />
      )}
      {method.fields.includes('account') && (
        <TextField
          label={t.account}
          hint={t.accountHint}
          error={errorOf('account')}
          value={form.account}
          onChange={(account) => change({ account })}
          autoComplete="off"
          autoCapitalize="none"
        />
      )}
    </>
  )
}

/** With what is known of the person. */
export function useBlankMethodForm(): MethodForm {
  const { default_currency: currency, phone, email } = useUser()
  return { amount: '', currency, method: '', phone: phone ?? '', email: email ?? '', account: '' }
}
