// Secrets are shown and replaced with the password only, in a dialog that forgets everything when it closes.

import type { RotateKeyData } from '@mfuko/sdk/browser'
import { type FormEvent, useState } from 'react'
import { useAct } from '../kit/act.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { fieldError } from '../kit/errors.ts'
import { ChoiceField, PasswordField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { ActNotice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import { client } from '../session.ts'
import { useBusiness } from './data.ts'
import { holdKeys, type Mode } from './fresh-keys.ts'
import { Secret } from './fresh-notice.tsx'
import { business } from './words.ts'
import { keys as words } from './words-keys.ts'

export type What = 'api_key' | 'client_secret'

interface RevealProps {
  mode: Mode
  open: boolean
  onClose: () => void
  /** Shown where it was asked for, instead of in the dialog. */
  onShown?: (secret: string) => void
}

export const Reveal = ({ mode, open, onClose, onShown }: RevealProps) => {
  const t = useWords(words)
  return (
    <Dialog title={t.revealSecret} open={open} onClose={onClose}>
      <RevealForm mode={mode} onClose={onClose} onShown={onShown} />
    </Dialog>
  )
}

type RevealFormProps = Omit<RevealProps, 'open' | 'onShown'> & { onShown: RevealProps['onShown'] | undefined }

const RevealForm = ({ mode, onClose, onShown }: RevealFormProps) => {
  const t = useWords(words)
  const b = useWords(business)
  const [password, setPassword] = useState('')
  const [secret, setSecret] = useState<string>()
  const act = useAct({
    name: `reveal-${mode}`,
    run: (order: { mode: Mode; password: string }) => client.merchant.revealSecret(order),
    onDone: ({ client_secret }) => {
      setPassword('')
      if (onShown === undefined) setSecret(client_secret)
      else onShown(client_secret)
    },
  })
  if (secret !== undefined)
    return (
      <>
        <div role="status">
          <dl className="business-secrets">
            <Secret name={b.clientSecret} value={secret} />
          </dl>
        </div>
        <Button className="w-full" onClick={onClose}>
          {t.hide}
        </Button>
      </>
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act.submit({ mode, password })
  }
  return (
    <form className="form" onSubmit={submit}>
      <p className="text-soft">{t.revealText}</p>
      <Password value={password} onChange={setPassword} act={act} />
      <ActNotice act={act} fields={['password']} />
      <Button type="submit" look="main" busy={act.state === 'busy'}>
        {t.reveal}
      </Button>
    </form>
  )
}

interface RotateProps {
  mode: Mode
  /** Absent: closed. */
  what: What | undefined
  onClose: () => void
}

export const Rotate = ({ mode, what, onClose }: RotateProps) => {
  const t = useWords(words)
  return (
    <Dialog
      title={what === 'client_secret' ? t.rotateSecret : t.rotateApiKey}
      open={what !== undefined}
      onClose={onClose}
    >
      {what !== undefined && <RotateForm mode={mode} what={what} onClose={onClose} />}
    </Dialog>
  )
}

const graces = ['24', '72', '1', '0'] as const
type Grace = (typeof graces)[number]

interface RotateOrder {
  mode: Mode
  what: What
  grace_hours: number
  password: string
}

const RotateForm = ({ mode, what, onClose }: RotateProps & { what: What }) => {
  const t = useWords(words)
  const { data: shown } = useBusiness()
  const [grace, setGrace] = useState<Grace>('24')
  const [password, setPassword] = useState('')
  const [made, setMade] = useState<RotateKeyData>()
  const act = useAct({
    name: `rotate-${mode}-${what}`,
    run: (order: RotateOrder, call) => client.merchant.rotateKey(order, call),
    onDone: (data) => {
      setPassword('')
      // The examples of the integration page use it, until the page is left.
      holdKeys(mode, what === 'api_key' ? { apiKey: data.value, stored: true } : { clientSecret: data.value })
      setMade(data)
    },
  })
  if (made !== undefined) return <Made made={made} onClose={onClose} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act.submit({ mode, what, grace_hours: Number(grace), password })
  }
  const meaning = {
    api_key: { kept: t.apiKeyGrace, ended: t.apiKeyNow },
    client_secret: { kept: t.secretGrace(shown?.header_prefix ?? 'SVC'), ended: t.secretNow },
  }[what]
  return (
    <form className="form" onSubmit={submit}>
      <ChoiceField
        label={t.grace}
        hint={grace === '0' ? meaning.ended : meaning.kept}
        value={grace}
        onChange={setGrace}
        options={graces.map((value) => ({
          value,
          text: value === '0' ? t.graceNow : t.graceHours(Number(value)),
        }))}
      />
      <Password value={password} onChange={setPassword} act={act} />
      <ActNotice act={act} fields={['password']} />
      <Button type="submit" look={grace === '0' ? 'danger' : 'main'} busy={act.state === 'busy'}>
        {t.rotate}
      </Button>
    </form>
  )
}

const Made = ({ made, onClose }: { made: RotateKeyData; onClose: () => void }) => {
  const t = useWords(words)
  const b = useWords(business)
  const isKey = made.what === 'api_key'
  return (
    <div role="status">
      <p className="text-soft">{isKey ? t.madeText : t.madeSecretText}</p>
      <dl className="business-secrets">
        <Secret name={isKey ? b.apiKey : b.clientSecret} value={made.value} />
      </dl>
      {made.previous_valid_until !== null && (
        <p className="business-grace">
          {t.worksUntil} <Time value={made.previous_valid_until} />
        </p>
      )}
      <Button look="main" className="mt-4 w-full" onClick={onClose}>
        {t.stored}
      </Button>
    </div>
  )
}

interface PasswordProps {
  value: string
  onChange: (value: string) => void
  act: { state: string; error: unknown }
}

const Password = ({ value, onChange, act }: PasswordProps) => {
  const t = useWords(words)
  return (
    <PasswordField
      label={t.yourPassword}
      error={act.state === 'refused' ? fieldError(act.error, 'password') : undefined}
      value={value}
      onChange={onChange}
      autoComplete="current-password"
      required
    />
  )
}
