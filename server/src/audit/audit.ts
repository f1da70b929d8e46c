// Who did what, from where, and whether it was allowed: append-only, hash-chained, one chain a day (UTC).
// A chain needs one order for all, and a writer that waited for its place would hold up every login and PIN until
// the transaction before it had committed. So an event is written unchained, in the transaction of what it tells, and
// waits for nobody; every few seconds one writer at a time seals what has been committed: it gives each event its
// place and its hash. What was sealed can't be altered or removed unnoticed (`npm run audit:verify`); what was not,
// is seen to be waiting. Rows are kept for seven years at least, and nothing here deletes any.
import { hash } from 'node:crypto'
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { StartError } from '../base/errors.ts'
import type { Db, Queries, Tx } from '../db/db.ts'
import { openSigner } from './chain.ts'
import { seal } from './seal.ts'
import * as sql from './sql.ts'
import { type AuditResult, type VerifyOptions, verifyChains } from './verify.ts'

export { openRefusals, type Refusals } from './refusals.ts'
export { type Sealing, seal } from './seal.ts'
export type { AuditResult } from './verify.ts'

export interface AuditEvent {
  /** Who: `{ kind: 'user', id: 'usr_…' }`; for a failed login what was typed may be the id. */
  actor: { kind: string; id: string }
  /** A word or two with dots: `login`, `pin.locked`. */
  action: string
  /** What it was done to, by its id. */
  object?: string | undefined
  result: 'ok' | 'refused'
  address?: string | undefined
  /** Only its hash is kept. */
  userAgent?: string | undefined
  session?: string | undefined
  requestId?: string | undefined
  /** Before and after of fields that are no secrets. */
  details?: object | undefined
  at: Date
}

const textMax = 200
const detailsMax = 8_192
/** How much of each text in the details is kept: the first that fits. */
const keptMost = [2_048, 200, 40]

/** Counts when the transaction commits. Waits for no other writer. */
export async function record(tx: Tx, event: AuditEvent): Promise<void> {
  await sql.addEvent(tx, valuesOf(event))
}

/** The same for the ledger's `also`: written when the posting of what it tells is. */
export const row = (event: AuditEvent) => ({ statement: sql.eventStatement, values: valuesOf(event) })

function valuesOf(event: AuditEvent): readonly unknown[] {
  const details = detailsOf(event.details ?? {})
  const tidied = (text: string | undefined) => (text ? tidy(text) : null)
  return [
    event.at,
    tidy(event.actor.kind),
    tidy(event.actor.id),
    event.action,
    tidied(event.object),
    event.result,
    tidied(event.address),
    event.userAgent ? hash('sha256', event.userAgent, 'buffer') : null,
    tidied(event.session),
    tidied(event.requestId),
    details,
  ]
}

/** Long texts are shortened rather than refused: what an event tells of must not fail for what somebody typed. */
function detailsOf(details: object): string {
  for (const most of keptMost) {
    const text = JSON.stringify(details, (name, value) => shortened(refuseSecrets(name, value), most))
    if (text.length <= detailsMax) return text
  }
  throw new Error('broken promise: the details of an event are few')
}

const shortened = (value: unknown, most: number): unknown =>
  typeof value === 'string' && value.length > most ? `${value.slice(0, most).toWellFormed()}…` : value

const secretNames = /^(pin|password|token|secret|api_?key|client_?secret|authorization|cookie)$/i

/** A secret that was written here could never be removed again. */
function refuseSecrets(name: string, value: unknown): unknown {
  check(!secretNames.test(name) || typeof value === 'boolean', `the details of an event have no ${name}`)
  return typeof value === 'bigint' ? value.toString() : value
}

/** What a stranger typed may be here: neither its length nor its characters may make the statement fail. */
const tidy = (text: string): string =>
  text
    .slice(0, textMax)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\ufffd')

export interface AuditSearch {
  /** The id of who did it. */
  actor?: string | undefined
  action?: string | undefined
  object?: string | undefined
  from?: Date | undefined
  /** Excluded. */
  to?: Date | undefined
  /** The last row of the page before. */
  before?: { at: Date; id: bigint } | undefined
  limit: number
}

export interface AuditRow {
  id: bigint
  at: Date
  actor: { kind: string; id: string }
  action: string
  object: string | undefined
  result: 'ok' | 'refused'
  address: string | undefined
  session: string | undefined
  requestId: string | undefined
  details: object
  /** It has its place in the chain. */
  sealed: boolean
}

/** The newest first. */
export async function search(db: Queries, { limit, ...wanted }: AuditSearch): Promise<AuditRow[]> {
  check(limit >= 1 && limit <= 1_000, 'a page has 1 to 1000 rows')
  const { actor, action, object, from, to, before } = wanted
  const rows = await sql.searchEvents(db, { actor, action, object, from, to, before, limit })
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id },
    action: row.action,
    object: row.object ?? undefined,
    result: row.result,
    address: row.address ?? undefined,
    session: row.session ?? undefined,
    requestId: row.request_id ?? undefined,
    details: row.details,
    sealed: row.sealed,
  }))
}

/** Is there an audit log in this database? */
export const hasLog = async (db: Queries): Promise<boolean> => (await sql.hasLog(db))?.there === true

export type Verification = AuditResult & {
  /** The heads of days that were closed on the way; they belong in a log too. */
  heads: sql.Head[]
}

type Verifying = Omit<VerifyOptions, 'anySigner'> & { clock: Clock }

/**
 * Walks all chains. What waits is sealed first, so that a stopped service leaves nothing to complain about; a copy that
 * can only be read is verified as it is.
 */
export async function verify(db: Db, { clock, ...options }: Verifying): Promise<Verification> {
  const begun = (await sql.readTip(db)) !== undefined
  const mayWrite = (await sql.takesWrites(db))?.yes === true
  const { heads } = begun && mayWrite ? await seal(db, { secret: options.secret, clock }) : { heads: [] }
  return { ...(await verifyChains(db, options)), heads }
}

/**
 * After a change of the secret: walks all chains and, when nothing else is wrong, signs each head and the tip once
 * more. It trusts what the old signatures can't show any more, so the log is to be verified with the old secret before.
 */
export async function signAnew(db: Db, { clock, ...options }: Verifying): Promise<Verification> {
  const result = await verifyChains(db, { ...options, anySigner: true })
  if (!result.ok || result.tip === undefined) return { ...result, heads: [] }
  const { tip } = result
  const signer = openSigner(options.secret)
  const heads = await db.inTransaction(async (tx) => {
    const now = await sql.lockTip(tx)
    if (now?.hash !== tip.hash || now.day !== tip.day) throw new StartError(stillSealing)
    const all = await sql.readHeads(tx)
    const signed = new Set(all.filter((head) => head.signer === signer.name).map(({ day }) => day))
    const unsigned = new Map(all.filter(({ day }) => !signed.has(day)).map((head) => [head.day, head]))
    const anew = [...unsigned.values()].map((head) => ({
      ...head,
      signer: signer.name,
      signature: signer.sign('head', head),
    }))
    await sql.addHeads(tx, anew)
    await sql.moveTip(tx, { ...tip, signer: signer.name, signature: signer.sign('tip', tip) })
    const actor = { kind: 'system', id: 'audit' }
    const details = { signer: signer.name, heads: anew.length }
    await record(tx, { actor, action: 'audit.signed_anew', result: 'ok', details, at: clock.now() })
    return anew
  })
  return { ...result, heads }
}

const stillSealing =
  'A service with the old secret is still running and has sealed events meanwhile. Stop it, then try again.'
