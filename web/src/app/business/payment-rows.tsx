import { Link } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { Status } from '../kit/facts.tsx'
import { useWords } from '../kit/language.ts'
import { Time } from '../kit/time.tsx'
import type { PaymentItem } from './data.ts'
import { payments as words } from './words-payments.ts'

/** Two lines a payment on a phone, columns on a wide screen. Each leads to its details. */
export const PaymentRows = ({ items }: { items: readonly PaymentItem[] }) => {
  const t = useWords(words)
  return (
    <>
      <p className="business-columns" aria-hidden="true">
        <span>{t.order}</span>
        <span>{t.customer}</span>
        <span>{t.status}</span>
        <span>{t.date}</span>
        <span className="text-right">{t.amount}</span>
      </p>
      <ul className="rows">
        {items.map((item) => (
          <li key={item.reference}>
            <PaymentRow item={item} />
          </li>
        ))}
      </ul>
    </>
  )
}

const PaymentRow = ({ item }: { item: PaymentItem }) => {
  const method = useMethodName()
  return (
    <Link href={`/business/payments/${item.reference}`} className="row row-link business-row">
      <span className="business-cell-order">
        <span className="row-title">{item.ref_trx ?? item.reference}</span>
        <span className="row-sub">{item.description ?? item.reference}</span>
      </span>
      <span className="business-cell-customer">
        <span className="row-title">{item.customer ?? '–'}</span>
        <span className="row-sub">{item.method === null ? '' : method(item.method)}</span>
      </span>
      <span className="business-cell-status">
        <PaymentStatus item={item} />
      </span>
      <span className="business-cell-date row-sub">
        <Time value={item.created_at} form="short" />
      </span>
      <Amount value={item.amount} currency={item.currency} className="business-cell-amount font-semibold" />
    </Link>
  )
}

const tones = { pending: 'waiting', completed: 'good', failed: 'bad', refunded: 'plain' } as const

type Standing = Pick<PaymentItem, 'status' | 'refunded_amount'>

export const PaymentStatus = ({ item: { status, refunded_amount } }: { item: Standing }) => {
  const t = useWords(words)
  const isPart = status === 'completed' && refunded_amount > 0
  return <Status tone={tones[status]}>{isPart ? t.partRefunded : t.statuses[status]}</Status>
}

const providers: Record<string, string> = {
  mpesa: 'M-Pesa',
  mtn: 'MTN MoMo',
  airtel: 'Airtel Money',
  paystack: 'Paystack',
}

/** `wallet` is ours; the others have names of their own. */
export function useMethodName(): (method: string) => string {
  const t = useWords(words)
  return (method) => (method === 'wallet' ? t.wallet : (providers[method] ?? method))
}
