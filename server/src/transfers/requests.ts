// Money requests: ask, pay, decline, take back. Paying one is a transfer, and both happen or neither does.
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { isCurrency, splitFee, toDecimal, toJson, toText } from '../base/money.ts'
import { encodeReference } from '../base/reference.ts'
import type { Tx } from '../db/db.ts'
import * as ledgers from '../ledger/ledger.ts'
import * as mail from '../mail/mail.ts'
import * as receipts from '../receipts/receipts.ts'
import type { Origin, Person } from '../users/users.ts'
import { receiptsOf } from './receipts.ts'
import type { Terms } from './rules.ts'
import * as sql from './sql.ts'
import { namedPerson, postingOf, refusalOf, type TransferDependencies, termsOf } from './transfers.ts'

const lifeMs = 30 * 86_400_000
/** Open ones of a person, to one other and in all: more is a nuisance. */
const pendingMax = { toOne: 10, inAll: 100 }
/** Within a day, taken back or not: who asks, takes back and asks again fills no mailbox. The others are seen in the app. */
const mailedMax = { toOne: 5, inAll: 100 }
const dayMs = 86_400_000
const guardTriesMax = 3

export interface Asking {
  payeeId: string
  /** The handle of who is asked. */
  from: string
  terms: Terms
  note?: string | undefined
  /** Present when the request may be repeated. */
  key: ledgers.RequestKey | undefined
}

/** One money request, however often it is asked for with the same key. */
export async function ask(deps: TransferDependencies, asking: Asking): Promise<ledgers.Answered> {
  const { payeeId, from, key } = asking
  const { person: payer, problem } = await namedPerson(deps, {
    senderId: payeeId,
    handle: from,
    field: 'from',
  })
  const payee = await personOf(deps, payeeId)
  if (payee.frozen) throw new AppError('account_frozen')
  const now = deps.clock.now()
  return deps.db.inTransaction((tx) => {
    const work = async () => {
      if (problem !== undefined) throw problem
      const row = await writeRequest(tx, { ...asking, payer, payee, now })
      const data = shape(deps, { row, viewer: payeeId, other: payer })
      return { status: 201, body: JSON.stringify({ success: true, message: 'Request sent', data }) }
    }
    return ledgers.answerOnce(tx, { key, now, work })
  })
}

interface Writing extends Pick<Asking, 'terms' | 'note'> {
  payer: Person
  payee: Person
  now: Date
}

async function writeRequest(tx: Tx, { payer, payee, terms, note, now }: Writing): Promise<sql.RequestRow> {
  await refuseMore(tx, { payee: payee.id, payer, now })
  const mailed = await mayMail(tx, { payee: payee.id, payer: payer.id, now })
  const row = await sql.insertRequest(tx, {
    id: newId('mrq'),
    payer_id: payer.id,
    payee_id: payee.id,
    amount: terms.amount.minor,
    currency: terms.amount.currency,
    note: note || null,
    created_at: now,
    expires_at: new Date(now.getTime() + lifeMs),
  })
  check(row !== undefined, 'a row that was inserted is returned')
  if (mailed) await tellPayer(tx, { payer, payee, amountOf: (locale) => toText(terms.amount, locale), note })
  return row
}

async function mayMail(
  tx: Tx,
  { payee, payer, now }: { payee: string; payer: string; now: Date },
): Promise<boolean> {
  const since = new Date(now.getTime() - dayMs)
  const made = await sql.countMade(tx, { payee, payer, since, limit: mailedMax.inAll })
  check(made !== undefined, 'a count is a row')
  return made.to_one < mailedMax.toOne && made.in_all < mailedMax.inAll
}

/** One person's are made one at a time, so that many at once are counted too. */
async function refuseMore(
  tx: Tx,
  { payee, payer, now }: { payee: string; payer: Person; now: Date },
): Promise<void> {
  await sql.lockRequestsOf(tx, payee)
  const pending = await sql.countPending(tx, { payee, payer: payer.id, now })
  check(pending !== undefined, 'a count is a row')
  const detail =
    pending.to_one >= pendingMax.toOne
      ? `${payer.name} has ${pendingMax.toOne} open requests of yours already.`
      : pending.in_all >= pendingMax.inAll
        ? `You have ${pendingMax.inAll} open requests already. Take one back first.`
        : undefined
  if (detail !== undefined) throw new AppError('invalid_state', { detail })
}

