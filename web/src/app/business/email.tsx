// A business is told by e-mail what becomes of its application: an address is needed, and one that was confirmed is better.
import { useState } from 'react'
import { useAct } from '../kit/act.ts'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { PasswordField, TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { ActNotice } from '../kit/notice.tsx'
import { say } from '../kit/toast.tsx'
import { common } from '../kit/words.ts'
import { client, refreshUser } from '../session.ts'
import { business as words } from './words.ts'

export const AddEmail = () => {
  const t = useWords(words)
  const c = useWords(common)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const act = useAct({
    name: 'add-email',
    run: async (order: { email: string; password: string }) => {
      await client.account.changeEmail(order)
      await refreshUser()
    },
  })
  const errorOf = (field: string) => (act.state === 'refused' ? fieldError(act.error, field) : undefined)
  return (
    <section aria-labelledby="email-first">
      <h2 id="email-first" className="section-title">
        {t.emailFirst}
      </h2>
      <p className="mt-1 text-soft">{t.emailFirstText}</p>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void act.submit({ email: email.trim(), password })
        }}
      >
        <TextField
          label={t.email}
          type="email"
          error={errorOf('email')}
          value={email}
          onChange={setEmail}
          autoComplete="email"
          required
        />
        <PasswordField
          label={c.password}
          error={errorOf('password')}
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          required
        />
        <ActNotice act={act} fields={['email', 'password']} />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {t.addEmail}
        </Button>
      </form>
    </section>
  )
}

export const ConfirmEmail = ({ address }: { address: string }) => {
  const t = useWords(words)
  const [code, setCode] = useState('')
  const confirm = useAct({
    name: 'confirm-email',
    run: async (order: { code: string }) => {
      await client.account.confirmEmail(order.code)
      await refreshUser()
    },
    onDone: () => say(t.confirmed),
  })
  const resend = useAct({
    name: 'resend-code',
    run: (_order: object) => client.account.resendConfirmation(),
    onDone: () => say(t.resent),
  })
  return (
    <section className="business-panel" aria-labelledby="confirm-email">
      <h2 id="confirm-email" className="section-title">
        {t.confirmTitle}
      </h2>
      <p className="mt-1 text-soft">{t.confirmText(address)}</p>
      <form
        className="business-inline"
        onSubmit={(event) => {
          event.preventDefault()
          void confirm.submit({ code: code.trim() })
        }}
      >
        <TextField
          label={t.code}
          error={confirm.state === 'refused' ? fieldError(confirm.error, 'code') : undefined}
          value={code}
          onChange={setCode}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          required
        />
        <Button type="submit" busy={confirm.state === 'busy'}>
          {t.confirm}
        </Button>
      </form>
      <ActNotice act={confirm} fields={['code']} />
      <ActNotice act={resend} />
      <Button
        look="quiet"
        className="mt-2"
        busy={resend.state === 'busy'}
        onClick={() => void resend.submit({})}
      >
        {t.resend}
      </Button>
    </section>
  )
}
