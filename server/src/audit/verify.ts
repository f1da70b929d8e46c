// The walk through every chain, as of one moment, in bounded memory. It trusts nothing but the secret: each hash is
// made again from the event, each day must end where its signed head says, the last one at the signed tip, and every
// event there is must have its place or be seen to wait for it.

import { type Findings, openFindings } from '../base/findings.ts'
import { pagesOf } from '../base/pages.ts'
import type { Secret } from '../base/secret.ts'
import type { Db, Tx } from '../db/db.ts'
import { openSigner, type Signer, type Standing } from './chain.ts'
import { type Days, openDays } from './days.ts'
import * as sql from './sql.ts'

export interface AuditResult {
  ok: boolean
  /** That have their place in a chain. */
  events: number
  days: number
  /** That wait for it; some always do while the service runs. */
  waiting: number
  /** Where the latest chain stands; to be compared with the log, if need be. */
  tip: Standing | undefined
  /** The first ones, each with the row it is about. */
  problems: string[]
  wrong: number
  seconds: number
}

export interface VerifyOptions {
  secret: Secret
  /** Heads and tip may be signed with another secret; what they say must still be right. */
  anySigner?: boolean
  onProgress?: (progress: { events: number; of: number }) => void
  signal?: AbortSignal | undefined
}

export async function verifyChains(db: Db, options: VerifyOptions): Promise<AuditResult> {
  const startedAt = performance.now()
  const findings = openFindings()
  const result = await db.inSnapshot((tx) => verifySnapshot(tx, { ...options, findings }))
  return {
    ok: findings.count() === 0,
    ...result,
    problems: [...findings.problems],
    wrong: findings.count(),
    seconds: (performance.now() - startedAt) / 1_000,
  }
}

interface Verifying extends VerifyOptions {
  findings: Findings
}

async function verifySnapshot(tx: Tx, { secret, anySigner = false, ...options }: Verifying) {
  const { findings, signal } = options
  await sql.lookUpByKey(tx)
  const signer = openSigner(secret)
  const tip = await sql.readTip(tx)
  const heads = await sql.readHeads(tx)
  const of = Number(heads.reduce((sum, head) => sum + head.events, tip?.events ?? 0n))
  const days = openDays({ heads: usable(heads, { signer, anySigner, findings }), findings })
  const events = await walkLinks(tx, { ...options, days, of })
  days.end(tip?.day || undefined)
  if (tip !== undefined || events > 0) checkTip(tip, { signer, anySigner, days, findings })
  const waiting = await checkWaiting(tx, findings)
  await checkNoneLeftOut(tx, { findings, signal, placed: events + waiting.fresh })
  return { events, days: days.count(), waiting: waiting.all, tip: tip && days.at() }
}

interface Trust {
  signer: Signer
  anySigner: boolean
  findings: Findings
}

/** The heads that our secret has signed; of the others it is only said that there is none of ours. */
function usable(heads: readonly sql.Head[], { signer, anySigner, findings }: Trust): sql.Head[] {
  const ours = heads.filter((head) => anySigner || head.signer === signer.name)
  for (const head of ours) {
    if (head.signer === signer.name && !signer.fits('head', head)) {
      findings.add(`the head of ${head.day || 'no day'}`, ['its signature does not fit'])
    }
  }
  return ours.filter(({ day }) => day !== '')
}

interface Walking {
  days: Days
  of: number
  onProgress?: VerifyOptions['onProgress']
  signal?: AbortSignal | undefined
  findings: Findings
}

const linksLimit = 5_000

/** Returns how many links have their event. */
async function walkLinks(tx: Tx, { days, of, onProgress, signal }: Walking): Promise<number> {
  const pages = pagesOf({
    read: (after: sql.LinkKey | undefined) => sql.linksAfter(tx, { after, limit: linksLimit }),
    keyOf: ({ raw_day, position }) => ({ raw_day, position }),
    limit: linksLimit,
    signal,
  })
  let events = 0
  for await (const page of pages) {
    for (const row of page) {
      days.link(row)
      if (row.id !== null) events += 1
    }
    onProgress?.({ events, of })
  }
  return events
}

function checkTip(
  tip: sql.Head | undefined,
  { signer, anySigner, days, findings }: Trust & { days: Days },
): void {
  const what = 'the tip of the chain'
  if (tip === undefined) {
    findings.add(what, ['it is missing'])
    return
  }
  const at = days.at()
  const isOurs = tip.signer === signer.name
  if (isOurs ? !signer.fits('tip', tip) : !anySigner) {
    findings.add(what, [
      isOurs ? 'its signature does not fit' : 'it is signed with another secret than SECRET_AUDIT',
    ])
  } else if (at.day !== tip.day || at.events !== tip.events || at.hash !== tip.hash) {
    findings.add(what, [
      `it says that ${tip.day} has ${tip.events} events, but the chain ends on ${at.day} after ${at.events}` +
        (at.events === tip.events ? ', with another hash' : ''),
    ])
  }
}

const waitingNamed = 5

/** The sealer comes every few seconds. What has waited for a minute is not protected, and somebody must know. */
async function checkWaiting(tx: Tx, findings: Findings): Promise<{ all: number; fresh: number }> {
  for (const { event_id, since, gone, sealed } of await sql.oddWaiting(tx, waitingNamed)) {
    const why = gone ? 'it is gone' : sealed ? 'it has its place already' : 'it is not protected yet'
    findings.add(`event ${event_id}`, [`it waits to be sealed since ${since.toISOString()}: ${why}`])
  }
  const counts = await sql.countWaiting(tx)
  return { all: counts?.waiting ?? 0, fresh: counts?.fresh ?? 0 }
}

const countLimit = 50_000

/** Only when a number is off are the events looked at one by one. */
async function checkNoneLeftOut(
  tx: Tx,
  { findings, signal, placed }: { findings: Findings; signal: AbortSignal | undefined; placed: number },
): Promise<void> {
  const counted = await countEvents(tx, signal)
  if (counted === placed) return
  let after = 0n
  for (;;) {
    signal?.throwIfAborted()
    const page = await sql.leftOutAfter(tx, { after, limit: countLimit })
    for (const id of page?.left_out ?? []) {
      findings.add(`event ${id}`, [
        'it has no place in a chain and does not wait for one: it was not written by the service',
      ])
    }
    if (page?.last == null || findings.full()) return
    after = page.last
  }
}

async function countEvents(tx: Tx, signal: AbortSignal | undefined): Promise<number> {
  let counted = 0
  let after = 0n
  for (;;) {
    signal?.throwIfAborted()
    const page = await sql.countEventsAfter(tx, { after, limit: countLimit })
    counted += page?.events ?? 0
    if (page?.last == null) return counted
    after = page.last
  }
}
