// What an answer promised, held against the rows: exactly there, with that amount, fee, parties and reference; and the
// answer that is kept for repetitions is the one that was given.
import { createHash } from 'node:crypto'
import type { Database } from './database.ts'
import type { Faults } from './faults.ts'
import type { Sent, Told } from './journal.ts'
import { readReference, storedKey } from './keys.ts'
import { minorOf, minorText, parseExactly, textAt } from './money.ts'
import { bodyOf, type Known, parameterOf, wishedAmount } from './requests.ts'

export interface Claim {
  sent: Sent
  /** The answer, as text and as what it says. */
  text: string
  status: number
  said: unknown
  /** What it names: `posting 12`, `order 7`, `payment 5`, `token …`. */
  target: string
  id: string
  /** Where the answer is kept, if the request had a key. */
  key: string | undefined
}

const referenceKinds: Record<string, string> = {
  send: 'TR',
  settle: 'TR',
  contribute: 'GC CC',
  withdraw: 'WD',
  deposit: 'DP',
  ask: 'PY',
}

export function claimOf(
  { sent, answer }: Told,
  { known, faults }: { known: Known; faults: Faults },
): Claim | undefined {
  if (answer === undefined) return undefined
  const said = parseExactly(answer.body)
  const key = sent.key === undefined ? undefined : keyOf(sent, sent.key, known)
  const claim = { sent, text: answer.body, status: answer.status, said, key }
  if (sent.act === 'initiate') {
    const token = /[?&]token=([\w-]+)/.exec(textAt(said, 'payment_url'))?.[1] ?? ''
    const id = createHash('sha256').update(token).digest('hex')
    return { ...claim, target: `token ${id}`, id }
  }
  const kinds = referenceKinds[sent.act]
  const isPaid = sent.act === 'pay' || sent.act === 'refund'
  if (kinds === undefined && !isPaid) return undefined
  const text = isPaid
    ? textAt(bodyOf(sent), 'payment') || parameterOf(sent)
    : textAt(said, 'data', 'reference')
  const reference = readReference(known.idem, text)
  if (reference === undefined || !(kinds ?? 'PY').split(' ').includes(reference.kind)) {
    faults.add(`request ${sent.n} (${sent.act}) was told of "${text}", which is no reference of that kind`)
    return undefined
  }
  const table =
    isPaid || sent.act === 'ask' ? 'payment' : 'DP WD'.includes(reference.kind) ? 'order' : 'posting'
  const target = isPaid ? `${sent.act} ${reference.id}` : `${table} ${reference.id}`
  return { ...claim, target, id: String(reference.id) }
}

function keyOf({ who, mode = 'live', route }: Sent, key: string, { idem }: Known): string {
  const merchant = /^merchant:(\d+)$/.exec(who)?.[1]
  const principal = merchant === undefined ? (['user', who] as const) : (['merchant', merchant] as const)
  return storedKey(idem, { principal, mode, route, key })
}

export interface Verifying {
  claims: readonly Claim[]
  known: Known
  promised: Faults
  unknown: Faults
}

export async function verifyClaims(db: Database, verifying: Verifying): Promise<void> {
  const { claims } = verifying
  if (claims.length === 0) return
  const of = (...acts: string[]) => claims.filter(({ sent }) => acts.includes(sent.act))
  await verifyPostings(db, { ...verifying, claims: of('send', 'settle', 'contribute') })
  await verifyOrders(db, { ...verifying, claims: of('withdraw', 'deposit') })
  await verifyPayments(db, { ...verifying, claims: of('initiate', 'ask', 'pay', 'refund') })
  await verifyAnswers(db, { ...verifying, claims: of('send', 'settle', 'contribute', 'withdraw', 'refund') })
}

const nameOf = ({ sent, target }: Claim): string =>
  `request ${sent.n} (${sent.act}${sent.key === undefined ? '' : `, key ${sent.key}`}), which was told of ${target}`

interface PostingRow {
  id: string
  kind: string
  details: string
  entries: [account: string, amount: string][] | null
}

