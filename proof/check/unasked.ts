// The other direction: what is there and no answer told of must be a wish that nobody answered, and one each at most.
import type { Database } from './database.ts'
import type { Faults } from './faults.ts'
import { readReference } from './keys.ts'
import { parseExactly, textAt } from './money.ts'
import { bodyOf, type Known, parameterOf, type Wish, wishedAmount } from './requests.ts'

export interface Unasked {
  wishes: readonly Wish[]
  /** What answers told of. */
  claimed: ReadonlyMap<string, string>
  known: Known
  since: Date | undefined
  faults: Faults
}

export async function findUnasked(db: Database, unasked: Unasked): Promise<void> {
  const open = openWishes(unasked)
  /** It was told of, or it is one of the wishes that may have come true. */
  const expect = (found: { target: string; wish: string; what: string }) => {
    if (unasked.claimed.has(found.target)) return
    const left = open.get(found.wish) ?? 0
    if (left > 0) open.set(found.wish, left - 1)
    else unasked.faults.add(`${found.target} (${found.what}) is there, and nobody asked for it once more`)
  }
  for await (const row of postingsOf(db, unasked.since)) {
    const found = postingWish(row)
    if (found !== undefined) expect({ target: `posting ${row.id}`, ...found })
  }
  for await (const row of ordersOf(db, unasked.since)) {
    const act = row.kind === 'withdrawal' ? 'withdraw' : 'deposit'
    const wish = [act, row.user_id, row.amount, row.currency].join('|')
    expect({ target: `order ${row.number}`, wish, what: `${row.kind} of ${row.user_id}` })
  }
  await checkPayments(db, unasked, expect)
  await checkRefunds(db, unasked)
}

/** How many of each kind may have come true without an answer. */
function openWishes({ wishes, known }: Unasked): Map<string, number> {
  const open = new Map<string, number>()
  for (const { sent, done, unknown } of wishes) {
    if (done || !unknown) continue
    const wish = wishOf(sent, known)
    if (wish !== undefined) open.set(wish, (open.get(wish) ?? 0) + 1)
  }
  return open
}

function wishOf(sent: Wish['sent'], known: Known): string | undefined {
  const { act, who, mode = 'live' } = sent
  const body = bodyOf(sent)
  const amount = wishedAmount(sent, known)
  const currency = textAt(body, 'currency')
  switch (act) {
    case 'send':
      return [act, who, textAt(body, 'recipient').replace(/^@/, '').toLowerCase(), amount, currency].join('|')
    case 'contribute':
      return [act, who, parameterOf(sent), amount].join('|')
    case 'settle':
      return [act, who, amount, currency].join('|')
    case 'withdraw':
    case 'deposit':
      return [act, who, amount, currency].join('|')
    case 'initiate':
      return [act, who, mode, textAt(body, 'ref_trx')].join('|')
    case 'ask':
      return [act, who, mode, amount, currency].join('|')
    default:
      return undefined
  }
}

interface PostingRow {
  id: string
  kind: string
  details: string
  currency: string | null
  user: string | null
  campaign: string | null
  amount: string | null
}

/** Contributions to campaigns through the checkout are payments. */
const postingsOf = (db: Database, since: Date | undefined) =>
  db.stream<PostingRow>(
    `select p.id, p.kind, p.details::text as details, a.currency, coalesce(g.user_id, m.id) as user, g.campaign_id as campaign,
       coalesce(g.amount, n.most) as amount
     from ledger.postings p
     left join campaigns.contributions g on g.posting_id = p.id and g.payment is null
     left join users.people m on m.handle = p.details -> 'member' ->> 'handle'
     left join ledger.accounts a on a.id = p.accounts[1]
     cross join lateral (
       select max(e.amount) as most from unnest(p.accounts, p.seqs) as k (account, seq)
       join ledger.entries e on e.account_id = k.account and e.seq = k.seq
     ) n
     where p.kind in ('transfer', 'group_contribution', 'campaign_contribution')
       and ($1::timestamptz is null or p.created_at >= $1)`,
    [since ?? null],
  )

function postingWish(row: PostingRow): { wish: string; what: string } | undefined {
  const details = parseExactly(row.details)
  const amount = textAt(details, 'amount')
  // What pays a money request happens once because the request does.
  if (textAt(details, 'request') !== '') return undefined
  if (row.kind === 'transfer') {
    const from = textAt(details, 'from', 'id')
    const to = textAt(details, 'to', 'handle')
    const parts =
      from === '' ? ['settle', textAt(details, 'to', 'id'), row.amount] : ['send', from, to, amount]
    return { wish: [...parts, row.currency].join('|'), what: `transfer of ${amount} from ${from} to ${to}` }
  }
  if (row.kind === 'group_contribution') {
    const [who, group] = [row.user, textAt(details, 'group')]
    return { wish: ['contribute', who, group, amount].join('|'), what: `${amount} of ${who} to ${group}` }
  }
  if (row.campaign === null) return undefined
  return {
    wish: ['contribute', row.user, row.campaign, row.amount].join('|'),
    what: `${row.amount} of ${row.user} to ${row.campaign}`,
  }
}

