// Orders to providers, each from its writing to its end. What must stay true:
//  - It is written down together with what it belongs to, before anything is sent; and it ends once, in the transaction
//    that moves its money (`endRow`, `end`).
//  - Only what is surely not there is sent again, and only where the provider takes the same id once. What is unclear is
//    asked for, and is never taken for a failure.
//  - It is completed by a signed callback, by the answer to our own question, or by an operator. A callback that nobody
//    signed is a hint to go and ask; its amount counts for nothing.
//  - Any process may die at any step: another one goes on from what the database says.
import { randomUUID } from 'node:crypto'
import * as audit from '../audit/audit.ts'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import type { Tx } from '../db/db.ts'
import type { AlsoRow } from '../ledger/ledger.ts'
import {
  type CallerOptions,
  type Heard,
  type Mode,
  openCaller,
  type ProviderId,
  type ProviderRecord,
} from '../providers/providers.ts'
import { ask, lookAfter } from './asking.ts'
import { type Deliveries, openDeliveries } from './deliveries.ts'
import { learn, look, settle } from './hearing.ts'
import { type Methods, openMethods } from './methods.ts'
import {
  type NewOperation,
  type Operation,
  type OperationRow,
  type Outcome,
  operationOf,
  type Purpose,
  type State,
} from './model.ts'
import { refusePrompt } from './prompts.ts'
import * as records from './records/sql.ts'
import { type CameBack, type Ending, inMs, leaseMs, type Room } from './room.ts'
import { answerToken, callbackToken, tokenHash } from './rules.ts'
import { start } from './sending.ts'
import * as sql from './sql.ts'
import { recordsOf, type Statement } from './statements.ts'

export type { Came, Reply } from './deliveries.ts'
export { startOperationsWork, type Work } from './loop.ts'
export type { Health, Method, MethodsWanted, OrderLooked } from './methods.ts'
export type { Failure, NewOperation, Operation, Outcome, Purpose, State } from './model.ts'
export { purposes, states } from './model.ts'
export type { CameBack, Ending } from './room.ts'
export type { Statement } from './statements.ts'

export interface ListWanted {
  state?: State | undefined
  provider?: ProviderId | undefined
  mode?: Mode | undefined
  /** Only those that nobody but an operator can help. */
  stuck?: boolean | undefined
  /** An id, a reference, a receipt, a phone number, or the provider's own name for it. */
  q?: string | undefined
  /** Those that were made then, or later. */
  since?: Date | undefined
  /** The last one of the page before. */
  before?: { createdAt: Date; id: string } | undefined
  limit: number
}

/** A request to a provider and what came of it, without secrets. */
export interface KeptExchange {
  id: bigint
  what: 'start' | 'ask' | 'token'
  method: string
  path: string
  request: string
  status: number | null
  answer: string | null
  /** Why there was no answer. */
  problem: string | null
  durationMs: number
  at: Date
}

/** What came to a callback address. */
export interface KeptDelivery {
  id: bigint
  /** `callback`: by the provider; `answer`: to our own question. */
  what: 'callback' | 'answer'
  body: string
  /** What became of it. */
  result: string | null
  at: Date
}