async function verifyPostings(db: Database, { claims, known, promised }: Verifying): Promise<void> {
  const rows = await db.rows<PostingRow>(
    `select p.id, p.kind, p.details::text as details, n.entries
     from ledger.postings p
     cross join lateral (
       select json_agg(json_build_array(a.kind || ' ' || a.owner || ' ' || a.currency || ' ' || a.mode, e.amount::text))
         as entries
       from unnest(p.accounts, p.seqs) as k (account, seq)
       join ledger.entries e on e.account_id = k.account and e.seq = k.seq and e.posting_id = p.id
       join ledger.accounts a on a.id = e.account_id
     ) n
     where p.id = any ($1::bigint[])`,
    [claims.map(({ id }) => id)],
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const claim of claims) {
    const row = byId.get(claim.id)
    if (row === undefined) promised.add(`${nameOf(claim)}: it is not there`)
    else
      for (const problem of postingProblems(claim, row, known)) promised.add(`${nameOf(claim)}: ${problem}`)
  }
}

/** What moved must be what was asked for and what was answered. */
function postingProblems(claim: Claim, row: PostingRow, known: Known): string[] {
  const { sent, said } = claim
  const body = bodyOf(sent)
  const currency = textAt(said, 'data', 'currency') || known.currencies.get(parameterOf(sent)) || ''
  const amount = minorOf(textAt(said, 'data', 'amount'), currency)
  const fee = minorOf(textAt(said, 'data', 'fee') || '0', currency) ?? 0n
  if (amount === undefined) return ['the answer has no amount']
  const problems = amount === wishedAmount(sent, known) ? [] : [`the answer has another amount: ${amount}`]
  const details = parseExactly(row.details)
  const due = new Map<string, bigint>()
  if (sent.act === 'send') {
    const handle = textAt(body, 'recipient').replace(/^@/, '').toLowerCase()
    if (textAt(details, 'to', 'handle') !== handle)
      problems.push(`it went to ${textAt(details, 'to', 'handle')}`)
    const gets = minorOf(textAt(said, 'data', 'recipient_gets'), currency)
    if (gets !== amount - fee) problems.push(`the answer says that the recipient gets ${gets}`)
    if (minorText(textAt(details, 'fee')) !== fee) problems.push('its details have another fee')
    due.set(`user ${sent.who}`, -amount)
    due.set(`user ${textAt(details, 'to', 'id')}`, amount - fee)
  } else if (sent.act === 'contribute') {
    const id = parameterOf(sent)
    due.set(`user ${sent.who}`, -amount)
    due.set(`${id.startsWith('grp') ? 'group' : 'campaign'} ${id}`, amount)
  } else due.set(`user ${sent.who}`, amount)
  if (fee !== 0n) due.set('fees -', fee)
  for (const [account, expected] of due) {
    const found = (row.entries ?? [])
      .filter(([name]) => name === `${account} ${currency} live`)
      .reduce((sum, [, minor]) => sum + BigInt(minor), 0n)
    if (found !== expected) problems.push(`${found} minor ${currency} came to ${account}, not ${expected}`)
  }
  return problems
}

interface OrderRow {
  number: string
  kind: string
  user_id: string
  amount: string
  fee: string
  currency: string
  answer: string | null
  key: string | null
  /** The posting that holds the money. */
  held: string | null
}

async function verifyOrders(db: Database, { claims, known, promised, unknown }: Verifying): Promise<void> {
  const rows = await db.rows<OrderRow>(
    `select o.number, o.kind, o.user_id, o.amount, o.fee, o.currency, o.answer, o.idem_key as key, h.amount as held
     from funding.orders o left join ledger.holds h on h.id = o.hold_id where o.number = any ($1::bigint[])`,
    [claims.map(({ id }) => id)],
  )
  const byId = new Map(rows.map((row) => [row.number, row]))
  for (const claim of claims) {
    const row = byId.get(claim.id)
    if (row === undefined) {
      promised.add(`${nameOf(claim)}: it is not there`)
      continue
    }
    for (const problem of orderProblems(claim, row, known)) promised.add(`${nameOf(claim)}: ${problem}`)
    if (claim.key === undefined || claim.sent.act !== 'deposit') continue
    if (row.key !== claim.key) unknown.add(`${nameOf(claim)}: its row has another key`)
    else if (row.answer !== null && row.answer !== claim.text)
      unknown.add(`${nameOf(claim)}: another answer is kept`)
  }
}

function orderProblems({ sent, said }: Claim, row: OrderRow, known: Known): string[] {
  const problems: string[] = []
  const amount = BigInt(row.amount)
  const fee = BigInt(row.fee)
  if (row.user_id !== sent.who) problems.push(`it is of ${row.user_id}`)
  if (row.kind !== (sent.act === 'withdraw' ? 'withdrawal' : 'deposit')) problems.push(`it is a ${row.kind}`)
  if (row.currency !== textAt(bodyOf(sent), 'currency')) problems.push(`it is in ${row.currency}`)
  if (amount !== wishedAmount(sent, known)) problems.push(`its amount is ${amount}`)
  if (amount !== minorOf(textAt(said, 'data', 'amount'), row.currency))
    problems.push('the answer has another amount')
  if (sent.act !== 'withdraw') return problems
  if (fee !== minorOf(textAt(said, 'data', 'fee'), row.currency)) problems.push('the answer has another fee')
  if (BigInt(row.held ?? 0) !== amount + fee) problems.push(`${row.held ?? 0} was held for it`)
  return problems
}

