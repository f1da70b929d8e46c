// One way to post, for batches and for callers' own transactions: name the accounts, decide, write.
import { check } from '../base/check.ts'
import type { Currency } from '../base/money.ts'
import { type Queries, type Tx, violatedConstraint } from '../db/db.ts'
import { type KnownAccount, refresh } from './accounts.ts'
import { type AccountKind, chart, type Mode, type StripedName } from './chart.ts'
import { type Decision, decide, type HoldState, type Order, type Refusal } from './decide.ts'
import type { RequestKey } from './keys.ts'
import { knowSpent } from './spent.ts'
import * as sql from './sql.ts'
import { writeBatch } from './write/sql.ts'
import { type Accepted, collectAlso, collectWrites, type Refused } from './write.ts'

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
  /**
   * Refused when postings of these kinds would take more than `most` out of the account in any 24 hours. What they hold
   * counts from then on, until 24 hours after it has left; what is released counts no more.
   */
  limit?: { kind: AccountKind; owner: string; most: bigint; kinds: readonly string[] }
  /** Refused when what allowed it has changed since: see `changeGuard`. */
  guard?: { owner: string; version: bigint }
  /** Rows of other rooms that are written with it, or nothing is. */
  also?: (posted: Posted) => readonly AlsoRow[]
  /** Repeated with the same key, it happens once, and every time gets the answer that was made the first time. */
  once?: { key: RequestKey; answer: (posted: Posted) => Answer }
}

/**
 * A row for a statement that writes many at once: `insert … select … from unnest($1::text[], …) returning 1`, or an
 * update. If it writes fewer rows than there were (somebody changed the state it expects), the posting is refused with
 * `state_changed`, alone.
 */
export interface AlsoRow {
  statement: { readonly text: string }
  /** One for each of its arrays. */
  values: readonly unknown[]
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
  | { ok: false; refusal: Refusal | 'idempotency_conflict' | 'state_changed' }

/** Answers are kept for a week. */
export const answerDays = 7
const dayMs = 86_400_000

/** The name of every account that the postings write out, in their order; the account of a hold is known by the hold. */
export function namesOf(postings: readonly Posting[], stripe: number): StripedName[] {
  const names: StripedName[] = []
  for (const posting of postings) {
    for (const entry of posting.entries) names.push(stripedName(posting, entry, stripe))
    if (posting.hold !== undefined) names.push(stripedName(posting, posting.hold, stripe))
    if (posting.limit !== undefined && limitedEntry(posting) < 0)
      names.push(stripedName(posting, posting.limit, stripe))
  }
  return names
}

/** The limit is nearly always on an account that an entry takes from: it need not be found twice. */
const limitedEntry = ({ entries, limit }: Posting): number =>
  entries.findIndex(({ kind, owner }) => kind === limit?.kind && owner === limit.owner)

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
  accounts: Set<KnownAccount>
}

export interface OrderOptions {
  /** As `namesOf` names them. */
  accounts: readonly KnownAccount[]
  ids: readonly bigint[]
  now: Date
  holds?: Map<bigint, HoldState>
}

const kindForm = /^[a-z_]{1,32}$/

/** Postings with their accounts found, ready to be decided. */
export function ordersOf(postings: readonly Posting[], options: OrderOptions): Batch {
  const accounts = new Set<KnownAccount>()
  let at = 0
  const nextAccount = (): KnownAccount => {
    const account = options.accounts[at++]
    check(account !== undefined, 'there is an account for every name')
    accounts.add(account)
    return account
  }
  const orders = postings.map((posting, index): Order => {
    check(kindForm.test(posting.kind), 'the kind of a posting is a plain word')
    const { hold, settle, limit } = posting
    const moves = posting.entries.map(({ amount }) => ({ account: nextAccount(), amount }))
    const opens = hold && { account: nextAccount(), amount: hold.amount }
    const limited = limit && (moves[limitedEntry(posting)]?.account ?? nextAccount())
    return {
      id: options.ids[index] ?? 0n,
      kind: posting.kind,
      details: JSON.stringify(posting.details),
      createdAt: options.now,
      createdAtMs: options.now.getTime(),
      moves,
      opens,
      closes: settle && { hold: options.holds?.get(settle.hold), take: settle.amount, rest: settle.rest },
      limit: limit && limited && { account: limited, most: limit.most, kinds: limit.kinds },
      guarded: true,
    }
  })
  for (const hold of options.holds?.values() ?? []) accounts.add(hold.account as KnownAccount)
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
    const also = postings[index]?.also?.(posted) ?? []
    accepted.push({ order, entries: decision.entries, key: once?.key, answer, also })
    if (once !== undefined && answer !== undefined) keys?.remember(once.key, answer)
    return { ok: true, replayed: false, posted, answer }
  })
  return { outcomes, accepted, refused }
}

