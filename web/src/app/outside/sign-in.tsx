import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { PasswordField, TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { common } from '../kit/words.ts'
import { client, enter, signIn, useSession } from '../session.ts'
import { StillSignedIn } from '../still-signed-in.tsx'
import { nameOf, OutsideFrame } from './frame.tsx'
import { outside } from './words.ts'

export const SignIn = () => {
  const t = useWords(outside)
  const c = useWords(common)
  const session = useSession()
  const why = session.state === 'out' ? session.why : undefined
  const [search] = useSearchParams()
  const [who, setWho] = useState('')
  const [password, setPassword] = useState('')
  const act = useAct({
    name: 'sign-in',
    run: (order: { who: string; password: string }) =>
      signIn(() => client.login({ ...nameOf(order.who), password: order.password })),
    onDone: enter,
  })
  const error = ['handle', 'email', 'phone'].map((field) => fieldError(act.error, field)).find(Boolean)
  return (
    <OutsideFrame title={t.signIn}>
      <p className="text-soft">{t.signInText}</p>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void act.submit({ who, password })
        }}
      >
        {why === 'ended' && <Notice kind="info">{c.ended}</Notice>}
        {why === 'leaving' && <StillSignedIn />}
        <ActNotice act={act} fields={['handle', 'email', 'phone', 'password']} />
        <TextField
          label={t.who}
          hint={t.whoHint}
          error={act.state === 'refused' ? error : undefined}
          value={who}
          onChange={setWho}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <PasswordField
          label={c.password}
          error={act.state === 'refused' ? fieldError(act.error, 'password') : undefined}
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          required
        />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {t.signIn}
        </Button>
        <p>
          <Link href="/forgot" className="link">
            {t.forgot}
          </Link>
        </p>
      </form>
      <div className="outside-other">
        <p>{t.newHere}</p>
        <ButtonLink href={`/signup?${search}`}>{t.signUp}</ButtonLink>
      </div>
    </OutsideFrame>
  )
}
