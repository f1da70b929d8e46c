// A refund: how much, then who gets what from where, then what came of it.
import { fromMinor, toMinor } from '@mfuko/sdk/browser'
import { CircleCheck, Clock } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Redirect, useParams } from 'wouter'
import { type Act, useAct } from '../kit/act.ts'
import { Amount, readAmount, writeAmount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { fieldError } from '../kit/errors.ts'
import { Facts } from '../kit/facts.tsx'
import { AmountField, TextField } from '../kit/field.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { common } from '../kit/words.ts'
import { client } from '../session.ts'
import { given, type PaymentShown, usePayment } from './data.ts'
import { BusinessPage } from './frame.tsx'
import { payments as words } from './words-payments.ts'

export const Refund = () => {
  const t = useWords(words)
  const { reference = '' } = useParams()
  const query = usePayment(reference)
  const [done, setDone] = useState<Done>()
  const back = `/business/payments/${reference}`
  return (
    <BusinessPage title={t.refundTitle} back={back} width="narrow" mode={query.data?.mode ?? 'live'}>
      {() => (
        <Loaded query={query} skeleton={<RowBones rows={3} />}>
          {(payment) => {
            if (done !== undefined) return <Receipt done={done} back={back} />
            if (payment.status === 'pending' || payment.status === 'failed')
              return <Redirect to={back} replace />
            return <Form payment={payment} onDone={setDone} />
          }}
        </Loaded>
      )}
    </BusinessPage>
  )
}

interface Done {
  payment: PaymentShown
  amount: string
}

/** In minor units, so that it is exact: what is on its way back is not there any more. */
function leftOf({ amount, currency, refunds }: PaymentShown): bigint {
  const gone = refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, refund) => sum + toMinor(refund.amount, currency), 0n)
  return toMinor(amount, currency) - gone
}

interface Order {
  amount: string
  reason?: string
}

const Form = ({ payment, onDone }: { payment: PaymentShown; onDone: (done: Done) => void }) => {
  const t = useWords(words)
  const language = useLanguage()
  const { reference, currency } = payment
  const leftMinor = leftOf(payment)
  const left = fromMinor(leftMinor, currency)
  const [isPart, setPart] = useState(false)
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const [order, setOrder] = useState<Order>()
  const act = useAct({
    name: `refund-${reference}`,
    run: (wanted: Order, call) => client.merchant.refund(reference, wanted, call),
    onDone: (refunded, { amount }) => onDone({ payment: refunded, amount }),
  })
  if (leftMinor <= 0n) return <Notice>{t.nothingLeft}</Notice>
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const amount = isPart ? readAmount(typed, currency) : left
    const isGood = amount !== undefined && toMinor(amount, currency) <= leftMinor
    act.reset()
    setProblem(isGood ? undefined : t.notPart(writeAmount(left, currency, language)))
    if (isGood) setOrder({ amount, ...given({ reason: reason.trim() }) })
  }
  return (
    <form className="form" onSubmit={submit}>
      <Facts
        rows={[
          [t.paid, <Amount key="paid" value={payment.amount} currency={currency} />],
          [t.left, <Amount key="left" value={left} currency={currency} />],
        ]}
      />
      <HowMuch isPart={isPart} onChange={setPart} />
      {isPart && (
        <AmountField
          label={t.howMuch}
          value={typed}
          onChange={(value) => {
            setTyped(value)
            setProblem(undefined)
          }}
          currency={currency}
          error={problem ?? (act.state === 'refused' ? fieldError(act.error, 'amount') : undefined)}
        />
      )}
      <TextField
        label={t.reason}
        hint={t.reasonHint}
        optional
        maxLength={140}
        value={reason}
        onChange={setReason}
      />
      <ActNotice act={act} fields={isPart ? ['amount'] : []} />
      <Button type="submit" look="main">
        {t.check}
      </Button>
      <Confirming payment={payment} order={order} act={act} onClose={() => setOrder(undefined)} />
    </form>
  )
}

interface ConfirmingProps {
  payment: PaymentShown
  /** Absent: nothing is to be confirmed. */
  order: Order | undefined
  act: Act<Order>
  onClose: () => void
}

/** What is confirmed is what is sent, to the amount. When it did not get through, the form says so. */
const Confirming = ({ payment, order, act, onClose }: ConfirmingProps) => {
  const t = useWords(words)
  const language = useLanguage()
  const isOpen = order !== undefined && (act.state === 'idle' || act.state === 'busy')
  const amount = order?.amount ?? '0'
  return (
    <Confirm
      title={t.confirmTitle}
      open={isOpen}
      busy={act.state === 'busy'}
      onClose={onClose}
      act={t.refundNow(writeAmount(amount, payment.currency, language))}
      onConfirm={() => {
        if (order !== undefined) void act.submit(order)
      }}
    >
      <Summary payment={payment} amount={amount} reason={order?.reason} />
    </Confirm>
  )
}

const HowMuch = ({ isPart, onChange }: { isPart: boolean; onChange: (isPart: boolean) => void }) => {
  const t = useWords(words)
  return (
    <fieldset className="business-options">
      <legend className="field-label">{t.howMuch}</legend>
      {[false, true].map((one) => (
        <label key={String(one)} className="business-option">
          <input type="radio" name="how-much" checked={isPart === one} onChange={() => onChange(one)} />
          {one ? t.part : t.whole}
        </label>
      ))}
    </fieldset>
  )
}

interface SummaryProps {
  payment: PaymentShown
  amount: string
  reason: string | undefined
}

const Summary = ({ payment, amount, reason }: SummaryProps) => {
  const t = useWords(words)
  return (
    <>
      <Facts
        rows={[
          [
            t.refund,
            <Amount key="amount" value={amount} currency={payment.currency} className="font-semibold" />,
          ],
          [t.goesTo, payment.customer ?? t.thePayer],
          [t.comesFrom, t.ofBusiness],
          [t.order, payment.ref_trx],
          [t.reason, reason],
        ]}
      />
      <p className="mt-4">
        {t.feeStays} {t.cantUndo}
      </p>
    </>
  )
}

const Receipt = ({ done: { payment, amount }, back }: { done: Done; back: string }) => {
  const t = useWords(words)
  const c = useWords(common)
  const isGoing = payment.refunds.at(-1)?.status === 'pending'
  const Icon = isGoing ? Clock : CircleCheck
  return (
    <section className="business-receipt" role="status">
      <Icon className="business-receipt-icon" aria-hidden="true" />
      <h2 className="business-receipt-title">{isGoing ? t.refundGoing : t.refundedNow}</h2>
      <p className="business-sum-amount">
        <Amount value={amount} currency={payment.currency} />
      </p>
      {isGoing && <p className="text-soft">{t.refundGoingText}</p>}
      <p className="business-reference">
        <span className="text-soft">{c.reference}</span> <code>{payment.reference}</code>
      </p>
      <Facts
        rows={[
          [t.goesTo, payment.customer ?? t.thePayer],
          [t.refundedSum, <Amount key="all" value={payment.refunded_amount} currency={payment.currency} />],
          [
            t.left,
            <Amount
              key="left"
              value={fromMinor(leftOf(payment), payment.currency)}
              currency={payment.currency}
            />,
          ],
        ]}
      />
      <ButtonLink href={back} look="main" className="mt-6 w-full">
        {t.toPayment}
      </ButtonLink>
    </section>
  )
}
