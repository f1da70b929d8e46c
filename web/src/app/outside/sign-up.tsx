import { type FormEvent, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { ChoiceField, PasswordField, TextField } from '../kit/field.tsx'
import { currentLanguage, useLanguage, useWords } from '../kit/language.ts'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { client, enter, signIn } from '../session.ts'
import { homeCountries, nameOfCountry } from './countries.ts'
import { OutsideFrame } from './frame.tsx'
import { outside } from './words.ts'

const fields = ['name', 'phone', 'email', 'handle', 'country', 'password', 'pin'] as const
type Form = Record<(typeof fields)[number], string>

const blank: Form = { name: '', phone: '', email: '', handle: '', country: 'UG', password: '', pin: '' }

export const SignUp = () => {
  const t = useWords(outside)
  const [search] = useSearchParams()
  const [form, setForm] = useState(blank)
  const [needsOne, setNeedsOne] = useState(false)
  const act = useAct({
    name: 'sign-up',
    run: (order: Form) => signIn(() => client.register(bodyOf(order))),
    onDone: enter,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isReachable = form.phone.trim() !== '' || form.email.trim() !== ''
    setNeedsOne(!isReachable)
    if (isReachable) void act.submit(form)
  }
  const bind: Bind = (field) => ({
    value: form[field],
    onChange: (value) => setForm({ ...form, [field]: value }),
    error: act.state === 'refused' ? fieldError(act.error, field) : undefined,
  })
  return (
    <OutsideFrame title={t.signUp}>
      <p className="text-soft">{t.signUpText}</p>
      <form className="form" onSubmit={submit}>
        <ActNotice act={act} fields={fields} />
        {needsOne && <Notice kind="problem">{t.needOne}</Notice>}
        <Fields bind={bind} hasPhone={form.phone !== ''} />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {t.signUp}
        </Button>
      </form>
      <p className="outside-other">
        {t.haveAccount}{' '}
        <Link href={`/signin?${search}`} className="link">
          {t.signIn}
        </Link>
      </p>
    </OutsideFrame>
  )
}

type Bind = (field: keyof Form) => {
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

const handleLook = { autoComplete: 'username', autoCapitalize: 'none', spellCheck: false } as const
const pinLook = { inputMode: 'numeric', maxLength: 6, autoComplete: 'off' } as const

const Fields = ({ bind, hasPhone }: { bind: Bind; hasPhone: boolean }) => {
  const t = useWords(outside)
  const language = useLanguage()
  const countries = [
    ...homeCountries.map((code) => ({ value: code as string, text: nameOfCountry(code, language) })),
    { value: '', text: t.elsewhere },
  ]
  return (
    <>
      <TextField label={t.name} hint={t.nameHint} {...bind('name')} autoComplete="name" required />
      <ChoiceField label={t.country} hint={t.countryHint} {...bind('country')} options={countries} />
      <TextField label={t.phone} hint={t.phoneHint} {...bind('phone')} type="tel" autoComplete="tel" />
      <TextField
        label={t.email}
        hint={t.emailHint}
        {...bind('email')}
        type="email"
        autoComplete="email"
        optional={hasPhone}
      />
      <TextField label={t.handle} hint={t.handleHint} {...bind('handle')} {...handleLook} optional />
      <PasswordField
        label={t.newPassword}
        hint={t.passwordHint}
        {...bind('password')}
        autoComplete="new-password"
        required
      />
      <PasswordField label={t.newPin} hint={t.newPinHint} {...bind('pin')} {...pinLook} required />
    </>
  )
}

/** What was left empty is not sent. */
function bodyOf(form: Form) {
  const given = Object.entries(form).map(([name, value]) => [name, value.trim()] as const)
  const body = Object.fromEntries(given.filter(([, value]) => value !== '')) as Partial<Form>
  const phone = body.phone?.replaceAll(/[\s().-]/g, '')
  return {
    ...body,
    ...(phone === undefined ? {} : { phone }),
    name: form.name,
    password: form.password,
    locale: currentLanguage(),
  }
}
