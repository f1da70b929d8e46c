import {
  ArrowDownLeft,
  ArrowUpRight,
  CircleDot,
  Dices,
  type LucideIcon,
  RefreshCcw,
  UserMinus,
  UserPlus,
  Vote,
} from 'lucide-react'
import { Link } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { useWords } from '../kit/language.ts'
import { Time } from '../kit/time.tsx'
import type { FeedItem, Group } from './data.ts'
import { feedWords } from './feed-words.ts'

/** Into the pot, or out of it; others only say an amount. */
const incoming = new Set(['contributed', 'repaid'])
const outgoing = new Set(['pot', 'returned', 'settled', 'payout'])

const icons: Record<string, LucideIcon> = {
  joined: UserPlus,
  left: UserMinus,
  removed: UserMinus,
  draw_announced: Dices,
  draw_word: Dices,
  round_started: RefreshCcw,
  round_done: RefreshCcw,
  round_dissolved: RefreshCcw,
  payout_proposed: Vote,
  payout_approved: Vote,
  payout_cancelled: Vote,
  payout_expired: Vote,
}

export const FeedRows = ({
  group,
  items,
}: {
  group: Pick<Group, 'id' | 'currency'>
  items: readonly FeedItem[]
}) => (
  <ul className="rows">
    {items.map((item, place) => (
      <li key={`${item.created_at} ${item.type} ${item.entry} ${place}`}>
        <FeedRow group={group} item={item} />
      </li>
    ))}
  </ul>
)

/** Notes that are names of ours, and are told in the sentence. */
const codedNotes = new Set(['role_changed', 'round_started', 'owes', 'draw_announced'])

export function useTold(): (item: FeedItem) => string {
  const t = useWords(feedWords)
  return (item) => {
    const tell = Object.hasOwn(t.events, item.type) ? t.events[item.type as keyof typeof t.events] : undefined
    const [by, member] = [item.by?.name ?? '', item.member?.name ?? '']
    const own = item.member === null || item.by?.handle === item.member.handle
    return tell?.({ by, member: member || by, note: item.note ?? '', own }) ?? item.type
  }
}

const FeedRow = ({ group, item }: { group: Pick<Group, 'id' | 'currency'>; item: FeedItem }) => {
  const t = useWords(feedWords)
  const told = useTold()
  const isIn = incoming.has(item.type)
  const isOut = outgoing.has(item.type)
  const Icon = isIn ? ArrowDownLeft : isOut ? ArrowUpRight : (icons[item.type] ?? CircleDot)
  const note = codedNotes.has(item.type) ? null : item.note
  return (
    <div className="row">
      <span className={`row-icon ${isIn ? 'row-icon-in' : ''}`}>
        <Icon aria-hidden="true" />
      </span>
      <span className="row-main">
        <span className="together-told">{told(item)}</span>
        <span className="row-sub">
          <Time value={item.created_at} form="short" />
          {note !== null && ` · ${note}`}
        </span>
      </span>
      <span className="row-end">
        {item.amount !== null && (
          <Amount
            value={item.amount}
            currency={group.currency}
            sign={isIn ? '+' : isOut ? '−' : undefined}
            className={isIn ? 'text-brand font-semibold' : 'font-semibold'}
          />
        )}
        {item.entry !== null && (
          <Link href={`/groups/${group.id}/entries/${item.entry}`} className="link together-small-link">
            {t.receipt}
            <span className="sr-only"> {t.receiptOf(item.entry)}</span>
          </Link>
        )}
      </span>
    </div>
  )
}
