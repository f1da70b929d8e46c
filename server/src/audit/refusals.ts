// Who is refused over and over looks for what is others', or for the end of a limit. Each process counts for itself, by the
// minute and in bounded memory, and writes one event a minute of anybody; when there are many of them, of the first ones.
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Db } from '../db/db.ts'
import { record } from './audit.ts'

export interface Refusal {
  /** Of the error. */
  code: string
  method: string
  /** The template: an address may hold a secret. */
  route: string
  /** Who showed a good credential; else the network counts. */
  caller: { kind: string; id: string; session?: string } | undefined
  network: string
  address: string
  requestId: string
}

export interface Refusals {
  note(refusal: Refusal): void
  /** Until what was noted is written. */
  idle(): Promise<void>
}

const windowMs = 60_000
const enough = { 'limit.hit': 10, 'access.refused': 5 } as const
/** Of a minute. */
const countedMax = 10_000
const toldMax = 60

export function openRefusals({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Refusals {
  const counts = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let since = Number.NEGATIVE_INFINITY
  let told = 0
  const beginMinute = (now: number) => {
    if (now >= since && now - since < windowMs) return
    since = now
    told = 0
    counts.clear()
  }
  const write = (action: Action, refusal: Refusal, at: Date) => {
    const event = eventOf(action, refusal)
    const written = db
      .inTransaction((tx) => record(tx, { ...event, at }))
      .catch((error: unknown) => log.warn({ err: error }, 'refusals could not be written to the audit log'))
      .finally(() => running.delete(written))
    running.add(written)
  }
  return {
    note: (refusal) => {
      const action = actionOf(refusal)
      if (action === undefined) return
      const at = clock.now()
      beginMinute(at.getTime())
      const { kind, id } = actorOf(refusal)
      const key = `${action} ${kind} ${id}`
      const times = (counts.get(key) ?? 0) + 1
      if (times === 1 && counts.size >= countedMax) return
      counts.set(key, times)
      if (times !== enough[action] || told >= toldMax) return
      told += 1
      write(action, refusal, at)
    },
    idle: async () => {
      await Promise.all(running)
    },
  }
}

type Action = keyof typeof enough

/** What somebody else owns is not there or not theirs, where an address names one thing of many. */
function actionOf({ code, route, caller }: Refusal): Action | undefined {
  if (code === 'rate_limited') return 'limit.hit'
  const isForeign = (code === 'not_found' || code === 'forbidden') && route.includes(':')
  return isForeign && caller !== undefined ? 'access.refused' : undefined
}

const actorOf = ({ caller, network }: Refusal) => caller ?? { kind: 'address', id: network }

function eventOf(action: Action, refusal: Refusal) {
  const { caller, method, route, address, requestId } = refusal
  const { kind, id } = actorOf(refusal)
  return {
    actor: { kind, id },
    action,
    object: `${method} ${route}`,
    result: 'refused',
    address,
    session: caller?.session,
    requestId,
    details: { times: enough[action], seconds: windowMs / 1_000 },
  } as const
}
