// What comes to callback addresses: stored, answered, then worked on; by this process at once, and by any worker if this
// one dies. What is signed, or answers our own question, is the truth; the rest is a reason to ask.
import * as audit from '../audit/audit.ts'
import { recent } from '../base/recent.ts'
import type { Callback, Delivery, Heard, Mode, Provided } from '../providers/providers.ts'
import * as providers from '../providers/providers.ts'
import { ask, hearAbsent } from './asking.ts'
import { hear, judgeHint, look, suspect, takeHint } from './hearing.ts'
import type { OperationRow } from './model.ts'
import * as records from './records/sql.ts'
import { inMs, type Room } from './room.ts'
import { tokenForm, tokenHash } from './rules.ts'
import * as sql from './sql.ts'

/** What came, as it came. */
export interface Came {
  method: string
  headers: Record<string, string>
  body: Buffer
}

/** What the provider wants to hear. */
export type Reply = Provided['adapter']['callbackAnswer'] | 'nobody' | 'forged'

export interface Deliveries {
  /** To the address of one operation. */
  toOperation(token: string, came: Came): Promise<Reply>
  /** To the one address of a provider. */
  toProvider(where: { provider: string; mode: Mode }, came: Came): Promise<Reply>
  /** Those that nobody has finished. Returns how many. */
  workDue(limit: number): Promise<number>
  /** Until what this process works on is done. */
  idle(): Promise<void>
}

/** A worker takes it when it is still there by then. */
const workMs = 30_000
/** So many at the short pause: who waits for it should not wait much longer than for what kept it. */
const quickTries = 10
const workMsMax = 3_600_000
/** Four days: what came back is told by nobody else, and money may stand still for long while books are looked into. */
const attemptsMax = 110
/** An operation has a few callbacks; whoever sends more than these is up to something. */
const deliveriesMax = 100
const againMs = 3_000
const forgedMs = 60_000