async function tellPayer(
  tx: Tx,
  {
    payer,
    payee,
    amountOf,
    note,
  }: {
    payer: Person
    payee: Person
    amountOf: (locale: Person['locale']) => string
    note: string | undefined
  },
): Promise<void> {
  if (payer.email === undefined || !payer.emailConfirmed) return
  await mail.queue(tx, {
    to: { address: payer.email, name: payer.name, locale: payer.locale },
    template: 'money_request',
    data: { amountText: amountOf(payer.locale), from: `${payee.name} (@${payee.handle})`, note: note ?? '' },
  })
}

export interface Listing {
  direction: 'in' | 'out' | undefined
  status: string | undefined
  before: { createdAt: string; id: string } | undefined
  limit: number
}

/** The newest first; one more than the limit, if there is one. */
export async function list(deps: TransferDependencies, viewer: string, listing: Listing) {
  const sides =
    listing.direction === 'in'
      ? ['payer_id' as const]
      : listing.direction === 'out'
        ? ['payee_id' as const]
        : (['payer_id', 'payee_id'] as const)
  const pages = await Promise.all(
    sides.map((side) =>
      sql.listRequests(deps.db, {
        user: viewer,
        side,
        status: listing.status ?? null,
        now: deps.clock.now(),
        before: listing.before,
        limit: listing.limit + 1,
      }),
    ),
  )
  const rows = pages.flat().sort((one, other) => {
    const later = other.created_at.getTime() - one.created_at.getTime()
    return later !== 0 ? later : one.id < other.id ? 1 : -1
  })
  return Promise.all(rows.slice(0, listing.limit + 1).map((row) => recordOf(deps, { row, viewer })))
}

export async function show(deps: TransferDependencies, { id, viewer }: { id: string; viewer: string }) {
  const row = await sql.readRequest(deps.db, id)
  if (row === undefined || (row.payer_id !== viewer && row.payee_id !== viewer))
    throw new AppError('not_found')
  return recordOf(deps, { row, viewer })
}

export interface Paying {
  id: string
  payer: string
  pin: string
  origin: Origin
  key: ledgers.RequestKey | undefined
}

export interface Paid {
  answer: ledgers.Answer
  replayed: boolean
}

export async function pay(
  deps: TransferDependencies,
  { id, payer, pin, origin, key }: Paying,
): Promise<Paid> {
  const found = await sql.readRequest(deps.db, id)
  for (let tries = 0; ; tries++) {
    const { person: sender } = await deps.users.checkPin({ user: payer, pin, origin })
    if (found === undefined || found.payer_id !== payer) throw new AppError('not_found')
    const recipient = await personOf(deps, found.payee_id)
    const paid = await deps.db.inTransaction((tx) => payLocked(deps, tx, { id, sender, recipient, key }))
    if ('answer' in paid) return paid
    if (paid.outcome.refusal !== 'guard_changed') throw await refusalOf(deps, paid)
    if (tries >= guardTriesMax) throw new AppError('unavailable', { retryAfter: 1 })
    deps.users.forget(payer)
  }
}

interface NotPaid {
  outcome: Extract<ledgers.Outcome, { ok: false }>
  posting: ledgers.Posting
}

