// Withdraw: how much and whereto; then fee and balance at a glance; then the PIN. The money is held until the provider has
// confirmed, and the way there is followed live.
import './people.css'
import type { PreviewWithdrawalBody, WithdrawBody } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { type Act, useAct } from '../kit/act.ts'
import { Amount, type Currency, readAmount, writeAmount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { Facts } from '../kit/facts.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Failed, Waiting } from '../kit/loaded.tsx'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { common } from '../kit/words.ts'
import { client } from '../session.ts'
import { useAmountCheck } from './amount-check.ts'
import { type Draft, firstStep, useDraft } from './draft.ts'
import type { Started } from './following.tsx'
import { funding } from './funding-words.ts'
import {
  MethodFields,
  type MethodForm,
  type Provider,
  useBlankMethodForm,
  useMethodFields,
} from './methods.tsx'
import { shortPhone } from './phones.ts'
import { PinSheet } from './pin-sheet.tsx'
import { FactBones, WalletAmount } from './send.tsx'
import { sending } from './send-words.ts'
import { useWalletName } from './wallet-name.ts'

type Order = PreviewWithdrawalBody

const usePreview = (order: Order | undefined, isAsked: boolean) =>
  useQuery({
    queryKey: ['withdraw-preview', order],
    queryFn: ({ signal }) => client.funding.previewWithdrawal(order as Order, { signal }),
    enabled: isAsked && order !== undefined,
  })

export const Withdraw = () => {
  const draft = useDraft<MethodForm>('withdraw', useBlankMethodForm())
  const { method, given, problems } = useMethodFields(draft.form, 'withdrawal')
  const currency = draft.form.currency as Currency
  const amount = readAmount(draft.form.amount, currency)
  const isWhole = amount !== undefined && method !== undefined && Object.keys(problems).length === 0
  const { phone, account } = given
  const order: Order | undefined = isWhole
    ? {
        amount,
        currency,
        method: method.id as Provider,
        ...(phone === undefined ? {} : { phone }),
        ...(account === undefined ? {} : { account }),
      }
    : undefined
  const isChecking = draft.step === 'check' && order !== undefined
  const preview = usePreview(order, isChecking)
  const { errors = {} } = (preview.error ?? {}) as { errors?: Record<string, string> }
  const isRefused = isChecking && !preview.isFetching && Object.keys(errors).length > 0
  // What the service refuses is said beside the fields.
  useEffect(() => {
    if (isRefused) draft.goTo(firstStep, { replace: true })
  })
  return isChecking ? (
    <Check order={order} name={method?.name ?? ''} preview={preview} clear={draft.clear} />
  ) : (
    <Filling
      draft={draft}
      refusal={preview.error}
      isWhole={isWhole}
      problems={problems}
      canGoOn={method !== undefined}
    />
  )
}

interface FillingProps {
  draft: Draft<MethodForm>
  refusal: unknown
  isWhole: boolean
  problems: Record<string, string>
  /** There is a way for this currency. */
  canGoOn: boolean
}

const Filling = ({ draft, refusal, isWhole, problems, canGoOn }: FillingProps) => {
  const t = useWords(funding)
  const c = useWords(common)
  const { form, change, goTo } = draft
  const [tried, setTried] = useState(false)
  const { problem } = useAmountCheck({ limited: true })(form.amount, form.currency as Currency)
  const errorOf = (field: string) =>
    (tried ? { ...problems, amount: problem }[field] : undefined) ?? fieldError(refusal, field)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isWhole && problem === undefined) goTo('check')
  }
  return (
    <Page title={t.withdrawTitle}>
      <form className="form" onSubmit={submit} noValidate>
        <WalletAmount
          form={form}
          change={(part) => change(part.currency === undefined ? part : { ...part, method: '' })}
          error={errorOf('amount')}
        />
        <MethodFields form={form} change={change} purpose="withdrawal" errorOf={errorOf} />
        {canGoOn && (
          <Button type="submit" look="main">
            {c.next}
          </Button>
        )}
      </form>
    </Page>
  )
}

interface CheckProps {
  order: Order
  name: string
  preview: ReturnType<typeof usePreview>
  clear: () => void
}

const Check = ({ order, name, preview, clear }: CheckProps) => {
  const t = useWords(funding)
  const [, go] = useLocation()
  const language = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const act = useAct({
    name: 'withdraw',
    run: (asked: WithdrawBody, call) => client.funding.withdraw(asked, call),
    onDone: ({ reference }, { phone }) => {
      clear()
      const started: Started = { isNew: true, name, ...(phone === undefined ? {} : { phone }) }
      go(`/history/${reference}`, { replace: true, state: started })
    },
  })
  const text = t.withdraw(writeAmount(order.amount, order.currency, language))
  const place = `${name} ${order.phone === undefined ? (order.account ?? '') : shortPhone(order.phone)}`
  return (
    <Page title={t.checkTitle} back="/withdraw">
      {preview.data !== undefined ? (
        <Terms {...{ preview: preview.data, place, act, text, isOpen }} onGo={() => setOpen(true)} />
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
        act={text}
        acting={act}
        onPin={(pin) => void act.submit({ ...order, pin })}
      >
        {t.to} {place}
      </PinSheet>
    </Page>
  )
}

interface TermsProps {
  preview: NonNullable<ReturnType<typeof usePreview>['data']>
  /** Whereto. */
  place: string
  act: Act<WithdrawBody>
  text: string
  onGo: () => void
  isOpen: boolean
}

const Terms = ({ preview, place, act, text, onGo, isOpen }: TermsProps) => {
  const t = useWords(funding)
  const s = useWords(sending)
  const c = useWords(common)
  const { currency } = preview
  const nameOf = useWalletName()
  const money = (value: number) => <Amount value={value} currency={currency} />
  return (
    <>
      <div className="people-terms">
        <Facts
          rows={[
            [t.to, place],
            [t.arrives, <strong key="arrives">{money(preview.amount)}</strong>],
            [c.fee, money(preview.fee)],
            [t.leaves, money(preview.total)],
            [s.wallet, nameOf(currency)],
            [s.balanceAfter, preview.sufficient ? money(preview.balance_after) : undefined],
          ]}
        />
      </div>
      {!isOpen && <ActNotice act={act} />}
      {preview.sufficient ? (
        <>
          <p className="mt-4 text-soft">{t.heldNote}</p>
          <Button look="main" className="mt-4 w-full" onClick={onGo}>
            {text}
          </Button>
        </>
      ) : (
        <div className="mt-6">
          <Notice
            kind="problem"
            title={t.notEnough}
            action={<ButtonLink href="/withdraw">{t.change}</ButtonLink>}
          >
            {t.notEnoughText}
          </Notice>
        </div>
      )}
    </>
  )
}