interface PaymentRow {
  number: string
  token: string
  merchant: string | null
  mode: string
  ref: string | null
  amount: string
  currency: string
  status: string
  payer: string | null
  key: string | null
}

async function verifyPayments(db: Database, { claims, known, promised, unknown }: Verifying): Promise<void> {
  const rows = await db.rows<PaymentRow>(
    `select number, encode(token_hash, 'hex') as token, merchant_id::text as merchant, mode, ref_trx as ref, amount,
       currency, status, payer_id as payer, idem_key as key
     from payments.payments where number = any ($1::bigint[]) or token_hash = any ($2::bytea[])`,
    [
      claims.filter(({ sent }) => sent.act !== 'initiate').map(({ id }) => id),
      claims.filter(({ sent }) => sent.act === 'initiate').map(({ id }) => Buffer.from(id, 'hex')),
    ],
  )
  const found = new Map(rows.flatMap((row) => [[row.number, row] as const, [row.token, row] as const]))
  for (const claim of claims) {
    const row = found.get(claim.id)
    if (row === undefined) {
      promised.add(`${nameOf(claim)}: it is not there`)
      continue
    }
    for (const problem of paymentProblems(claim, row, known)) promised.add(`${nameOf(claim)}: ${problem}`)
    const isKept = claim.sent.act === 'initiate' || claim.sent.act === 'ask'
    // A payment that was asked for under the shop's own name is found by that name too, whatever key comes with it.
    if (isKept && claim.key !== undefined && row.ref === null && row.key !== claim.key)
      unknown.add(`${nameOf(claim)}: its row has another key`)
  }
}

function paymentProblems({ sent, said }: Claim, row: PaymentRow, known: Known): string[] {
  const problems: string[] = []
  const isPaid = row.status === 'completed' || row.status === 'refunded'
  if (sent.act === 'pay') {
    if (!isPaid) problems.push(`it is ${row.status}`)
    // Customers of the sandbox have no wallets of their own.
    if (row.payer !== sent.who && row.mode === 'live') problems.push(`it was paid by ${row.payer}`)
    return problems
  }
  if (`merchant:${row.merchant}` !== sent.who) problems.push(`it is of merchant ${row.merchant}`)
  if (row.mode !== (sent.mode ?? 'live')) problems.push(`it is in ${row.mode} mode`)
  if (sent.act === 'refund') {
    if (!isPaid) problems.push(`it is ${row.status}`)
    return problems
  }
  const data = sent.act === 'initiate' ? 'info' : 'data'
  const currency = textAt(bodyOf(sent), sent.act === 'initiate' ? 'currency_code' : 'currency')
  if (row.currency !== currency) problems.push(`it is in ${row.currency}`)
  if (BigInt(row.amount) !== wishedAmount(sent, known)) problems.push(`its amount is ${row.amount}`)
  if (BigInt(row.amount) !== minorOf(textAt(said, data, 'amount'), currency))
    problems.push('the answer has another amount')
  if (sent.act === 'initiate' && row.ref !== textAt(bodyOf(sent), 'ref_trx'))
    problems.push(`the shop's name for it is ${row.ref}`)
  return problems
}

/** The answer to a repetition is the first one, byte for byte. */
async function verifyAnswers(db: Database, { claims, unknown }: Verifying): Promise<void> {
  const keyed = claims.filter(({ key }) => key !== undefined)
  const rows = await db.rows<{ key: string; status: number; body: string }>(
    `select key, status, body from ledger.answers where key = any ($1::uuid[])`,
    [keyed.map(({ key }) => key)],
  )
  const byKey = new Map(rows.map((row) => [row.key, row]))
  for (const claim of keyed) {
    const row = byKey.get(claim.key ?? '')
    if (row === undefined) unknown.add(`${nameOf(claim)}: no answer is kept for its key`)
    else if (row.status !== claim.status || row.body !== claim.text)
      unknown.add(`${nameOf(claim)}: another answer is kept for its key`)
  }
}