const postedOf = (order: Order, { entries }: Decision & { ok: true }): Posted => ({
  id: order.id,
  createdAt: order.createdAt,
  entries,
  hold: order.opens === undefined ? undefined : order.id,
})

/**
 * The careful way: locks the accounts, reads everything anew, decides and sends the writes. `writing` settles when they
 * are done; the outcomes hold, and the states may be trusted, once the transaction commits. A batch that went the fast
 * way may still come between: then the entries' numbers are taken, and closing the gate helps the next time.
 */
export async function postLocked(tx: Tx, batch: Batch, { closeGate = false } = {}) {
  const { accounts, postings, orders } = batch
  const closing = orders.flatMap(({ closes }) => closes?.hold ?? [])
  const keyIds = postings.flatMap(({ once }) => once?.key.id ?? [])
  const ids = [...accounts].map(({ id }) => id)
  const [, , states, holds, answers, guards] = await Promise.all([
    closeGate ? sql.closeGate(tx) : undefined,
    sql.lockAccounts(tx, ids),
    sql.readAccounts(tx, ids),
    closing.length === 0
      ? []
      : sql.readHolds(
          tx,
          closing.map(({ id }) => id),
        ),
    keyIds.length === 0 ? [] : sql.readAnswers(tx, keyIds),
    guardsOf(
      tx,
      postings.flatMap(({ guard }) => guard?.owner ?? []),
    ),
  ])
  refresh([...accounts], states)
  for (const [index, { guard }] of postings.entries()) {
    const order = orders[index]
    if (guard !== undefined && order !== undefined)
      order.guarded = (guards.get(guard.owner) ?? 0n) === guard.version
  }
  check(await knowSpent(tx, batch), 'behind the lock every entry is there')
  for (const hold of closing) hold.remaining = holds.find(({ id }) => id === hold.id)?.remaining ?? 0n
  const nowMs = orders[0]?.createdAtMs ?? 0
  const keys = rememberKeys(answers, nowMs)
  const { outcomes, accepted } = decideAll(batch, keys)
  const sent: Promise<unknown>[] = []
  if (keys.expired.length > 0)
    sent.push(sql.deleteAnswers(tx, { keys: keys.expired, before: new Date(nowMs - answerDays * dayMs) }))
  if (accepted.length > 0) sent.push(writeBatch(tx, collectWrites(accepted)))
  for (const { text, parameters } of collectAlso(accepted)) sent.push(tx.prepared(text, parameters))
  if (closing.length > 0) sent.push(sql.updateHolds(tx, [...new Set(closing)]))
  return { result: outcomes, writing: firstFailure(sent) }
}

/** 0 for one that was never changed. */
export async function guardsOf(db: Queries, owners: readonly string[]): Promise<Map<string, bigint>> {
  const rows = owners.length === 0 ? [] : await sql.readGuards(db, owners)
  return new Map(rows.map(({ owner, version }) => [owner, version]))
}

/** Somebody else took the number of an entry, or answered a key, between our look and our write. */
export const lostRace = (error: unknown): boolean =>
  ['entries_pkey', 'answers_pkey'].includes(violatedConstraint(error) ?? '')

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
    const account = known(row.account_id) ?? accounts.get(row.account_id) ?? blank(row.account_id)
    accounts.set(row.account_id, account)
    holds.set(row.id, { id: row.id, account, kind: row.kind, remaining: 0n })
  }
  return holds
}

const blank = (id: bigint): KnownAccount => ({
  id,
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
