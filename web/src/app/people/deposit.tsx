// Deposit: how much, by whom; then the provider asks, on the phone or on a page of its own, and is followed live.
import './people.css'
import type { InitiateDepositBody, InitiateDepositData } from '@mfuko/sdk/browser'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { useAct } from '../kit/act.ts'
import { type Currency, currencyCodes, readAmount, writeAmount } from '../kit/amount.tsx'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { AmountField } from '../kit/field.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { ActNotice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { common } from '../kit/words.ts'
import { client } from '../session.ts'
import { useAmountCheck } from './amount-check.ts'
import { useDraft } from './draft.ts'
import type { Started } from './following.tsx'
import { funding } from './funding-words.ts'
import {
  MethodFields,
  type MethodForm,
  type Provider,
  useBlankMethodForm,
  useMethodFields,
} from './methods.tsx'

const said = ['amount', 'method', 'phone', 'email'] as const

export const Deposit = () => {
  const t = useWords(funding)
  const c = useWords(common)
  const language = useLanguage()
  const { form, change, clear } = useDraft<MethodForm>('deposit', useBlankMethodForm())
  const [tried, setTried] = useState(false)
  const currency = form.currency as Currency
  const { amount, problem } = useAmountCheck({ limited: false })(form.amount, currency)
  const { method, given, problems } = useMethodFields(form, 'deposit')
  const act = useStarting({ name: method?.name ?? '', clear })
  const edit = (part: Partial<MethodForm>) => {
    if (act.state !== 'busy') act.reset()
    change(part)
  }
  const errorOf = (field: string) =>
    (tried ? { amount: problem, ...problems }[field] : undefined) ??
    (act.state === 'refused' ? fieldError(act.error, field) : undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (amount === undefined || method === undefined || Object.keys(problems).length > 0) return
    void act.submit({ amount, currency, method: method.id as Provider, ...given })
  }
  const read = readAmount(form.amount, currency)
  return (
    <Page title={t.depositTitle}>
      <form className="form" onSubmit={submit} noValidate>
        <AmountField
          label={c.amount}
          hint={t.depositFree}
          error={errorOf('amount')}
          value={form.amount}
          onChange={(value) => edit({ amount: value })}
          currency={currency}
          onCurrency={(value) => edit({ currency: value, method: '' })}
          currencies={currencyCodes}
        />
        <MethodFields form={form} change={edit} purpose="deposit" errorOf={errorOf} />
        <ActNotice act={act} fields={said} />
        {method !== undefined && (
          <Button type="submit" look="main" busy={act.state === 'busy'}>
            {read === undefined ? t.depositTitle : t.deposit(writeAmount(read, currency, language))}
          </Button>
        )}
      </form>
    </Page>
  )
}

/** A card is paid on the provider's page; the way back from there leads to the receipt. */
function useStarting({ name, clear }: { name: string; clear: () => void }) {
  const [, go] = useLocation()
  return useAct({
    name: 'deposit',
    run: (order: InitiateDepositBody, call) => client.funding.deposit(order, call),
    onDone: ({ reference, redirect_url: page, status }: InitiateDepositData, { phone }) => {
      clear()
      const started: Started = {
        isNew: true,
        name,
        ...(phone === undefined ? {} : { phone }),
        ...(page === undefined ? {} : { page }),
      }
      go(`/history/${reference}`, { replace: true, state: started })
      if (page !== undefined && status === 'pending') window.location.assign(page)
    },
  })
}
