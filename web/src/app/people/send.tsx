// Send: who and how much; then everything at a glance; then the PIN. Afterwards the receipt.
import './people.css'
import type { SendMoneyBody } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { type Act, useAct } from '../kit/act.ts'
import { Amount, type Currency, readAmount, writeAmount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { Facts } from '../kit/facts.tsx'
import { AmountField, TextField } from '../kit/field.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Failed, Waiting } from '../kit/loaded.tsx'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { common } from '../kit/words.ts'
import { client, useUser } from '../session.ts'
import { useAmountCheck } from './amount-check.ts'
import { useWallets } from './data.ts'
import { type Draft, firstStep, useDraft } from './draft.ts'
import { PinSheet } from './pin-sheet.tsx'
import { isHandle, RecipientField, tidyHandle } from './recipient-field.tsx'
import { sending } from './send-words.ts'
import { useWalletName } from './wallet-name.ts'

interface Form extends Record<string, string> {
  to: string
  amount: string
  currency: string
  note: string
}

type Order = Omit<SendMoneyBody, 'pin'>

/** Undefined: it is not complete. */
function orderOf({ to, amount, currency, note }: Form): Order | undefined {
  const read = readAmount(amount, currency as Currency)
  const recipient = tidyHandle(to)
  if (read === undefined || !isHandle(recipient)) return undefined
  const words = note.trim()
  return {
    recipient,
    amount: read,
    currency: currency as Currency,
    ...(words === '' ? {} : { note: words }),
  }
}

const usePreview = (order: Order | undefined, isAsked: boolean) =>
  useQuery({
    queryKey: ['send-preview', order],
    queryFn: ({ signal }) => client.transfers.preview(order as Order, { signal }),
    enabled: isAsked && order !== undefined,
  })

export const Send = () => {
  const { default_currency: currency } = useUser()
  const draft = useDraft<Form>('send', { to: '', amount: '', currency, note: '' })
  const order = orderOf(draft.form)
  const isChecking = draft.step === 'check' && order !== undefined
  const preview = usePreview(order, isChecking)
  const { errors = {} } = (preview.error ?? {}) as { errors?: Record<string, string> }
  const isRefused = isChecking && !preview.isFetching && Object.keys(errors).length > 0
  // What the service refuses is said beside the fields.
  useEffect(() => {
    if (isRefused) draft.goTo(firstStep, { replace: true })
  })
  return isChecking ? (
    <Check order={order} preview={preview} draft={draft} />
  ) : (
    <Filling draft={draft} refusal={preview.error} />
  )
}

const Filling = ({ draft, refusal }: { draft: Draft<Form>; refusal: unknown }) => {
  const t = useWords(sending)
  const c = useWords(common)
  const { form, change, goTo } = draft
  const check = useAmountCheck({ limited: true })
  const [tried, setTried] = useState(false)
  const currency = form.currency as Currency
  const { problem } = check(form.amount, currency)
  const needsHandle = !isHandle(tidyHandle(form.to))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!needsHandle && problem === undefined) goTo('check')
  }
  return (
    <Page title={t.title}>
      <form className="form" onSubmit={submit} noValidate>
        <RecipientField
          label={t.to}
          value={form.to}
          onChange={(to) => change({ to })}
          error={tried && needsHandle ? t.needHandle : fieldError(refusal, 'recipient')}
        />
        <WalletAmount
          form={form}
          change={change}
          error={tried ? (problem ?? fieldError(refusal, 'amount')) : fieldError(refusal, 'amount')}
        />
        <TextField
          label={c.note}
          hint={t.noteHint}
          optional
          error={fieldError(refusal, 'note')}
          value={form.note}
          onChange={(note) => change({ note })}
          maxLength={140}
          autoComplete="off"
        />
        <Button type="submit" look="main">
          {c.next}
        </Button>
      </form>
    </Page>
  )
}

interface WalletAmountProps {
  form: { amount: string; currency: string }
  change: (part: { amount?: string; currency?: string }) => void
  error: string | undefined
}