/** In the transaction nothing but its own connection is waited for: many who wait must not use up the pool. */
async function payLocked(
  deps: TransferDependencies,
  tx: Tx,
  {
    id,
    sender,
    recipient,
    key,
  }: { id: string; sender: Person; recipient: Person; key: ledgers.RequestKey | undefined },
): Promise<Paid | NotPaid> {
  const row = await sql.lockRequest(tx, id)
  check(row !== undefined, 'requests are never deleted')
  // The key comes first: who repeats a request that was paid gets the first answer, not "it is paid already".
  if (key === undefined) refuseDecided(deps, row)
  check(isCurrency(row.currency), 'a request has a currency of the table')
  const terms = termsOf(deps, {
    amount: toDecimal({ minor: row.amount, currency: row.currency }),
    currency: row.currency,
  })
  const posting = postingOf(deps, { sender, recipient, terms, note: row.note ?? undefined, request: id })
  const answer = (posted: ledgers.Posted) => {
    refuseDecided(deps, row)
    const done = { ...row, status: 'paid' as const, posting_id: posted.id, decided_at: posted.createdAt }
    const data = shape(deps, { row: done, viewer: sender.id, other: recipient })
    return { status: 200, body: JSON.stringify({ success: true, message: 'Request paid', data }) }
  }
  const [outcome] = await deps.ledger.post(tx, [
    key === undefined ? posting : { ...posting, once: { key, answer } },
  ])
  check(outcome !== undefined, 'one posting has one outcome')
  if (!outcome.ok) {
    if (outcome.refusal !== 'guard_changed') refuseDecided(deps, row)
    return { outcome, posting }
  }
  if (outcome.replayed) return { answer: outcome.answer, replayed: true }
  const { posted } = outcome
  if (recipient.frozen)
    throw new AppError('invalid_state', { detail: 'This person can not receive money just now.' })
  await sql.decideRequest(tx, { id, status: 'paid', posting: posted.id, at: posted.createdAt })
  const told = receiptsOf(deps, { sender, recipient, terms, posted })
  await receipts.queue(tx, { posting, posted, receipts: told })
  return { answer: outcome.answer ?? answer(posted), replayed: false }
}

export interface Deciding {
  id: string
  user: string
  status: 'declined' | 'cancelled'
}

/** The one who is asked declines; the one who asked takes it back. */
export async function decide(deps: TransferDependencies, { id, user, status }: Deciding) {
  const row = await deps.db.inTransaction(async (tx) => {
    const found = await sql.lockRequest(tx, id)
    const whose = status === 'declined' ? found?.payer_id : found?.payee_id
    if (found === undefined || whose !== user) throw new AppError('not_found')
    // Said twice is said once.
    if (found.status === status) return found
    refuseDecided(deps, found)
    return sql.decideRequest(tx, { id, status, posting: null, at: deps.clock.now() })
  })
  check(row !== undefined, 'a row that was updated is returned')
  return recordOf(deps, { row, viewer: user })
}

function refuseDecided({ clock }: TransferDependencies, row: sql.RequestRow): void {
  const status = statusOf(row, clock.now())
  if (status === 'pending') return
  throw new AppError('invalid_state', { detail: `This request is ${status} already.` })
}

const statusOf = (row: sql.RequestRow, now: Date) =>
  row.status === 'pending' && row.expires_at <= now ? ('expired' as const) : row.status

async function personOf({ users }: TransferDependencies, id: string): Promise<Person> {
  const person = await users.person(id)
  check(person !== undefined, 'who takes part in a request exists')
  return person
}

async function recordOf(
  deps: TransferDependencies,
  { row, viewer }: { row: sql.RequestRow; viewer: string },
) {
  const other = await personOf(deps, viewer === row.payer_id ? row.payee_id : row.payer_id)
  return shape(deps, { row, viewer, other })
}

function shape(
  { secrets, clock, prices }: TransferDependencies,
  { row, viewer, other }: { row: sql.RequestRow; viewer: string; other: Person },
) {
  const { currency } = row
  check(isCurrency(currency), 'a request has a currency of the table')
  const amount = { minor: row.amount, currency }
  const fee = splitFee(amount, prices.transferFee)?.fee ?? { minor: 0n, currency }
  return {
    id: row.id,
    direction: viewer === row.payer_id ? ('in' as const) : ('out' as const),
    counterparty: { handle: other.handle, name: other.name },
    amount: toJson(amount),
    fee: toJson(fee),
    currency,
    note: row.note,
    status: statusOf(row, clock.now()),
    reference:
      row.posting_id === null ? null : encodeReference(secrets.idem, { kind: 'TR', id: row.posting_id }),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  }
}
