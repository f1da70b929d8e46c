// What each kind of posting must do, from the row of what it was for. Own arithmetic: nothing here looks at an entry.
import { minorText, parseExactly, textAt } from './money.ts'

/** `<kind> <owner> <currency> <mode>` and what comes to it. */
export type Effect = Map<string, bigint>

export interface Fact {
  id: string
  kind: string
  details: string
  accounts: string[]
  seqs: string[]
  /** As they are written: the account's name, and the amount. */
  entries: [account: string, amount: string][] | null
  currency: string | null
  mode: string | null
  payment: { amount: string; fee: string; payee: string; payer: string | null; method: string | null } | null
  refund: { amount: string; payee: string; payer: string | null; provider: string | null } | null
  funded: { kind: string; user: string; provider: string; amount: string; fee: string } | null
  found: { provider: string; amount: string } | null
  left: { provider: string; amount: string; kind: string | null; to: string | null } | null
  gift: { campaign: string; user: string; amount: string } | null
  taken: { campaign: string; user: string; amount: string; fee: string } | null
  /** Of a group, who gave or got. */
  member: string | null
  given_back: { campaign: string; user: string; amount: string } | null
}

/** In the order of their times, which is nearly that of the ledger. Numbers as text: JSON would make floats of them. */
export const factsText = `
  select p.id, p.kind, p.details::text as details, p.accounts::text[] as accounts, p.seqs::text[] as seqs,
    n.entries, n.currency, n.mode, m.id as member,
    case when pay.number is not null then json_build_object('amount', pay.amount::text, 'fee', pay.fee::text,
      'payee', coalesce('campaign ' || pay.campaign_id, 'merchant ' || pay.merchant_id),
      'payer', pay.payer_id, 'method', pay.method) end as payment,
    case when r.id is not null then json_build_object('amount', r.amount::text,
      'payee', coalesce('campaign ' || back.campaign_id, 'merchant ' || back.merchant_id),
      'payer', back.payer_id, 'provider', op.provider) end as refund,
    case when o.number is not null then json_build_object('kind', o.kind, 'user', o.user_id, 'provider', o.provider,
      'amount', o.amount::text, 'fee', o.fee::text) end as funded,
    case when f.id is not null then json_build_object('provider', f.provider, 'amount', f.amount::text) end as found,
    case when l.id is not null then json_build_object('provider', l.provider, 'amount', l.amount::text,
      'kind', l.matched_kind, 'to', l.matched_to) end as left,
    case when g.id is not null then json_build_object('campaign', g.campaign_id, 'user', g.user_id,
      'amount', g.amount::text) end as gift,
    case when w.id is not null then json_build_object('campaign', w.campaign_id, 'user', c.owner_id,
      'amount', w.amount::text, 'fee', w.fee::text) end as taken,
    case when b.contribution_id is not null then json_build_object('campaign', b.campaign_id, 'user', bg.user_id,
      'amount', b.moved::text) end as given_back
  from (select * from ledger.postings order by created_at, id) p
  left join users.people m on m.handle = p.details -> 'member' ->> 'handle'
  left join payments.payments pay on pay.posting_id = p.id
  left join payments.refunds r on r.posting_id = p.id
  left join payments.payments back on back.number = r.number
  left join operations.operations op on op.id = r.operation_id
  left join funding.orders o on o.posting_id = p.id
  left join funding.unmatched f on f.posting_id = p.id
  left join funding.unmatched l on l.ended_posting_id = p.id
  left join campaigns.contributions g on g.posting_id = p.id and g.payment is null
  left join campaigns.withdrawals w on w.posting_id = p.id
  left join campaigns.campaigns c on c.id = w.campaign_id
  left join campaigns.returns b on b.posting_id = p.id
  left join campaigns.contributions bg on bg.id = b.contribution_id and bg.payment is null
  cross join lateral (
    select json_agg(json_build_array(a.kind || ' ' || a.owner || ' ' || a.currency || ' ' || a.mode, e.amount::text))
        as entries, min(a.currency) as currency, min(a.mode) as mode
    from unnest(p.accounts, p.seqs) as k (account, seq)
    join ledger.entries e on e.account_id = k.account and e.seq = k.seq
    join ledger.accounts a on a.id = e.account_id
  ) n
  order by p.created_at, p.id`

