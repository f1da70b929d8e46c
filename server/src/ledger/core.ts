// One way to post, for batches and for callers' own transactions: name the accounts, decide, write.
import { check } from '../base/check.ts'
import type { Currency } from '../base/money.ts'
import type { Queries, Tx } from '../db/db.ts'
import { type KnownAccount, refresh } from './accounts.ts'
import { type AccountKind, chart, type Mode, type StripedName } from './chart.ts'
import { type Decision, decide, type HoldState, type Order, type Refusal } from './decide.ts'
import type { RequestKey } from './keys.ts'
import * as sql from './sql.ts'
import { type Accepted, collectWrites, type Refused } from './write.ts'

export interface Posting {
  /** What it is: `transfer`, `deposit`, … Small letters and underscores. */
  kind: string
  mode: Mode
  currency: Currency
  /** What the history shows of it. Covered by the hash chain, never changed. */
  details: object
  /** Sum to zero. Accounts that are not there yet are opened. */
  entries: readonly { kind: AccountKind; owner: string; amount: bigint }[]
  /** Sets this much aside: it stays in the account, and nothing else can use it. */
  hold?: { kind: AccountKind; owner: string; amount: bigint }
  /** Uses a hold: `amount` leaves its account by the entries; the rest stays held or is free again. */
  settle?: { hold: bigint; amount: bigint; rest: 'keep' | 'release' }
  /** Repeated with the same key, it happens once, and every time gets the answer that was made the first time. */
  once?: { key: RequestKey; answer: (posted: Posted) => Answer }
}

export interface Answer {
  status: number
  body: string
}

export interface Posted {
  id: bigint
  createdAt: Date
  /** In the order of the posting's entries. */
  entries: readonly { accountId: bigint; seq: bigint; amount: bigint; balanceAfter: bigint }[]
  /** The hold it opened. */
  hold: bigint | undefined
}

export type Outcome =
  | { ok: true; replayed: false; posted: Posted; answer: Answer | undefined }
  | { ok: true; replayed: true; answer: Answer }
  | { ok: false; refusal: Refusal | 'idempotency_conflict' }

/** Answers are kept for a week. */
export const answerDays = 7
const dayMs = 86_400_000

/** The name of every account that a posting writes out; the account of a hold is known by the hold. */
export function* namesOf(posting: Posting, stripe: number): Generator<StripedName> {
  for (const entry of posting.entries) yield stripedName(posting, entry, stripe)
  if (posting.hold !== undefined) yield stripedName(posting, posting.hold, stripe)
}

const stripedName = (
  posting: Posting,
  account: { kind: AccountKind; owner: string },
  stripe: number,
): StripedName => ({
  kind: account.kind,
  owner: account.owner,
  currency: posting.currency,
  mode: posting.mode,
  stripe: chart[account.kind].striped ? stripe : 0,
})

export interface Batch {
  postings: readonly Posting[]
  orders: Order[]
  /** Every account that the orders touch. */
  accounts: Map<bigint, KnownAccount>
}

export interface OrderOptions {
  accountOf: (name: StripedName) => KnownAccount
  stripe: number
  ids: readonly bigint[]
  now: Date
  holds?: Map<bigint, HoldState>
}

const kindForm = /^[a-z_]{1,32}$/

/** Postings with their accounts found, ready to be decided. */
export function ordersOf(postings: readonly Posting[], options: OrderOptions): Batch {
  const accounts = new Map<bigint, KnownAccount>()
  const accountOf = (posting: Posting, named: { kind: AccountKind; owner: string }): KnownAccount => {
    const account = options.accountOf(stripedName(posting, named, options.stripe))
    accounts.set(account.id, account)
    return account
  }
  const orders = postings.map((posting, index): Order => {
    check(kindForm.test(posting.kind), 'the kind of a posting is a plain word')
    const { hold, settle } = posting
    return {
      id: options.ids[index] ?? 0n,
      kind: posting.kind,
      details: JSON.stringify(posting.details),
      createdAtMs: options.now.getTime(),
      moves: posting.entries.map((entry) => ({ account: accountOf(posting, entry), amount: entry.amount })),
      opens: hold && { account: accountOf(posting, hold), amount: hold.amount },
      closes: settle && { hold: options.holds?.get(settle.hold), take: settle.amount, rest: settle.rest },
    }
  })
  for (const hold of options.holds?.values() ?? [])
    accounts.set(hold.account.id, hold.account as KnownAccount)
  return { postings, orders, accounts }
}

/** What is known of the keys of a batch. */
export interface KeyMemory {
  lookUp(key: RequestKey): Outcome | undefined
  remember(key: RequestKey, answer: Answer): void
}