export interface Operations extends Methods {
  /** Gives it an id. Nothing is written. */
  make(order: NewOperation): Operation
  /** To be written with a posting. */
  row(operation: Operation): AlsoRow
  /** Throws `rate_limited` when its phone has been asked too often of late. */
  add(tx: Tx, operation: Operation): Promise<void>
  /**
   * Sends it, after what wrote it has committed. Never throws for the provider's trouble; when it returns the operation is
   * as far as it got, and may be ended already. Calling it twice sends once.
   */
  start(id: string): Promise<Operation>
  find(id: string): Promise<Operation | undefined>
  /** The oldest first. */
  of(purpose: Purpose, subject: string): Promise<Operation[]>
  /** The newest first. */
  list(wanted: ListWanted): Promise<Operation[]>
  /** The newest first. */
  exchangesOf(id: string): Promise<KeptExchange[]>
  deliveriesOf(id: string): Promise<KeptDelivery[]>
  /** Ends it together with a posting, which is refused with `state_changed` when it is ended already. */
  endRow(operation: Operation, outcome: Outcome): AlsoRow
  /** False: it was ended already; then nothing else must happen either. */
  end(tx: Tx, operation: Operation, outcome: Outcome): Promise<boolean>
  /** Each purpose has one owner, who says so when the service starts. */
  onEnd(purpose: Purpose, ending: Ending): void
  /** Who takes care of payouts that came back after they were completed: one, who says so when the service starts. */
  onCameBack(cameBack: CameBack): void
  /** Asks the provider now. */
  ask(id: string): Promise<Operation>
  /** Has a worker ask the provider soon, when somebody waits for what became of it. */
  hurry(id: string): Promise<void>
  /** An operator says what came of it. Refused with `invalid_state` when it is decided already, or being sent. */
  resolve(id: string, resolution: Resolution): Promise<Operation>
  /** What the provider's records say for sure of an operation that was sent. */
  learn(id: string, heard: Learnt): Promise<Operation>
  /** What the provider itself says has moved, all of it; undefined when it has no interface for that. */
  records(statement: Statement): Promise<ProviderRecord[] | undefined>
  /** An operator has seen the trouble of an operation that has ended. */
  dismiss(id: string, deciding: Deciding): Promise<Operation>
  /** What came to a callback address. */
  deliveries: Deliveries
  /** Does what is due: asks, sends what was left behind, ends what could not be ended. Returns how many. */
  askDue(): Promise<number>
  /** Takes some of what is due, to be looked after by `lookAfter`. `except`: `provider mode` of those that are busy. */
  takeDue(taking: { limit: number; except: readonly string[] }): Promise<Operation[]>
  lookAfter(id: string): Promise<Operation>
  /** Where callbacks go that are set once for all, told to the simulator as a person would in a provider's portal. */
  tellSimulator(): Promise<void>
  /** Forgets exchanges and deliveries that are older than 90 days. Returns how many. */
  sweep(): Promise<number>
  /** Until what this process has begun is done. */
  close(): Promise<void>
}

export type Learnt = Extract<Heard, { state: 'completed' | 'failed' }>

export interface Deciding {
  /** The id of the operator, and why. */
  operator: string
  reason: string
  /** Where from, as the audit log keeps it. */
  origin?: Pick<audit.AuditEvent, 'session' | 'address' | 'userAgent' | 'requestId'>
}

export interface Resolution extends Deciding {
  outcome: { state: 'completed'; receipt?: string | undefined } | { state: 'failed'; detail: string }
}

export type OperationsOptions = Omit<Room, 'caller' | 'endings' | 'cameBack'> & Pick<CallerOptions, 'limits'>

/** Whoever has written it starts it at once; if it did not, a worker does. */
const startMs = 15_000
/** However often somebody reloads a page. */
const hurryMs = 5_000
const dueAtOnce = 50
const dueRoundsMax = 100
const shownMax = 200
const keptMs = 90 * 86_400_000
const sweepMost = 1_000
const sweepBitesMax = 1_000

