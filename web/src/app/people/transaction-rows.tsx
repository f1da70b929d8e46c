import { ArrowDownLeft, ArrowUpRight, Clock, type LucideIcon, X } from 'lucide-react'
import { Link } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { useWords } from '../kit/language.ts'
import { Time } from '../kit/time.tsx'
import type { Transaction } from './data.ts'
import { people } from './words.ts'

/** Each leads to its details. */
export const TransactionRows = ({ items }: { items: readonly Transaction[] }) => (
  <ul className="rows">
    {items.map((item) => (
      <li key={`${item.reference} ${item.direction}`}>
        <TransactionRow item={item} />
      </li>
    ))}
  </ul>
)

const TransactionRow = ({ item }: { item: Transaction }) => {
  const t = useWords(people)
  const Icon = iconOf(item)
  const isIn = item.direction === 'in'
  return (
    <Link href={`/history/${item.reference}`} className="row row-link">
      <span className={`row-icon ${isIn ? 'row-icon-in' : ''}`}>
        <Icon aria-hidden="true" />
      </span>
      <span className="row-main">
        <span className="row-title">{item.counterparty.name}</span>
        <span className="row-sub">
          {t.types[item.type]}
          {item.status !== 'completed' && ` · ${t.statuses[item.status]}`}
          {item.note !== null && item.status !== 'failed' && ` · ${item.note}`}
        </span>
      </span>
      <span className="row-end">
        <Amount
          value={item.amount}
          currency={item.currency}
          sign={isIn ? '+' : '−'}
          className={
            item.status === 'failed'
              ? 'line-through text-soft'
              : isIn
                ? 'text-brand font-semibold'
                : 'font-semibold'
          }
        />
        <span className="row-sub">
          <Time value={item.created_at} form="short" />
        </span>
      </span>
    </Link>
  )
}

function iconOf({ status, direction }: Transaction): LucideIcon {
  if (status === 'pending') return Clock
  if (status === 'failed') return X
  return direction === 'in' ? ArrowDownLeft : ArrowUpRight
}