/** An amount out of one of the own wallets, with what is in it. */
export const WalletAmount = ({ form, change, error }: WalletAmountProps) => {
  const t = useWords(sending)
  const c = useWords(common)
  const wallets = useWallets().data ?? []
  const currency = form.currency as Currency
  const wallet = wallets.find((one) => one.currency === currency)
  const own = wallets.map((one) => one.currency)
  return (
    <AmountField
      label={c.amount}
      hint={
        <>
          {t.canUse} {wallet === undefined ? '…' : <Amount value={wallet.available} currency={currency} />}
        </>
      }
      error={error}
      value={form.amount}
      onChange={(amount) => change({ amount })}
      currency={currency}
      onCurrency={(next) => change({ currency: next })}
      currencies={own.includes(currency) ? own : [currency, ...own]}
    />
  )
}

interface CheckProps {
  order: Order
  preview: ReturnType<typeof usePreview>
  draft: Draft<Form>
}

const Check = ({ order, preview, draft }: CheckProps) => {
  const t = useWords(sending)
  const [, go] = useLocation()
  const language = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const act = useAct({
    name: 'send',
    run: (asked: SendMoneyBody, call) => client.transfers.send(asked, call),
    onDone: ({ reference }) => {
      draft.clear()
      go(`/history/${reference}`, { replace: true, state: { isNew: true } })
    },
  })
  const amount = writeAmount(order.amount, order.currency, language)
  const name = preview.data?.recipient.name ?? order.recipient
  return (
    <Page title={t.checkTitle} back="/send">
      {preview.data !== undefined ? (
        <Terms
          preview={preview.data}
          note={order.note}
          act={act}
          onGo={() => setOpen(true)}
          isOpen={isOpen}
        />
      ) : preview.error !== null ? (
        <Failed error={preview.error} busy={preview.isFetching} again={() => void preview.refetch()} />
      ) : (
        <Waiting>
          <FactBones rows={5} />
        </Waiting>
      )}
      <PinSheet
        open={isOpen}
        onClose={() => setOpen(false)}
        act={t.send(amount)}
        acting={act}
        onPin={(pin) => void act.submit({ ...order, pin })}
      >
        {t.sendTo(name)}
      </PinSheet>
    </Page>
  )
}

interface TermsProps {
  preview: NonNullable<ReturnType<typeof usePreview>['data']>
  note: string | undefined
  act: Act<SendMoneyBody>
  onGo: () => void
  /** The sheet, which says itself what became of the order. */
  isOpen: boolean
}

const Terms = ({ preview, note, act, onGo, isOpen }: TermsProps) => {
  const t = useWords(sending)
  const c = useWords(common)
  const language = useLanguage()
  const nameOf = useWalletName()
  const money = (value: number) => <Amount value={value} currency={preview.currency} />
  const { recipient, amount, currency } = preview
  return (
    <>
      <div className="people-terms">
        <Facts
          rows={[
            [t.to, <PersonName key="to" {...recipient} />],
            [t.leaves, money(amount)],
            [c.fee, money(preview.fee)],
            [t.gets(recipient.name), <strong key="gets">{money(preview.recipient_gets)}</strong>],
            [t.wallet, nameOf(currency)],
            [t.balanceAfter, preview.sufficient ? money(preview.balance_after) : undefined],
            [c.note, note],
          ]}
        />
      </div>
      {!isOpen && <ActNotice act={act} />}
      {preview.sufficient ? (
        <Button look="main" className="mt-6 w-full" onClick={onGo}>
          {t.send(writeAmount(amount, currency, language))}
        </Button>
      ) : (
        <NotEnough currency={currency} />
      )}
    </>
  )
}

export const NotEnough = ({ currency }: { currency: Currency }) => {
  const t = useWords(sending)
  return (
    <div className="mt-6">
      <Notice
        kind="problem"
        title={t.notEnough}
        action={<ButtonLink href={`/deposit?currency=${currency}`}>{t.deposit}</ButtonLink>}
      >
        {t.notEnoughText}
      </Notice>
    </div>
  )
}

export const PersonName = ({ name, handle }: { name: string; handle?: string | undefined }) => (
  <span className="people-who">
    {name}
    {handle !== undefined && <span className="text-soft"> @{handle}</span>}
  </span>
)

/** Grey lines in the place of facts. */
export const FactBones = ({ rows }: { rows: number }) => (
  <div className="people-terms">
    <div className="facts">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row}>
          <span className="bone w-24" />
          <span className="bone w-32" />
        </div>
      ))}
    </div>
  </div>
)
