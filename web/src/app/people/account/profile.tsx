// Name, e-mail address and phone number. The last two say who somebody is, so that changing them takes the password.
import '../people.css'
import { type FormEvent, useState } from 'react'
import { type Act, useAct } from '../../kit/act.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { fieldError } from '../../kit/errors.ts'
import { Status } from '../../kit/facts.tsx'
import { PasswordField, TextField } from '../../kit/field.tsx'
import { useWords } from '../../kit/language.ts'
import { ActNotice } from '../../kit/notice.tsx'
import { Page } from '../../kit/page.tsx'
import { say } from '../../kit/toast.tsx'
import { common } from '../../kit/words.ts'
import { client, refreshUser, useUser } from '../../session.ts'
import { account } from './words.ts'

export const Profile = () => {
  const t = useWords(account)
  const { handle } = useUser()
  return (
    <Page title={t.profile} back="/account">
      <Name />
      <section className="people-section">
        <h2 className="section-title">{t.handle}</h2>
        <div className="people-account-handle">
          <span>@{handle}</span>
          <CopyButton text={handle} what={t.copyHandle} />
        </div>
        <p className="text-soft">{t.handleText}</p>
      </section>
      <Email />
      <Phone />
    </Page>
  )
}

const Name = () => {
  const t = useWords(account)
  const c = useWords(common)
  const user = useUser()
  const [name, setName] = useState(user.name)
  const act = useAct({
    name: 'change-name',
    run: (order: { name: string }) => client.account.change(order),
    onDone: () => {
      void refreshUser()
      say(t.saved)
    },
  })
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        void act.submit({ name })
      }}
    >
      <ActNotice act={act} fields={['name']} />
      <TextField
        label={t.name}
        hint={t.nameHint}
        error={refused(act, 'name')}
        value={name}
        onChange={setName}
        autoComplete="name"
        required
      />
      <Button type="submit" look="main" busy={act.state === 'busy'}>
        {c.save}
      </Button>
    </form>
  )
}

const refused = <Order,>(act: Act<Order>, field: string): string | undefined =>
  act.state === 'refused' ? fieldError(act.error, field) : undefined

const Email = () => {
  const t = useWords(account)
  const user = useUser()
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="people-section">
      <h2 className="section-title">{t.email}</h2>
      <p className="people-account-value">{user.email ?? t.emailNone}</p>
      {user.email !== null && (
        <Status tone={user.email_confirmed ? 'good' : 'waiting'}>
          {user.email_confirmed ? t.emailConfirmed : t.emailOpen}
        </Status>
      )}
      {user.email !== null && !user.email_confirmed && <Confirming address={user.email} />}
      <Button className="mt-4" onClick={() => setOpen(true)}>
        {t.changeEmail}
      </Button>
      <Dialog title={t.changeEmail} open={isOpen} onClose={() => setOpen(false)}>
        <Changing
          field="email"
          label={t.newEmail}
          act={t.changeEmail}
          change={(email, password) => client.account.changeEmail({ email, password })}
          onDone={() => setOpen(false)}
        />
      </Dialog>
    </section>
  )
}

const Confirming = ({ address }: { address: string }) => {
  const t = useWords(account)
  const [code, setCode] = useState('')
  const act = useAct({
    name: 'confirm-email',
    run: (order: { code: string }) => client.account.confirmEmail(order.code),
    onDone: () => {
      void refreshUser()
      say(t.confirmed)
    },
  })
  const resend = useAct({
    name: 'resend-confirmation',
    run: () => client.account.resendConfirmation(),
    onDone: () => say(t.resent),
  })
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        void act.submit({ code })
      }}
    >
      <p className="text-soft">{t.emailOpenText(address)}</p>
      <ActNotice act={act} fields={['code']} />
      <ActNotice act={resend} />
      <TextField
        label={t.code}
        error={refused(act, 'code')}
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        required
      />
      <Button type="submit" look="main" busy={act.state === 'busy'}>
        {t.confirm}
      </Button>
      <Button busy={resend.state === 'busy'} onClick={() => void resend.submit(undefined)}>
        {t.resend}
      </Button>
    </form>
  )
}

const Phone = () => {
  const t = useWords(account)
  const user = useUser()
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="people-section">
      <h2 className="section-title">{t.phone}</h2>
      <p className="people-account-value">{user.phone ?? t.phoneNone}</p>
      <Button className="mt-4" onClick={() => setOpen(true)}>
        {t.changePhone}
      </Button>
      <Dialog title={t.changePhone} open={isOpen} onClose={() => setOpen(false)}>
        <Changing
          field="phone"
          label={t.newPhone}
          hint={t.phoneHint}
          act={t.changePhone}
          change={(phone, password) =>
            client.account.changePhone({ phone: phone.replaceAll(/[\s().-]/g, ''), password })
          }
          onDone={() => setOpen(false)}
        />
      </Dialog>
    </section>
  )
}

interface ChangingProps {
  field: 'email' | 'phone'
  label: string
  hint?: string
  act: string
  change: (value: string, password: string) => Promise<unknown>
  onDone: () => void
}

const Changing = ({ field, label, hint, act: words, change, onDone }: ChangingProps) => {
  const t = useWords(account)
  const [value, setValue] = useState('')
  const [password, setPassword] = useState('')
  const act = useAct({
    name: `change-${field}`,
    run: (order: { value: string; password: string }) => change(order.value, order.password),
    onDone: () => {
      void refreshUser()
      say(t.saved)
      onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act.submit({ value: value.trim(), password })
  }
  return (
    <form className="form" onSubmit={submit}>
      <ActNotice act={act} fields={[field, 'password']} />
      <TextField
        label={label}
        hint={hint}
        error={refused(act, field)}
        value={value}
        onChange={setValue}
        type={field === 'email' ? 'email' : 'tel'}
        autoComplete={field === 'email' ? 'email' : 'tel'}
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
        {words}
      </Button>
    </form>
  )
}
