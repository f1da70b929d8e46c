// What the parts of this room work with.
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Secret } from '../base/secret.ts'
import type { Db } from '../db/db.ts'
import type { Caller, Heard, Made, Registry, WireOperation } from '../providers/providers.ts'
import { type Operation, type OperationRow, type Outcome, operationOf, type Purpose } from './model.ts'
import * as records from './records/sql.ts'
import { answerToken, callbackToken, callbackUrl } from './rules.ts'
import * as sql from './sql.ts'

/**
 * Moves the money of an operation that has come to its end, and ends it in the same transaction. It may be called again,
 * by several processes at once, until the operation is ended: the first one that commits counts. It may also be told
 * `completed` for a subject that has failed already: then `operation.lateOf` says which operation had failed, and the
 * money is there all the same. `db` is the whole database or a share of it: somebody waits for this end, or nobody does.
 */
export type Ending = (operation: Operation, outcome: Outcome, db: Db) => Promise<void>

/** A payout was completed, and afterwards its money came back to the provider. It may be told again. */
export type CameBack = (operation: Operation, db: Db) => Promise<void>

export interface Room {
  db: Db
  /** A share of it, for what nobody waits for. */
  aside: Db
  clock: Clock
  log: Log
  secrets: { readonly idem: Secret }
  /** Where providers reach this service. */
  baseUrl: string
  registry: Registry
  caller: Caller
  endings: Map<Purpose, Ending>
  /** Who takes care of what came back, if anybody does. */
  cameBack: CameBack[]
}

/** Longer than any exchange takes: whoever has taken an operation and was not heard of until then has died. */
export const leaseMs = 60_000

export const inMs = (clock: Clock, ms: number): Date => new Date(clock.now().getTime() + ms)

export const answerUrlOf = ({ secrets, baseUrl }: Room, id: string): string =>
  callbackUrl(baseUrl, answerToken(secrets.idem, id))

/** As the adapters know it. */
export async function wireOf(room: Room, row: OperationRow): Promise<WireOperation> {
  const { secrets, baseUrl, db } = room
  const { amount, phone, email, account, returnUrl, providerReference, receipt, ...operation } =
    operationOf(row)
  const original = row.original_id === null ? undefined : await sql.readById(db, row.original_id)
  return {
    id: row.id,
    kind: row.kind,
    amount,
    phone: phone ?? undefined,
    email: email ?? undefined,
    account: account ?? undefined,
    reference: operation.reference,
    about: operation.about,
    callbackUrl: callbackUrl(baseUrl, callbackToken(secrets.idem, row.id)),
    at: room.clock.now(),
    returnUrl: returnUrl ?? undefined,
    providerReference: providerReference ?? undefined,
    receipt: receipt ?? undefined,
    original: original && {
      id: original.late_of ?? original.id,
      providerReference: original.provider_reference ?? undefined,
      // It may become known later; but the way that the refund took was chosen by what was known then.
      receipt: (row.original_receipt ?? original.receipt) || undefined,
    },
  }
}

/** What was said is kept; the last of it tells whether the provider works. */
export async function keepExchanges(
  { db }: Room,
  { id, provider, mode }: OperationRow,
  said: { made: readonly Made[]; heard: Heard },
): Promise<void> {
  const { made, heard } = said
  if (made.length === 0) return
  const fails =
    heard.state === 'unknown' || (heard.state === 'failed' && heard.code === 'provider_unavailable')
  const last = made.length - 1
  await records.addExchanges(
    db,
    made.map((one, index) => ({
      operationId: id,
      provider,
      mode,
      what: one.what,
      method: one.method,
      path: one.path,
      request: one.request,
      status: one.status ?? null,
      answer: one.answer ?? null,
      problem: one.problem ?? null,
      technical: one.problem !== undefined || (index === last && fails),
      durationMs: one.durationMs,
      at: one.at,
    })),
  )
}
