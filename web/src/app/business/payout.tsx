// Earnings to the owner's wallet: how much; then from where to where, with the PIN; then the receipt.
import { type PayOutMerchantData, toMinor } from '@mfuko/sdk/browser'
import { CircleCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Amount, type Currency, currencyCodes, readAmount, writeAmount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy.tsx'
import { fieldError } from '../kit/errors.ts'
import { Facts } from '../kit/facts.tsx'
import { AmountField } from '../kit/field.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { isPin, PinPad } from '../kit/pin-pad.tsx'
import { common } from '../kit/words.ts'
import { client } from '../session.ts'
import { type Business, useBalances } from './data.ts'
import { BusinessPage } from './frame.tsx'
import { money as words } from './words-money.ts'

export const Payout = () => {
  const t = useWords(words)
  return (
    <BusinessPage title={t.payoutTitle} back="/business/earnings?mode=live" width="narrow" mode="live">
      {(business) => <Steps business={business} />}
    </BusinessPage>
  )
}

const Steps = ({ business }: { business: Business }) => {
  const t = useWords(words)
  const [search] = useSearchParams()
  const currency =
    currencyCodes.find((code) => code === search.get('currency')) ?? business.settlement_currency
  const [amount, setAmount] = useState<string>()
  const [done, setDone] = useState<PayOutMerchantData>()
  const balances = useBalances('live')
  if (done !== undefined) return <Receipt done={done} />
  return (
    <Loaded query={balances} skeleton={<RowBones rows={2} />}>
      {(all) => {
        const available = all.find((one) => one.currency === currency)?.available ?? 0
        if (available <= 0) return <Notice>{t.noMoney}</Notice>
        if (amount === undefined) return <HowMuch {...{ currency, available }} onChosen={setAmount} />
        return (
          <ConfirmPayout
            {...{ business, currency, amount }}
            onBack={() => setAmount(undefined)}
            onDone={setDone}
          />
        )
      }}
    </Loaded>
  )
}

interface HowMuchProps {
  currency: Currency
  available: number
  onChosen: (amount: string) => void
}

const HowMuch = ({ currency, available, onChosen }: HowMuchProps) => {
  const t = useWords(words)
  const c = useWords(common)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const amount = readAmount(typed, currency)
    if (amount === undefined || toMinor(amount, currency) > toMinor(available, currency))
      setProblem(c.notAmount(currency))
    else onChosen(amount)
  }
  return (
    <form className="form" onSubmit={submit}>
      <Facts rows={[[t.available, <Amount key="there" value={available} currency={currency} />]]} />
      <AmountField
        label={c.amount}
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setProblem(undefined)
        }}
        currency={currency}
        error={problem}
        autoFocus
      />
      <Button onClick={() => setTyped(String(available))}>{t.all}</Button>
      <Button type="submit" look="main">
        {t.next}
      </Button>
    </form>
  )
}

interface ConfirmProps {
  business: Business
  currency: Currency
  amount: string
  onBack: () => void
  onDone: (done: PayOutMerchantData) => void
}

const ConfirmPayout = ({ business, currency, amount, onBack, onDone }: ConfirmProps) => {
  const t = useWords(words)
  const c = useWords(common)
  const language = useLanguage()
  const [pin, setPin] = useState('')
  const act = useAct({
    name: 'payout',
    run: (order: { amount: string; currency: Currency; pin: string }, call) =>
      client.merchant.payOut(order, call),
    onDone,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPin(pin)) void act.submit({ amount, currency, pin })
  }
  return (
    <form className="form" onSubmit={submit}>
      <Facts
        rows={[
          [t.from, business.business_name],
          [t.to, t.yourWallet(currency)],
          [c.amount, <Amount key="amount" value={amount} currency={currency} className="font-semibold" />],
          [t.fee, t.free],
          [t.arrives, <Amount key="arrives" value={amount} currency={currency} className="font-semibold" />],
        ]}
      />
      <PinPad
        value={pin}
        onChange={(next) => {
          setPin(next)
          if (act.state === 'refused') act.reset()
        }}
        error={act.state === 'refused' ? fieldError(act.error, 'pin') : undefined}
      />
      <ActNotice act={act} fields={['pin']} />
      <Button type="submit" look="main" busy={act.state === 'busy'} disabled={!isPin(pin)}>
        {t.move(writeAmount(amount, currency, language))}
      </Button>
      <Button onClick={onBack}>{c.change}</Button>
    </form>
  )
}

const Receipt = ({ done }: { done: PayOutMerchantData }) => {
  const t = useWords(words)
  const c = useWords(common)
  return (
    <section className="business-receipt" role="status">
      <CircleCheck className="business-receipt-icon" aria-hidden="true" />
      <h2 className="business-receipt-title">{t.done}</h2>
      <p className="business-sum-amount">
        <Amount value={done.amount} currency={done.currency} />
      </p>
      <p className="business-reference">
        <span className="text-soft">{c.reference}</span> <code>{done.reference}</code>
      </p>
      <CopyButton text={done.reference} what={c.reference} />
      <Facts
        rows={[
          [t.to, t.yourWallet(done.currency)],
          [t.fee, t.free],
          [t.left, <Amount key="left" value={done.balance} currency={done.currency} />],
        ]}
      />
      <ButtonLink href={`/history/${done.reference}`} look="main" className="mt-6 w-full">
        {t.toWallet}
      </ButtonLink>
      <Button className="business-print mt-3 w-full" onClick={() => window.print()}>
        {t.print}
      </Button>
    </section>
  )
}