const ordersOf = (db: Database, since: Date | undefined) =>
  db.stream<{ number: string; kind: string; user_id: string; amount: string; currency: string }>(
    `select number, kind, user_id, amount, currency from funding.orders
     where $1::timestamptz is null or created_at >= $1`,
    [since ?? null],
  )

interface PaymentRow {
  number: string
  token: string
  merchant: string
  mode: string
  source: string
  ref: string | null
  amount: string
  currency: string
  payer: string | null
}

async function checkPayments(
  db: Database,
  { wishes, since, known, faults }: Unasked,
  expect: (found: { target: string; wish: string; what: string }) => void,
): Promise<void> {
  const paying = new Set<string>()
  for (const { sent, done, unknown } of wishes) {
    if (sent.act !== 'pay' || (!done && !unknown)) continue
    const reference = readReference(known.idem, textAt(bodyOf(sent), 'payment'))
    paying.add(`${sent.who} ${reference?.id}`)
  }
  const rows = db.stream<PaymentRow>(
    `select number, encode(token_hash, 'hex') as token, merchant_id::text as merchant, mode, source, ref_trx as ref,
       amount, currency, payer_id as payer
     from payments.payments where merchant_id is not null and ($1::timestamptz is null or created_at >= $1)`,
    [since ?? null],
  )
  for await (const row of rows) {
    const { number, merchant, mode } = row
    const who = `merchant:${merchant}`
    const wish =
      row.source === 'gateway'
        ? ['initiate', who, mode, row.ref].join('|')
        : ['ask', who, mode, row.amount, row.currency].join('|')
    const target = row.source === 'gateway' ? `token ${row.token}` : `payment ${number}`
    expect({ target, wish, what: `payment ${number} to merchant ${merchant}` })
    if (row.payer !== null && !paying.has(`${row.payer} ${number}`))
      faults.add(`payment ${number} was paid by ${row.payer}, who did not ask for that`)
  }
}

/** Rows of a payment against what was asked of it: those that were promised are there, and no more than may be. */
async function checkRefunds(db: Database, { wishes, since, known, faults }: Unasked): Promise<void> {
  const asked = new Map<string, { promised: (bigint | undefined)[]; maybe: number }>()
  for (const { sent, done, unknown } of wishes) {
    if (sent.act !== 'refund' || (!done && !unknown)) continue
    const number = String(readReference(known.idem, parameterOf(sent))?.id)
    const found = asked.get(number) ?? { promised: [], maybe: 0 }
    asked.set(number, found)
    if (done) found.promised.push(refundAmount(sent))
    else found.maybe += 1
  }
  const rows = db.stream<{ number: string; currency: string; amounts: string[] }>(
    `select number, min(currency) as currency, array_agg(amount::text order by seq) as amounts from payments.refunds
     where merchant_id is not null and ($1::timestamptz is null or created_at >= $1) group by 1`,
    [since ?? null],
  )
  for await (const { number, currency, amounts } of rows) {
    const { promised, maybe } = asked.get(number) ?? { promised: [], maybe: 0 }
    asked.delete(number)
    const left = [...amounts]
    for (const scaled of promised.toSorted(
      (one, other) => Number(one === undefined) - Number(other === undefined),
    )) {
      const at =
        scaled === undefined ? left.length - 1 : left.findIndex((amount) => fits(amount, currency, scaled))
      if (at < 0) faults.add(`payment ${number}: a refund that was promised is not there`)
      else left.splice(at, 1)
    }
    if (left.length > maybe)
      faults.add(`payment ${number} was refunded ${amounts.length} times, ${left.length - maybe} too often`)
  }
  for (const [number, { promised }] of asked)
    if (promised.length > 0) faults.add(`payment ${number}: a refund that was promised is not there`)
}

/** In hundredths, since the request does not name the currency; undefined: all that is left. */
function refundAmount(sent: Wish['sent']): bigint | undefined {
  const text = textAt(bodyOf(sent), 'amount')
  if (text === '') return undefined
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2))
}

const wholeOnly = new Set(['UGX', 'RWF'])
const fits = (amount: string, currency: string, scaled: bigint): boolean =>
  BigInt(amount) * (wholeOnly.has(currency) ? 100n : 1n) === scaled
