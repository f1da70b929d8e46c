// Sealing: committed events get their place in the chain of the day. One writer at a time, by the lock on the tip's
// row; small transactions, so that nobody waits long. The tip is signed: who removes the latest links can't sign an
// earlier tip, and the sealer builds on none whose signature doesn't fit.
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import type { Secret } from '../base/secret.ts'
import type { Db, Tx } from '../db/db.ts'
import {
  dayAfter,
  dayOf,
  daysBetween,
  type EventFacts,
  emptyHash,
  linkHash,
  openSigner,
  type Signer,
  type Standing,
} from './chain.ts'
import * as sql from './sql.ts'

export interface Sealing {
  sealed: number
  /** The days that were closed, to be told to the log: who alters the database can't alter that too. */
  heads: sql.Head[]
  /** Why nothing can be sealed; a sentence. */
  refused?: string
}

const batchMax = 1_000
const batchesMax = 100
const daysMax = 4_000

export async function seal(db: Db, { secret, clock }: { secret: Secret; clock: Clock }): Promise<Sealing> {
  const signer = openSigner(secret)
  const result: Sealing = { sealed: 0, heads: [] }
  for (let batches = 0; batches < batchesMax; batches++) {
    const today = dayOf(clock.now())
    const batch = await db.inTransaction((tx) => sealBatch(tx, { signer, today }))
    result.sealed += batch.sealed
    result.heads.push(...batch.heads)
    if (batch.refused !== undefined) return { ...result, refused: batch.refused }
    if (batch.sealed < batchMax) break
  }
  return result
}

interface Batch {
  signer: Signer
  today: string
}

async function sealBatch(tx: Tx, { signer, today }: Batch): Promise<Sealing> {
  const tip = (await sql.lockTip(tx)) ?? (await openTip(tx, { signer, today }))
  if (!signer.fits('tip', tip)) return { sealed: 0, heads: [], refused: tipRefusal(tip, signer) }
  const { heads, standing } = closeDays(
    { day: tip.day, events: tip.events, hash: tip.hash },
    { signer, today },
  )
  if (heads.length > 0) await sql.addHeads(tx, heads)
  const waiting = await sql.waitingIds(tx, batchMax)
  const links = await addLinks(tx, { ids: waiting.map(({ event_id }) => event_id), standing })
  const last = links.at(-1)
  const next = last === undefined ? standing : { day: last.day, events: last.position, hash: last.hash }
  if (heads.length > 0 || links.length > 0) {
    await sql.moveTip(tx, { ...next, signer: signer.name, signature: signer.sign('tip', next) })
  }
  return { sealed: links.length, heads }
}

async function openTip(tx: Tx, { signer, today }: Batch): Promise<sql.Head> {
  const start: Standing = { day: today, events: 0n, hash: emptyHash }
  await sql.addTip(tx, { ...start, signer: signer.name, signature: signer.sign('tip', start) })
  const tip = await sql.lockTip(tx)
  check(tip !== undefined, 'a tip that was just written is there')
  return tip
}

const tipRefusal = (tip: sql.Head, signer: Signer): string =>
  tip.signer === signer.name
    ? 'The tip of the audit log was altered. Run `npm run audit:verify`.'
    : 'The tip of the audit log is signed with another secret than SECRET_AUDIT. If you have changed the secret, run `npm run audit:verify -- --new-secret`.'

/** Every day before today gets its head, also one without events: a day that is missing was removed. */
function closeDays(tip: Standing, { signer, today }: Batch): { heads: sql.Head[]; standing: Standing } {
  const heads: sql.Head[] = []
  let standing = tip
  check(daysBetween(tip.day, today) <= daysMax, 'the clock is right: the audit log is not years behind')
  // A clock that is behind another one's seals into the day that has begun.
  while (standing.day < today) {
    heads.push({ ...standing, signer: signer.name, signature: signer.sign('head', standing) })
    standing = { day: dayAfter(standing.day), events: 0n, hash: standing.hash }
  }
  return { heads, standing }
}

/** An id that waits and has no event stays where it is, so that it is seen. */
async function addLinks(
  tx: Tx,
  { ids, standing }: { ids: bigint[]; standing: Standing },
): Promise<sql.NewLink[]> {
  if (ids.length === 0) return []
  const links = linksOf(await sql.readEvents(tx, ids), standing)
  await sql.addLinks(tx, links)
  await sql.endWaiting(
    tx,
    links.map(({ eventId }) => eventId),
  )
  return links
}

function linksOf(events: readonly EventFacts[], { day, events: last, hash: head }: Standing): sql.NewLink[] {
  let before = head
  let position = last
  return events.map((event) => {
    position += 1n
    const hash = linkHash({ before, day, position, event })
    const link = { day, position, eventId: event.id, before, hash }
    before = hash
    return link
  })
}
