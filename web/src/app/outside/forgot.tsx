import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { PasswordField, TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { say } from '../kit/toast.tsx'
import { client } from '../session.ts'
import { nameOf, OutsideFrame } from './frame.tsx'
import { outside } from './words.ts'

/** Two steps: the code is asked for, then used. Whether there is such an account is never told. */
export const Forgot = () => {
  const t = useWords(outside)
  const [who, setWho] = useState('')
  const [sent, setSent] = useState(false)
  const ask = useAct({
    name: 'forgot',
    run: (order: string) => client.account.forgotPassword(nameOf(order)),
    onDone: () => setSent(true),
  })
  const error = ['handle', 'email', 'phone'].map((field) => fieldError(ask.error, field)).find(Boolean)
  return (
    <OutsideFrame title={t.forgotTitle}>
      {sent ? (
        <NewPassword who={who} />
      ) : (
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault()
            void ask.submit(who)
          }}
        >
          <p className="text-soft">{t.forgotText}</p>
          <ActNotice act={ask} fields={['handle', 'email', 'phone']} />
          <TextField
            label={t.who}
            hint={t.whoHint}
            error={ask.state === 'refused' ? error : undefined}
            value={who}
            onChange={setWho}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <Button type="submit" look="main" busy={ask.state === 'busy'}>
            {t.sendCode}
          </Button>
        </form>
      )}
      <p className="outside-other">
        <Link href="/signin" className="link">
          {t.signIn}
        </Link>
      </p>
    </OutsideFrame>
  )
}

const NewPassword = ({ who }: { who: string }) => {
  const t = useWords(outside)
  const [, go] = useLocation()
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const act = useAct({
    name: 'reset-password',
    run: (order: { code: string; password: string }) =>
      client.account.resetPassword({ ...nameOf(who), ...order }),
    onDone: () => {
      say(t.passwordSet)
      go('/signin')
    },
  })
  const errorOf = (field: string) => (act.state === 'refused' ? fieldError(act.error, field) : undefined)
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        void act.submit({ code, password })
      }}
    >
      <Notice>{t.codeSent}</Notice>
      <ActNotice act={act} fields={['code', 'password']} />
      <TextField
        label={t.code}
        error={errorOf('code')}
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        required
      />
      <PasswordField
        label={t.newPassword}
        hint={t.passwordHint}
        error={errorOf('password')}
        value={password}
        onChange={setPassword}
        autoComplete="new-password"
        required
      />
      <Button type="submit" look="main" busy={act.state === 'busy'}>
        {t.setPassword}
      </Button>
    </form>
  )
}
