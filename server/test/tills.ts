// Owners of operations for the tests of the engine: each end moves money in the real ledger, in one transaction with the
// end, so that one that came twice or got lost is seen in a balance. A till is what one process has: several may be open on
// one database, and one may be killed.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { type Db, openDb } from '../src/db/db.ts'
import { type Ledger, openLedger } from '../src/ledger/ledger.ts'
import {
  type Operation,
  type Operations,
  type Outcome,
  openOperations,
} from '../src/operations/operations.ts'
import type { Adapter } from '../src/providers/providers.ts'
import * as providers from '../src/providers/providers.ts'
import { type TestClock, testClock, testLog, testSecrets } from './helpers.ts'
import { type ScriptedProvider, type ScriptedSettings, scriptedAdapter } from './scripted-provider.ts'

export const baseUrl = 'http://pay.example'

export interface Till {
  operations: Operations
  db: Db
  ledger: Ledger
  clock: TestClock
  log: ReturnType<typeof testLog>['seen']
  /** From now on nothing of this process reaches the database, or comes back from it. */
  kill(): void
  /** Ends of operations, as their owner was told. */
  told: { operation: Operation; outcome: Outcome }[]
  /** What the owner does instead, next. */
  nextEnding: ((operation: Operation, outcome: Outcome) => Promise<void>)[]
  collect(given?: Partial<Parameters<Operations['make']>[0]>): Promise<Operation>
}

export interface TillOptions {
  url: string
  provider: Pick<ScriptedProvider, 'settings'>
  clock?: TestClock
  adapter?: Adapter<ScriptedSettings>
  /** How long an answer is waited for. */
  answerMs?: number | undefined
}

const quick = { connectMs: 1_000, answerMs: 150, beginMs: 2_000, againMs: 300 }

/** One for all tills on a database: what is tested here is not the ledger. */
const ledgers = new Map<string, Ledger>()

function ledgerOn(url: string): Ledger {
  const known = ledgers.get(url)
  if (known !== undefined) return known
  const ledger = openLedger({ url, clock: testClock() })
  ledgers.set(url, ledger)
  return ledger
}

export function openTill(options: TillOptions): Till {
  const { url, provider, clock = testClock(), adapter = scriptedAdapter() } = options
  const { log, seen } = testLog()
  const { db, kill, isDead } = killable(openDb({ url, connectionsMax: 4, name: 'till' }))
  const ledger = ledgerOn(url)
  const provided = [{ adapter, settings: provider.settings, simulated: true }]
  const registry = providers.registryOf({ live: provided, test: provided }, undefined)
  const operations = openOperations({
    ...{ db, aside: db, clock, log, registry, baseUrl },
    secrets: testSecrets,
    limits: { ...quick, answerMs: options.answerMs ?? quick.answerMs },
  })
  const till: Till = {
    ...{ operations, db, ledger, clock, kill, told: [], nextEnding: [] },
    log: seen,
    collect: async (given = {}) => {
      const operation = operations.make({
        provider: 'mtn',
        mode: 'test',
        kind: 'collect',
        purpose: 'deposit',
        subject: 'usr_1',
        amount: { minor: 5_000n, currency: 'UGX' },
        phone: '+256771234567',
        reference: 'DP-1',
        about: 'Deposit',
        ...given,
      })
      await db.inTransaction((tx) => operations.add(tx, operation))
      return operation
    },
  }
  const ending = async (operation: Operation, outcome: Outcome) => {
    till.told.push({ operation, outcome })
    const other = till.nextEnding.shift()
    await (other === undefined ? endNow(till, operation, outcome) : other(operation, outcome))
  }
  operations.onEnd('deposit', ending)
  operations.onEnd('withdrawal', ending)
  after(async () => {
    if (!isDead()) await operations.close()
    await db.close()
  })
  return till
}

/** To be called once, at the top of a test file. */
export const closeLedgers = () =>
  after(async () => {
    for (const ledger of ledgers.values()) await ledger.close()
  })

/** Money moves with the end, or not at all; who comes second sees that it has ended. */
export async function endNow(
  { operations, ledger, db }: Till,
  operation: Operation,
  outcome: Outcome,
): Promise<void> {
  if (outcome.state === 'failed') {
    await db.inTransaction((tx) => operations.end(tx, operation, outcome))
    return
  }
  const { minor, currency } = outcome.amount
  const sign = operation.kind === 'collect' ? 1n : -1n
  const outcomeOf = await ledger.submit({
    kind: 'deposit',
    mode: operation.mode,
    currency,
    details: { operation: operation.id },
    entries: [
      { kind: 'clearing', owner: operation.provider, amount: -sign * minor },
      { kind: 'user', owner: operation.subject, amount: sign * minor },
    ],
    also: () => [operations.endRow(operation, outcome)],
  })
  if (outcomeOf.ok) return
  assert.equal(outcomeOf.refusal, 'state_changed')
  const now = await operations.find(operation.id)
  assert.ok(now?.endedAt, 'the end was refused because it had ended')
}

export async function balanceOf({ ledger, db }: Pick<Till, 'ledger' | 'db'>, owner: string): Promise<bigint> {
  const [balance] = await ledger.balances(db, [{ kind: 'user', owner, currency: 'UGX', mode: 'test' }])
  return balance?.balance ?? 0n
}

/** A database that a dead process talks to: nothing arrives, and nothing comes back. */
function killable(db: Db): { db: Db; kill(): void; isDead(): boolean } {
  let dead = false
  const never = new Promise<never>(() => undefined)
  const unlessDead = async <T>(work: () => Promise<T>): Promise<T> => {
    if (dead) return never
    const result = await work()
    return dead ? never : result
  }
  return {
    isDead: () => dead,
    kill: () => {
      dead = true
    },
    db: {
      ...db,
      rows: (sql, parameters) => unlessDead(() => db.rows(sql, parameters)),
      row: (sql, parameters) => unlessDead(() => db.row(sql, parameters)),
      prepared: (sql, parameters) => unlessDead(() => db.prepared(sql, parameters)),
      inTransaction: (work) => unlessDead(() => db.inTransaction(work)),
    },
  }
}
