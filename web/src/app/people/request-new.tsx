import './people.css'
import type { CreateMoneyRequestBody } from '@mfuko/sdk/browser'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { useAct } from '../kit/act.ts'
import { type Currency, readAmount, writeAmount } from '../kit/amount.tsx'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { AmountField, TextField } from '../kit/field.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { ActNotice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { say } from '../kit/toast.tsx'
import { common } from '../kit/words.ts'
import { client, useUser } from '../session.ts'
import { useAmountCheck } from './amount-check.ts'
import type { MoneyRequest } from './data.ts'
import { useDraft } from './draft.ts'
import { isHandle, RecipientField, tidyHandle } from './recipient-field.tsx'
import { asking, sending } from './send-words.ts'

interface Form extends Record<string, string> {
  from: string
  amount: string
  currency: string
  note: string
}

export const RequestNew = () => {
  const t = useWords(asking)
  const s = useWords(sending)
  const c = useWords(common)
  const language = useLanguage()
  const { form, change, clear } = useDraft<Form>('request', {
    ...{ from: '', amount: '', note: '' },
    currency: useUser().default_currency,
  })
  const [tried, setTried] = useState(false)
  const currency = form.currency as Currency
  const { amount, problem } = useAmountCheck({ limited: true })(form.amount, currency)
  const act = useAsking(clear)
  const errorOf = (field: string) => (act.state === 'refused' ? fieldError(act.error, field) : undefined)
  const from = tidyHandle(form.from)
  const edit = (part: Partial<Form>) => {
    if (act.state !== 'busy') act.reset()
    change(part)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const note = form.note.trim()
    if (isHandle(from) && amount !== undefined)
      void act.submit({ from, amount, currency, ...(note === '' ? {} : { note }) })
  }
  const read = readAmount(form.amount, currency)
  return (
    <Page title={t.newTitle} back="/requests">
      <form className="form" onSubmit={submit} noValidate>
        <ActNotice act={act} fields={['from', 'amount', 'note']} />
        <RecipientField
          label={t.from}
          value={form.from}
          onChange={(value) => edit({ from: value })}
          error={tried && !isHandle(from) ? s.needHandle : errorOf('from')}
        />
        <AmountField
          label={c.amount}
          hint={t.feeNote}
          error={tried ? (problem ?? errorOf('amount')) : undefined}
          value={form.amount}
          onChange={(value) => edit({ amount: value })}
          currency={currency}
          onCurrency={(value) => edit({ currency: value })}
        />
        <TextField
          label={c.note}
          hint={s.noteHint}
          optional
          error={errorOf('note')}
          value={form.note}
          onChange={(note) => edit({ note })}
          maxLength={140}
          autoComplete="off"
        />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {read === undefined ? t.newTitle : t.ask(writeAmount(read, currency, language))}
        </Button>
      </form>
    </Page>
  )
}

function useAsking(clear: () => void) {
  const t = useWords(asking)
  const [, go] = useLocation()
  return useAct({
    name: 'request',
    run: (order: CreateMoneyRequestBody, call) => client.requests.create(order, call),
    onDone: ({ id }: MoneyRequest) => {
      clear()
      say(t.asked)
      go(`/requests/${id}`, { replace: true })
    },
  })
}