export function openOperations({ limits, ...options }: OperationsOptions): Operations {
  const { db, clock, log, registry } = options
  const caller = openCaller({ log, clock, ...(limits === undefined ? {} : { limits }) })
  const room: Room = { ...options, caller, endings: new Map(), cameBack: [] }
  /** Where nobody waits. */
  const behind: Room = { ...room, db: room.aside }
  const deliveries = openDeliveries(room)
  const running = new Set<Promise<unknown>>()
  /** What talks to a provider is waited for when all stops: callers may have left it alone. */
  const tracked = async (work: Promise<OperationRow>): Promise<Operation> => {
    running.add(work)
    try {
      return operationOf(await work)
    } finally {
      running.delete(work)
    }
  }
  return {
    ...openMethods({ db, clock, registry }),
    ...writing(room),
    start: (id) => tracked(start(room, id)),
    find: async (id) => {
      const row = await sql.readById(db, id)
      return row && operationOf(row)
    },
    of: async (purpose, subject) => (await sql.readOf(db, { purpose, subject })).map(operationOf),
    ...looking(room),
    onEnd: (purpose, ending) => {
      check(!room.endings.has(purpose), `${purpose} has one owner`)
      room.endings.set(purpose, ending)
    },
    onCameBack: (cameBack) => {
      check(room.cameBack.length === 0, 'what comes back has one owner')
      room.cameBack.push(cameBack)
    },
    ask: (id) => tracked(ask(room, id, { abandoned: false })),
    hurry: async (id) => {
      await sql.hurryAsk(db, { id, now: clock.now(), againMs: hurryMs })
    },
    resolve: (id, resolution) => resolve(room, id, resolution),
    learn: async (id, heard) => operationOf(await learn(room, id, heard)),
    records: (statement) => recordsOf(room, statement),
    dismiss: (id, deciding) => dismiss(room, id, deciding),
    deliveries,
    askDue: () => askDue(behind),
    takeDue: async ({ limit, except }) => (await takeDue(behind, { limit, except })).map(operationOf),
    lookAfter: (id) => tracked(look(behind, id).then((row) => lookAfter(behind, row))),
    tellSimulator: () => tellSimulator(room),
    sweep: () => sweep(room),
    close: async () => {
      await Promise.allSettled(running)
      await deliveries.idle()
      await caller.close()
    },
  }
}

function writing(room: Room): Pick<Operations, 'make' | 'row' | 'add' | 'endRow' | 'end'> {
  const { clock, secrets } = room
  const row = (operation: Operation): AlsoRow => {
    const { id, amount, createdAt } = operation
    const values = [
      ...[id, operation.provider, operation.mode, operation.kind, operation.purpose, operation.subject],
      ...[amount.minor, amount.currency, operation.phone, operation.email, operation.account],
      ...[operation.reference, operation.about, operation.returnUrl, operation.originalId],
      tokenHash(callbackToken(secrets.idem, id)).toString('hex'),
      tokenHash(answerToken(secrets.idem, id)).toString('hex'),
      ...[createdAt, new Date(createdAt.getTime() + startMs)],
    ]
    return { statement: sql.insertStatement, values }
  }
  const endRow = ({ id }: Operation, outcome: Outcome): AlsoRow => {
    const at = clock.now()
    const values =
      outcome.state === 'completed'
        ? [outcome.receipt ?? null, null, null, outcome.amount.minor, outcome.amount.currency]
        : [null, outcome.code, outcome.detail, null, null]
    return { statement: sql.endStatement, values: [id, outcome.state, at, ...values] }
  }
  return {
    make: (order) => ({
      ...unsent,
      ...order,
      id: randomUUID(),
      phone: order.phone ?? null,
      email: order.email ?? null,
      account: order.account ?? null,
      returnUrl: order.returnUrl ?? null,
      originalId: order.originalId ?? null,
      createdAt: clock.now(),
    }),
    row,
    add: async (tx, operation) => {
      await refusePrompt(room, tx, operation)
      check(await sql.writeOne(tx, row(operation)), 'a new operation is written')
    },
    endRow,
    end: (tx, operation, outcome) => sql.writeOne(tx, endRow(operation, outcome)),
  }
}

const unsent = {
  state: 'new',
  lateOf: null,
  providerReference: null,
  receipt: null,
  redirectUrl: null,
  failure: null,
  confirmed: null,
  stuckSince: null,
  trouble: null,
  asks: 0,
  sentAt: null,
  endedAt: null,
} as const

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function looking({ db }: Room): Pick<Operations, 'list' | 'exchangesOf' | 'deliveriesOf'> {
  return {
    list: async ({
      state = null,
      provider = null,
      mode = null,
      stuck = false,
      q = null,
      since = null,
      before,
      limit,
    }) => {
      const id = q !== null && uuidForm.test(q) ? q : null
      return (await sql.list(db, { state, provider, mode, stuck, q, id, since, before, limit })).map(
        operationOf,
      )
    },
    exchangesOf: async (operationId) => {
      const rows = await records.readExchanges(db, { operationId, limit: shownMax })
      return rows.map(({ duration_ms: durationMs, ...row }) => ({ ...row, durationMs }))
    },
    deliveriesOf: async (operationId) => {
      const rows = await records.readDeliveries(db, { operationId, limit: shownMax })
      return rows.map(({ id, what, body, result, at }) => {
        return { id, what, body: body.toString('utf8'), result, at }
      })
    },
  }
}

