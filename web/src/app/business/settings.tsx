import { type FormEvent, useState } from 'react'
import { useAct } from '../kit/act.ts'
import { type Currency, currencyCodes } from '../kit/amount.tsx'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { ChoiceField, LongTextField, PasswordField, TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { ActNotice } from '../kit/notice.tsx'
import { say } from '../kit/toast.tsx'
import { client } from '../session.ts'
import type { Business } from './data.ts'
import { BusinessPage } from './frame.tsx'
import { keys as words } from './words-keys.ts'

export const Settings = () => {
  const t = useWords(words)
  return (
    <BusinessPage title={t.settings}>
      {(business) => (
        <div className="business-two">
          <Profile business={business} />
          <Safety business={business} />
        </div>
      )}
    </BusinessPage>
  )
}

const profileFields = ['website_url', 'ipn_url', 'callback_url', 'settlement_currency'] as const

const Profile = ({ business }: { business: Business }) => {
  const t = useWords(words)
  const [form, setForm] = useState({
    website_url: business.website_url,
    ipn_url: business.ipn_url ?? '',
    callback_url: business.callback_url ?? '',
    settlement_currency: business.settlement_currency,
  })
  const [password, setPassword] = useState('')
  const moves = hostOf(form.website_url) !== hostOf(business.website_url)
  const act = useAct({
    name: 'business-profile',
    run: ({ ipn_url, callback_url, ...rest }: typeof form & { password?: string }) =>
      client.merchant.change({ ...rest, ipn_url: orNull(ipn_url), callback_url: orNull(callback_url) }),
    onDone: () => {
      setPassword('')
      say(t.saved)
    },
  })
  const errorOf = (field: string) => (act.state === 'refused' ? fieldError(act.error, field) : undefined)
  const bind = (field: (typeof profileFields)[number]) => ({
    value: form[field],
    onChange: (value: string) => setForm({ ...form, [field]: value }),
    error: errorOf(field),
  })
  const address = { type: 'url', inputMode: 'url', autoCapitalize: 'none', spellCheck: false } as const
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act.submit(moves ? { ...form, password } : form)
  }
  return (
    <section aria-labelledby="profile">
      <h2 id="profile" className="section-title">
        {t.profile}
      </h2>
      <form className="form" onSubmit={submit}>
        <TextField label={t.website} hint={t.websiteHint} {...bind('website_url')} {...address} required />
        <TextField label={t.ipn} hint={t.ipnHint} {...bind('ipn_url')} {...address} optional />
        <TextField label={t.callback} hint={t.callbackHint} {...bind('callback_url')} {...address} optional />
        <ChoiceField
          label={t.currency}
          value={form.settlement_currency as Currency}
          onChange={(value) => setForm({ ...form, settlement_currency: value })}
          options={currencyCodes.map((code) => ({ value: code, text: code }))}
        />
        {moves && (
          <PasswordField
            label={t.yourPassword}
            error={errorOf('password')}
            value={password}
            onChange={setPassword}
            autoComplete="current-password"
            required
          />
        )}
        <ActNotice act={act} fields={moves ? [...profileFields, 'password'] : profileFields} />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {t.save}
        </Button>
      </form>
    </section>
  )
}

/** Customers are sent back to this host: another one needs the password. Not by `URL.parse`, which is new in browsers. */
function hostOf(address: string): string | undefined {
  try {
    return new URL(address).hostname.replace(/^www\.(?=[^.]+\.)/, '')
  } catch {
    return undefined
  }
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** Where money's messengers may come from and go to: with the password. */
const Safety = ({ business }: { business: Business }) => {
  const t = useWords(words)
  const [hosts, setHosts] = useState(business.redirect_hosts.join('\n'))
  const [addresses, setAddresses] = useState(business.allowed_addresses.join('\n'))
  const [password, setPassword] = useState('')
  const act = useAct({
    name: 'business-safety',
    run: (order: { redirect_hosts: string[]; allowed_addresses: string[]; password: string }) =>
      client.merchant.change(order),
    onDone: () => {
      setPassword('')
      say(t.saved)
    },
  })
  const errorOf = (field: string) =>
    act.state === 'refused' ? (fieldError(act.error, field) ?? listError(act.error, field)) : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act.submit({ redirect_hosts: linesOf(hosts), allowed_addresses: linesOf(addresses), password })
  }
  return (
    <section aria-labelledby="safety">
      <h2 id="safety" className="section-title">
        {t.safety}
      </h2>
      <form className="form" onSubmit={submit}>
        <LongTextField
          label={t.hosts}
          hint={t.hostsHint}
          error={errorOf('redirect_hosts')}
          value={hosts}
          onChange={setHosts}
          rows={3}
          optional
        />
        <LongTextField
          label={t.addresses}
          hint={t.addressesHint}
          error={errorOf('allowed_addresses')}
          value={addresses}
          onChange={setAddresses}
          rows={3}
          optional
        />
        <PasswordField
          label={t.yourPassword}
          error={errorOf('password')}
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          required
        />
        <ActNotice act={act} fields={saidFields(act.error)} />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {t.save}
        </Button>
      </form>
    </section>
  )
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

const errorsIn = (error: unknown): Record<string, string> =>
  (error as { errors?: Record<string, string> } | undefined)?.errors ?? {}

/** Of one line of a list: `redirect_hosts.1`. */
const listError = (error: unknown, field: string): string | undefined =>
  Object.entries(errorsIn(error)).find(([name]) => name.startsWith(`${field}.`))?.[1]

/** Those that stand beside their field. */
const saidFields = (error: unknown): string[] =>
  Object.keys(errorsIn(error)).filter((name) => /^(?:redirect_hosts|allowed_addresses|password)\b/.test(name))