/** Decides every posting, in order, and moves the states on. */
export function decideAll({ postings, orders }: Batch, keys: KeyMemory | undefined) {
  const accepted: Accepted[] = []
  const refused: Refused[] = []
  const outcomes = orders.map((order, index): Outcome => {
    const once = postings[index]?.once
    const earlier = once === undefined ? undefined : keys?.lookUp(once.key)
    if (earlier !== undefined) return earlier
    const decision = decide(order)
    if (!decision.ok) {
      refused.push({ order, key: once?.key })
      return decision
    }
    const posted = postedOf(order, decision)
    const answer = once?.answer(posted)
    accepted.push({ order, entries: decision.entries, key: once?.key, answer })
    if (once !== undefined && answer !== undefined) keys?.remember(once.key, answer)
    return { ok: true, replayed: false, posted, answer }
  })
  return { outcomes, accepted, refused }
}

const postedOf = (order: Order, { entries }: Decision & { ok: true }): Posted => ({
  id: order.id,
  createdAt: new Date(order.createdAtMs),
  entries,
  hold: order.opens === undefined ? undefined : order.id,
})

/**
 * The careful way: locks the accounts, reads everything anew, decides and sends the writes. `writing` settles when they
 * are done; the outcomes hold, and the states may be trusted, once the transaction commits.
 */
export async function postLocked(tx: Tx, batch: Batch) {
  const { accounts, postings, orders } = batch
  const closing = orders.flatMap(({ closes }) => closes?.hold ?? [])
  const keyIds = postings.flatMap(({ once }) => once?.key.id ?? [])
  const [states, holds, answers] = await Promise.all([
    sql.lockAccounts(tx, [...accounts.keys()]),
    closing.length === 0
      ? []
      : sql.readHolds(
          tx,
          closing.map(({ id }) => id),
        ),
    keyIds.length === 0 ? [] : sql.readAnswers(tx, keyIds),
  ])
  refresh(accounts, states)
  for (const hold of closing) hold.remaining = holds.find(({ id }) => id === hold.id)?.remaining ?? 0n
  const nowMs = orders[0]?.createdAtMs ?? 0
  const keys = rememberKeys(answers, nowMs)
  const { outcomes, accepted } = decideAll(batch, keys)
  const sent: Promise<unknown>[] = []
  if (keys.expired.length > 0)
    sent.push(sql.deleteAnswers(tx, { keys: keys.expired, before: new Date(nowMs - answerDays * dayMs) }))
  if (accepted.length > 0) sent.push(sql.writeBatch(tx, collectWrites(accepted, [])))
  if (closing.length > 0) sent.push(sql.updateHolds(tx, [...new Set(closing)]))
  return { result: outcomes, writing: firstFailure(sent) }
}

/** The statement that failed first says why; the ones after it only say that something failed. */
async function firstFailure(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const settled of await Promise.allSettled(sent)) {
    if (settled.status === 'rejected') throw settled.reason
  }
}

/** The holds that postings settle, with accounts of their own; their state is read under the lock. */
export async function findHolds(
  db: Queries,
  postings: readonly Posting[],
  known: (id: bigint) => KnownAccount | undefined,
) {
  const ids = postings.flatMap(({ settle }) => settle?.hold ?? [])
  const holds = new Map<bigint, HoldState>()
  const accounts = new Map<bigint, KnownAccount>()
  for (const row of ids.length === 0 ? [] : await sql.holdAccounts(db, ids)) {
    const account = known(row.account_id) ?? accounts.get(row.account_id) ?? blank(row.account_id, row.floor)
    accounts.set(row.account_id, account)
    holds.set(row.id, { id: row.id, account, remaining: 0n })
  }
  return holds
}

const blank = (id: bigint, floor: bigint | null): KnownAccount => ({
  id,
  floor,
  version: 0n,
  balance: 0n,
  held: 0n,
  seq: 0n,
  head: '',
  fresh: false,
})

/** The keys that are known so far: those of the table, and those of this very batch. */
function rememberKeys(rows: readonly sql.AnswerRow[], nowMs: number): KeyMemory & { expired: string[] } {
  const known = new Map<string, { fingerprint: string; answer: Answer }>()
  const expired: string[] = []
  for (const { key, fingerprint, status, body, created_at } of rows) {
    if (nowMs - created_at.getTime() >= answerDays * dayMs) expired.push(key)
    else known.set(key, { fingerprint, answer: { status, body } })
  }
  return {
    expired,
    lookUp: ({ id, fingerprint }) => {
      const found = known.get(id)
      if (found === undefined) return undefined
      if (found.fingerprint !== fingerprint) return { ok: false, refusal: 'idempotency_conflict' }
      return { ok: true, replayed: true, answer: found.answer }
    },
    remember: ({ id, fingerprint }, answer) => {
      known.set(id, { fingerprint, answer })
    },
  }
}