/** Undefined: no row tells what it was for. */
export function effectOf(fact: Fact): Effect | undefined {
  const moves = movesOf(fact)
  if (moves === undefined) return undefined
  const effect: Effect = new Map()
  for (const [account, amount] of moves) {
    const name = `${account} ${fact.currency} ${fact.mode}`
    effect.set(name, (effect.get(name) ?? 0n) + amount)
  }
  return effect
}

type Moves = [account: string, amount: bigint][]

function movesOf(fact: Fact): Moves | undefined {
  const { kind, payment, refund, funded, found, left, gift, taken, given_back: back } = fact
  const details = parseExactly(fact.details)
  if (kind === 'transfer') return transferOf(details)
  if (kind === 'group_contribution' || kind === 'group_payout') return groupOf(fact, details)
  if (payment !== null) return paymentOf(payment, details)
  if (refund !== null) {
    const amount = BigInt(refund.amount)
    const to =
      refund.provider !== null
        ? `clearing ${refund.provider}`
        : refund.payer !== null
          ? `user ${refund.payer}`
          : 'clearing sandbox'
    return [
      [refund.payee, -amount],
      [to, amount],
    ]
  }
  if (funded !== null) return fundedOf(funded)
  if (found !== null)
    return between(`clearing ${found.provider}`, `unmatched ${found.provider}`, BigInt(found.amount))
  if (left !== null) {
    const to = left.kind === 'wallet' ? `user ${left.to}` : `clearing ${left.provider}`
    return between(`unmatched ${left.provider}`, to, BigInt(left.amount))
  }
  if (gift !== null) return between(`user ${gift.user}`, `campaign ${gift.campaign}`, BigInt(gift.amount))
  if (taken !== null)
    return charged(`campaign ${taken.campaign}`, `user ${taken.user}`, {
      amount: BigInt(taken.amount),
      fee: BigInt(taken.fee),
    })
  if (back !== null && back.user !== null)
    return between(`campaign ${back.campaign}`, `user ${back.user}`, BigInt(back.amount))
  // What only sets money aside, or frees it.
  const sets = textAt(details, 'step') === 'held' || kind === 'withdrawal_released'
  return sets ? [] : undefined
}

const between = (from: string, to: string, amount: bigint): Moves => [
  [from, -amount],
  [to, amount],
]

/** The fee is taken from the amount. */
const charged = (from: string, to: string, { amount, fee }: { amount: bigint; fee: bigint }): Moves => [
  [from, -amount],
  [to, amount - fee],
  ['fees -', fee],
]

function transferOf(details: unknown): Moves | undefined {
  const from = textAt(details, 'from', 'id')
  const amount = minorText(textAt(details, 'amount'))
  // What a business has earned goes to its owner as a transfer that names no person as its sender.
  if (from === '' || amount === undefined) return undefined
  const fee = minorText(textAt(details, 'fee')) ?? 0n
  return charged(`user ${from}`, `user ${textAt(details, 'to', 'id')}`, { amount, fee })
}

function groupOf({ kind, member }: Fact, details: unknown): Moves | undefined {
  const amount = minorText(textAt(details, 'amount'))
  if (amount === undefined) return undefined
  const user = `user ${member}`
  const group = `group ${textAt(details, 'group')}`
  return kind === 'group_payout' ? between(group, user, amount) : between(user, group, amount)
}

function paymentOf(payment: NonNullable<Fact['payment']>, details: unknown): Moves {
  const { payer, method, payee } = payment
  const amounts = { amount: BigInt(payment.amount), fee: BigInt(payment.fee) }
  if (payer !== null) return charged(`user ${payer}`, payee, amounts)
  // Customers of the sandbox have no wallets of their own.
  if (method === 'wallet') return charged('clearing sandbox', payee, amounts)
  const kind = textAt(details, 'unmatched') === '' ? 'clearing' : 'unmatched'
  return charged(`${kind} ${method}`, payee, amounts)
}

function fundedOf({ kind, user, provider, amount, fee }: NonNullable<Fact['funded']>): Moves {
  if (kind === 'deposit') return between(`clearing ${provider}`, `user ${user}`, BigInt(amount))
  // The fee is added to the amount.
  return [
    [`user ${user}`, -(BigInt(amount) + BigInt(fee))],
    [`clearing ${provider}`, BigInt(amount)],
    ['fees -', BigInt(fee)],
  ]
}
