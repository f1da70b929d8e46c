// A ledger in use, for the tests of its check: people who are paid in, send, and have something set aside; and
// somebody who may do everything to the tables.
import assert from 'node:assert/strict'
import type { Db } from '../src/db/db.ts'
import { openDb } from '../src/db/db.ts'
import * as ledgers from '../src/ledger/ledger.ts'
import { type TestClock, type TestDatabase, testClock } from './helpers.ts'
import { seededChance } from './ledger-orders.ts'

export type Where = Pick<ledgers.Posting, 'mode' | 'currency'>
type Change = Where & Partial<ledgers.Posting> & Pick<ledgers.Posting, 'entries'>

export interface Moves {
  ledger: ledgers.Ledger
  clock: TestClock
  db: Db
  admin: Db
  /** What was posted; nothing, if it was refused. */
  submit(change: Change): Promise<ledgers.Posted | undefined>
  deposit(owner: string, amount: bigint, where?: Where): Promise<ledgers.Posted | undefined>
  /** One minor unit of it is a fee. */
  send(
    people: { from: string; to: string },
    amount: bigint,
    where?: Where,
  ): Promise<ledgers.Posted | undefined>
  /** Random people, currencies and modes, twenty at once; some of it is refused. */
  someMoves(count: number): Promise<void>
  /** Runs statements while triggers and foreign keys are off; what a row must be is still checked. */
  tamper(statements: string): Promise<void>
  /** Keeps the tables as they are; `restore` brings that back. */
  save(): Promise<void>
  restore(): Promise<void>
  close(): Promise<void>
}

export const live = { mode: 'live', currency: 'UGX' } as const satisfies Where

export function openMoves({ url, adminUrl }: TestDatabase): Moves {
  const db = openDb({ url, connectionsMax: 2, name: 'mfuko tests' })
  const admin = openDb({ url: adminUrl, connectionsMax: 1, name: 'mfuko tests' })
  const clock = testClock('2026-03-14T09:00:00.123Z')
  const ledger = ledgers.openLedger({ url, clock })
  const details = { note: 'Asante "sana" 🥭 \\' }
  const submit: Moves['submit'] = async (change) => {
    const outcome = await ledger.submit({ kind: 'transfer', details, ...change })
    return outcome.ok && !outcome.replayed ? outcome.posted : undefined
  }
  const deposit: Moves['deposit'] = (owner, amount, where = live) => {
    const entries = [
      { kind: 'clearing', owner: 'mpesa', amount: -amount },
      { kind: 'user', owner, amount },
    ] as const
    return submit({ ...where, kind: 'deposit', entries })
  }
  const send: Moves['send'] = ({ from, to }, amount, where = live) => {
    const entries = [
      { kind: 'user', owner: from, amount: -amount },
      { kind: 'user', owner: to, amount: amount - 1n },
      { kind: 'fees', owner: '-', amount: 1n },
    ] as const
    return submit({ ...where, entries })
  }
  return {
    ledger,
    clock,
    db,
    admin,
    submit,
    deposit,
    send,
    someMoves: openChanceMoves({ submit, deposit, send }),
    ...openTampering(admin),
    close: async () => {
      await ledger.close()
      await Promise.all([db.close(), admin.close()])
    },
  }
}

/** An account, and the postings of its entries 1 to 7. */
export interface Story {
  id: bigint
  postings: bigint[]
  /** Puts the ids in the places of `{alice}` and `{p1}` to `{p7}`. */
  fill(text: string): string
}

/** What alice did. The sixth posting only holds, and there is nothing after the seventh on any of its accounts. */
export async function tellStory({ db, clock, submit, deposit, send }: Moves): Promise<Story> {
  const postings: bigint[] = []
  for (const step of [
    () => deposit('alice', 1_000n),
    () => send({ from: 'alice', to: 'bob' }, 100n),
    () => send({ from: 'alice', to: 'bob' }, 200n),
    () => deposit('alice', 50n),
    () => send({ from: 'alice', to: 'bob' }, 150n),
    () =>
      submit({ ...live, kind: 'reserve', entries: [], hold: { kind: 'user', owner: 'alice', amount: 40n } }),
    () => send({ from: 'alice', to: 'bob' }, 60n),
  ]) {
    const posted = await step()
    assert.ok(posted)
    postings.push(posted.id)
    clock.advance(1)
  }
  const row = await db.row<{ id: bigint }>(`select id from ledger.accounts where owner = 'alice'`)
  const id = row?.id ?? 0n
  const fill = (text: string) =>
    text
      .replaceAll('{alice}', String(id))
      .replace(/\{p(\d)\}/g, (_, step: string) => String(postings[Number(step) - 1]))
  return { id, postings, fill }
}

function openChanceMoves({ submit, deposit, send }: Pick<Moves, 'submit' | 'deposit' | 'send'>) {
  const { below } = seededChance(1)
  const holds: { hold: bigint; where: Where; owner: string; amount: bigint }[] = []
  const someone = () => `usr_${below(12)}`
  const hold = async (owner: string, amount: bigint, where: Where) => {
    const posted = await submit({
      ...where,
      kind: 'reserve',
      entries: [],
      hold: { kind: 'user', owner, amount },
    })
    if (posted?.hold !== undefined) holds.push({ hold: posted.hold, where, owner, amount })
  }
  const settle = async () => {
    const [held] = holds.splice(below(holds.length), 1)
    if (held === undefined) return
    const amount = below(2) === 0 ? 0n : held.amount / 2n
    const entries = [
      { kind: 'user', owner: held.owner, amount: -amount },
      { kind: 'merchant', owner: 'mer_1', amount },
    ] as const
    // Who takes nothing and keeps the rest changes nothing, which is not a posting.
    const rest = amount > 0n && below(2) === 0 ? 'keep' : 'release'
    const settling = { hold: held.hold, amount, rest } as const
    await submit({ ...held.where, entries: amount === 0n ? [] : entries, settle: settling })
  }
  const move = async () => {
    const where: Where = {
      mode: below(4) === 0 ? 'test' : 'live',
      currency: below(3) === 0 ? 'KES' : 'UGX',
    }
    const amount = BigInt(2 + below(500))
    const [from, to] = [someone(), `${someone()}x`]
    const steps = [
      () => deposit(from, 3n * amount, where),
      () => hold(from, amount, where),
      settle,
      () => send({ from, to }, amount, where),
      () => send({ from: to, to: from }, amount, where),
    ]
    await steps[below(steps.length)]?.()
  }
  return async (count: number) => {
    for (let done = 0; done < count; done += 20) await Promise.all(Array.from({ length: 20 }, move))
  }
}

const tables = ['accounts', 'postings', 'entries', 'holds']

function openTampering(admin: Db): Pick<Moves, 'tamper' | 'save' | 'restore'> {
  const tamper = (statements: string) =>
    admin.inTransaction(async (tx) => {
      await tx.rows('set local session_replication_role = replica')
      for (const statement of statements.split(';')) await tx.rows(statement)
    })
  const forEachTable = (statements: (table: string) => string) => tamper(tables.map(statements).join(';'))
  return {
    tamper,
    save: () => forEachTable((table) => `create table saved_${table} as table ledger.${table}`),
    restore: () =>
      forEachTable(
        (table) => `delete from ledger.${table}; insert into ledger.${table} select * from saved_${table}`,
      ),
  }
}