export function openDeliveries(room: Room): Deliveries {
  const { db, aside, clock, registry, log } = room
  /** Once the provider has its answer nobody waits. */
  const behind: Room = { ...room, db: aside }
  const running = new Set<Promise<void>>()
  const forgeries = recent<number>(100)
  /** After the answer. What fails stays due, and a worker takes it. */
  const workSoon = (row: records.DeliveryRow) => {
    const done: Promise<void> = work(behind, row)
      .catch((error: unknown) => log.warn({ err: error, delivery: row.id }, 'a callback has to wait'))
      .finally(() => running.delete(done))
    running.add(done)
  }
  const kept = ({ method, headers, body }: Came): records.NewDelivery => {
    return { method, headers, body, now: clock.now(), due: inMs(clock, workMs) }
  }
  return {
    toOperation: async (token, came) => {
      if (!tokenForm.test(token)) return 'nobody'
      const row = await records.addAddressed(db, {
        ...kept(came),
        tokenHash: tokenHash(token),
        most: deliveriesMax,
      })
      const provided = row && providedFor(room, row)
      if (row === undefined || provided === undefined) return 'nobody'
      workSoon(row)
      return provided.adapter.callbackAnswer
    },
    toProvider: async ({ provider, mode }, came) => {
      const id = providers.providerOf(provider)
      const provided = id && registry.of(id, mode)
      if (provided === undefined) return 'nobody'
      const callback = read(provided, came)
      if (!callback.ok) {
        await noteForged(room, forgeries, { provider, mode, came, reason: callback.reason })
        return 'forged'
      }
      const { operationId = '' } = callback
      if (uuidForm.test(operationId)) {
        const most = deliveriesMax
        const row = await records.addShared(db, { ...kept(came), id: operationId, provider, mode, most })
        if (row !== undefined) workSoon(row)
      }
      // What is not about an operation of ours is none of our business.
      return provided.adapter.callbackAnswer
    },
    workDue: async (limit) => {
      const pauses = { againMs: workMs, quickTries, againMsMax: workMsMax }
      const rows = await records.claimDeliveries(aside, { now: clock.now(), ...pauses, limit })
      await Promise.all(rows.map((row) => work(behind, row)))
      return rows.length
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function providedFor({ registry }: Room, row: records.DeliveryRow): Provided | undefined {
  const id = providers.providerOf(row.provider)
  return id && registry.of(id, row.mode)
}

function read({ adapter, settings }: Provided, came: Came & { what?: 'callback' | 'answer' }): Callback {
  const { method, headers, body, what } = came
  const delivery: Delivery = { method, headers, body: body.toString('utf8'), isAnswer: what === 'answer' }
  return adapter.readCallback(delivery, settings)
}

async function work(room: Room, row: records.DeliveryRow): Promise<void> {
  const { db } = room
  const provided = providedFor(room, row)
  const gaveUp = row.attempts >= attemptsMax || row.operation_id === null || provided === undefined
  const result = gaveUp ? 'given up' : await workOn(room, row, read(provided, row))
  await records.deliveryDone(db, { id: row.id, result })
}

/** Returns what became of it. */
async function workOn(room: Room, delivery: records.DeliveryRow, callback: Callback): Promise<string> {
  const row = await look(room, delivery.operation_id ?? '')
  if (!callback.ok) {
    await suspect(room, row, callback.reason)
    return `refused: ${callback.reason}`
  }
  const { operationId, signed, heard } = callback
  if (operationId !== undefined && operationId.toLowerCase() !== row.id) {
    await suspect(room, row, 'a callback told of another operation')
    return 'refused: it is about another operation'
  }
  if (row.sends === 0) return 'refused: nothing was sent'
  if (delivery.what === 'answer') {
    await judgeHint(room, row, heard)
    await hearTruth(room, row, heard)
    return `answer: ${heard.state}`
  }
  if (signed) {
    await hearTruth(room, row, heard)
    return `signed: ${heard.state}`
  }
  return followHint(room, row, heard)
}

function hearTruth(room: Room, row: OperationRow, heard: Heard): Promise<OperationRow> {
  if (heard.state === 'absent') return hearAbsent(room, row, heard)
  // Nothing new is said of what has ended.
  if (row.decided !== null && (heard.state === 'pending' || heard.state === 'unknown'))
    return Promise.resolve(row)
  return hear(room, row, heard)
}

async function followHint(room: Room, row: OperationRow, heard: Heard): Promise<string> {
  const { db, clock } = room
  const hinted = await takeHint(room, row, heard)
  if (hinted.decided === 'completed') return 'hint: known already'
  const after = await ask(room, row.id, { abandoned: false })
  // The provider's own records may be a little behind its callbacks.
  if (after.decided === null) await sql.hurry(db, { id: row.id, due: inMs(clock, againMs) })
  return `hint: ${heard.state}, then ${after.decided ?? after.state}`
}

interface Forged {
  provider: string
  mode: Mode
  came: Came
  reason: string
}

/** A wrong signature at an address that everybody may know. */
async function noteForged(
  room: Room,
  forgeries: ReturnType<typeof recent<number>>,
  { provider, mode, came, reason }: Forged,
): Promise<void> {
  const { db, clock } = room
  const now = clock.now()
  const [claimed] = came.body.toString('utf8').match(uuidIn) ?? []
  const row = claimed === undefined ? undefined : await sql.readById(db, claimed)
  if (row !== undefined && row.provider === provider && row.mode === mode) return suspect(room, row, reason)
  const key = `${provider} ${mode}`
  if (now.getTime() - (forgeries.get(key) ?? Number.NEGATIVE_INFINITY) < forgedMs) return
  forgeries.set(key, now.getTime())
  const actor = { kind: 'provider', id: provider }
  const details = { why: reason, mode }
  await db.inTransaction((tx) =>
    audit.record(tx, { actor, action: 'callback.refused', object: key, result: 'refused', details, at: now }),
  )
}

/** Some take no hyphens; the database takes both. */
const uuidIn = /\b[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}\b/i