async function takeDue({ db, clock }: Room, taking: { limit: number; except: readonly string[] }) {
  return sql.claimDue(db, { now: clock.now(), due: inMs(clock, leaseMs), ...taking })
}

async function askDue(room: Room): Promise<number> {
  let done = 0
  for (let rounds = 0; rounds < dueRoundsMax; rounds++) {
    const rows = await takeDue(room, { limit: dueAtOnce, except: [] })
    await Promise.all(rows.map((row) => lookAfter(room, row)))
    done += rows.length
    if (rows.length < dueAtOnce) return done
  }
  return done
}

/** What an operator knows is the truth, as long as nobody else may be changing it. */
async function resolve(room: Room, id: string, resolution: Resolution): Promise<Operation> {
  const row = await look(room, id)
  const { outcome, operator, reason, origin } = resolution
  const { amount } = operationOf(row)
  const decided: Outcome =
    outcome.state === 'completed'
      ? { state: 'completed', receipt: outcome.receipt, amount }
      : { state: 'failed', code: 'provider_error', detail: outcome.detail }
  const event = {
    ...origin,
    actor: { kind: 'operator', id: operator },
    action: 'operation.resolved',
    object: id,
    result: 'ok',
    details: { outcome: outcome.state, reason },
    at: room.clock.now(),
  } as const
  if (!mayResolve.includes(row.state) || row.decided !== null)
    throw new AppError('invalid_state', { detail: 'This operation is being sent, or has ended.' })
  const after = await settle(room, row, { outcome: decided, from: mayResolve, onlyFirst: true, event })
  return operationOf(after)
}

const mayResolve: readonly string[] = ['pending', 'unknown']

async function dismiss(
  { db, clock }: Room,
  id: string,
  { operator, reason, origin }: Deciding,
): Promise<Operation> {
  return db.inTransaction(async (tx) => {
    const row = await sql.clearTrouble(tx, id)
    if (row === undefined) throw new AppError('invalid_state', { detail: 'There is nothing to dismiss.' })
    await audit.record(tx, {
      ...origin,
      actor: { kind: 'operator', id: operator },
      action: 'operation.dismissed',
      object: id,
      result: 'ok',
      details: { trouble: row.trouble, reason },
      at: clock.now(),
    })
    return operationOf(row)
  })
}

async function tellSimulator({ registry, caller, baseUrl }: Room): Promise<void> {
  const { simulatorUrl } = registry
  if (simulatorUrl === undefined) return
  for (const mode of ['live', 'test'] as const) {
    for (const { adapter, simulated } of registry.all(mode)) {
      if (!simulated) continue
      const body = JSON.stringify({
        provider: adapter.id,
        callback_url: `${baseUrl}/hooks/${adapter.id}/${mode}`,
      })
      const headers = { 'content-type': 'application/json' }
      await caller.send(simulatorUrl, { method: 'PUT', path: '/simulator/portal', headers, body })
    }
  }
}

async function sweep({ db, clock }: Room): Promise<number> {
  const before = new Date(clock.now().getTime() - keptMs)
  let swept = 0
  for (const bite of [records.sweepExchanges, records.sweepDeliveries]) {
    for (let bites = 0; bites < sweepBitesMax; bites++) {
      const rows = await bite(db, { before, most: sweepMost })
      swept += rows.length
      if (rows.length < sweepMost) break
    }
  }
  return swept
}
