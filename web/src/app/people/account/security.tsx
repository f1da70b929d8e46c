import '../people.css'
import { type FormEvent, useState } from 'react'
import { type Act, useAct } from '../../kit/act.ts'
import { Button } from '../../kit/button.tsx'
import { fieldError } from '../../kit/errors.ts'
import { PasswordField } from '../../kit/field.tsx'
import { useWords } from '../../kit/language.ts'
import { ActNotice, Notice } from '../../kit/notice.tsx'
import { Page } from '../../kit/page.tsx'
import { say } from '../../kit/toast.tsx'
import { client, refreshUser, useUser } from '../../session.ts'
import { account } from './words.ts'

export const Security = () => {
  const t = useWords(account)
  return (
    <Page title={t.security} back="/account">
      <Pin />
      <Password />
    </Page>
  )
}

const refused = <Order,>(act: Act<Order>, field: string): string | undefined =>
  act.state === 'refused' ? fieldError(act.error, field) : undefined

const Pin = () => {
  const t = useWords(account)
  const { has_pin: hasPin } = useUser()
  const [pin, setPin] = useState('')
  const [password, setPassword] = useState('')
  const act = useAct({
    name: 'set-pin',
    run: (order: { pin: string; password: string }) => client.account.setPin(order),
    onDone: () => {
      setPin('')
      setPassword('')
      void refreshUser()
      say(hasPin ? t.pinDone : t.pinFirst)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act.submit({ pin, password })
  }
  return (
    <section aria-labelledby="pin">
      <h2 id="pin" className="section-title">
        {t.pinTitle}
      </h2>
      {hasPin ? (
        <p className="text-soft">{t.pinSet}</p>
      ) : (
        <div className="mt-3">
          <Notice kind="warning">{t.pinNone}</Notice>
        </div>
      )}
      <form className="form" onSubmit={submit}>
        <ActNotice act={act} fields={['pin', 'password']} />
        <PasswordField
          label={t.newPin}
          hint={t.newPinHint}
          error={refused(act, 'pin')}
          value={pin}
          onChange={setPin}
          inputMode="numeric"
          maxLength={6}
          autoComplete="off"
          required
        />
        <PasswordField
          label={t.yourPassword}
          hint={t.yourPasswordHint}
          error={refused(act, 'password')}
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          required
        />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {hasPin ? t.changePin : t.setPin}
        </Button>
      </form>
    </section>
  )
}

const Password = () => {
  const t = useWords(account)
  const [password, setPassword] = useState('')
  const [fresh, setFresh] = useState('')
  const act = useAct({
    name: 'change-password',
    // The field of the request is not among those that are never kept, so it is named here.
    run: (order: { password: { now: string; next: string } }) =>
      client.account.changePassword({ password: order.password.now, new_password: order.password.next }),
    onDone: () => {
      setPassword('')
      setFresh('')
      say(t.passwordDone)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act.submit({ password: { now: password, next: fresh } })
  }
  return (
    <section className="people-section" aria-labelledby="password">
      <h2 id="password" className="section-title">
        {t.passwordTitle}
      </h2>
      <form className="form" onSubmit={submit}>
        <ActNotice act={act} fields={['password', 'new_password']} />
        <PasswordField
          label={t.yourPassword}
          error={refused(act, 'password')}
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          required
        />
        <PasswordField
          label={t.newPassword}
          hint={t.passwordHint}
          error={refused(act, 'new_password')}
          value={fresh}
          onChange={setFresh}
          autoComplete="new-password"
          required
        />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {t.changePassword}
        </Button>
      </form>
    </section>
  )
}
