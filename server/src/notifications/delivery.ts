// The worker: takes what is due, sends it, and has it written down what came of it. What must stay true:
//  - Before a byte leaves, the database knows that the attempt was begun. A worker that dies gives back what it held when
//    its lease is over, and one that comes back late neither sends nor overwrites what others have done.
//  - It looks by itself, five times a second. Payments notify nobody: PostgreSQL lets transactions that notify commit one
//    after another only, and the money should not wait for that.
import { setTimeout as sleep } from 'node:timers/promises'
import { someOf } from '../base/chance.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config.ts'
import { openDb } from '../db/db.ts'
import { type Book, openBook } from './book.ts'
import { targetOf } from './choose.ts'
import { guardOf } from './guard.ts'
import { type Addressing, openHeaders } from './headers.ts'
import { openRecorder, type Recorder } from './recording.ts'
import { openResolver, type Resolve, type ResolverOptions } from './resolve.ts'
import type { OnTrouble, Result } from './results.ts'
import { nextStep, type Sent } from './rules.ts'
import { openSender, type Sender } from './send.ts'
import type { SigningKeys } from './sign.ts'
import type { LeasedRow } from './sql.ts'
import { openTaking, type Taking } from './taking.ts'

export interface DeliveryOptions {
  url: string
  clock: Clock
  log: Log
  config: Pick<
    Config,
    | 'production'
    | 'ALLOW_PRIVATE_CALLBACKS'
    | 'CALLBACK_ALLOW_CIDRS'
    | 'BASE_URL'
    | 'NOTIFY_SCHEDULE'
    | 'NOTIFY_DNS'
    | 'HEADER_PREFIX'
    | 'BRAND_NAME'
  >
  /** Absent: there is nothing to sign with, and the attempt fails. */
  keysOf: (merchant: number, mode: 'live' | 'test') => Promise<SigningKeys | undefined>
  onTrouble: OnTrouble
  onAttempt?: (attempt: { ok: boolean; seconds: number }) => void
  /** For tests: chance from 0 to 1, and what names lead to. */
  random?: () => number
  resolve?: Resolve
}

export interface Delivery {
  /** Look now: this process has just committed something. */
  wake(): void
  state(): { inFlight: number; sockets: number }
  /** Takes nothing new, lets running attempts end for a while, and gives back what is left. */
  stop(): Promise<void>
}

const pollMs = 200
/** Between two looks while there is more to do, so that one takes many. */
const breathMs = 4
/** A lease as old as this is left to run out: somebody must have stopped this process for a while. */
const lateMs = 15_000
const slotsLeast = 20
const unrecordedMax = 1_000
const troubleMs = 1_000
const troubleMsMax = 10_000
/** How long attempts that run may take to end when all stops; and how soon what failed by our fault is taken again. */
const finishMs = 10_000
const againMs = 5_000

interface Work extends DeliveryOptions {
  book: Book
  sender: Sender
  headers: Addressing
  taking: Taking
  recorder: Recorder
  bell: Bell
  running: Set<Promise<void>>
  /** Payments of which an event is under way, or is being written down. */
  busy: Set<string>
  /** Payments of which a later event waits for an earlier one. */
  waited: Set<string>
  /** There is more to take, as soon as something ends. */
  hungry: boolean
  stopping: boolean
}

export function startDelivery(options: DeliveryOptions): Delivery {
  const { config, log, clock, url } = options
  const onIdleError = (error: Error) =>
    log.warn({ err: error }, 'an idle connection of the notifications broke')
  const name = 'mfuko notifications'
  const db = openDb({ url, connectionsMax: 3, name, plannedOnce: true, byIndex: true, onIdleError })
  const resolve = options.resolve ?? openResolver(resolvingOf(config))
  const book = openBook()
  const busy = new Set<string>()
  const waited = new Set<string>()
  const onRecorded = (results: readonly Result[]) => {
    for (const { row } of results) {
      busy.delete(row.subject)
      if (waited.delete(row.subject)) work.bell.ring()
    }
  }
  const work: Work = {
    ...options,
    book,
    busy,
    waited,
    sender: openSender({ guard: guardOf(config), resolve }),
    headers: openHeaders(config),
    taking: openTaking({ db, book, clock, busy, onBlocked: (subject) => waited.add(subject) }),
    recorder: openRecorder({ db, clock, log, onTrouble: options.onTrouble, onRecorded }),
    bell: openBell(),
    running: new Set(),
    hungry: false,
    stopping: false,
  }
  const taking = keepTaking(work)
  const stop = async () => {
    work.stopping = true
    work.bell.ring()
    await taking
    const allEnded = Promise.all(work.running)
    await Promise.race([allEnded, sleep(finishMs, undefined, { ref: false })])
    await work.sender.close()
    await allEnded
    await work.recorder.finish()
    await db.close()
  }
  let stopped: Promise<void> | undefined
  return {
    wake: work.bell.ring,
    state: () => ({ inFlight: book.inFlight(), sockets: work.sender.sockets() }),
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

function resolvingOf(config: DeliveryOptions['config']): ResolverOptions {
  const servers = config.NOTIFY_DNS
  const isPrivate = config.ALLOW_PRIVATE_CALLBACKS === 'on'
  // Name servers that somebody has named are there to be asked.
  if (isPrivate && servers.length === 0) return { localNames: 'first' }
  const localNames = isPrivate || config.CALLBACK_ALLOW_CIDRS.length > 0 ? 'last' : 'never'
  return { localNames, ...(servers.length > 0 ? { servers } : {}) }
}

async function keepTaking(work: Work): Promise<void> {
  const { book, recorder, taking, bell } = work
  let pauseMs = troubleMs
  while (!work.stopping) {
    try {
      const slots = recorder.waiting() > unrecordedMax ? 0 : book.slots()
      // A look for a few is as dear as one for many: while many are under way, some of them must end first.
      work.hungry = slots < slotsLeast
      if (!work.hungry) {
        const leasedAtMs = performance.now()
        const { leased, more } = await taking.takeOnce(slots)
        for (const row of leased) begin(work, row, leasedAtMs)
        work.hungry = more || taking.hasLanes()
        pauseMs = troubleMs
        if (more) bell.ring()
      }
      await bell.wait(pollMs)
      if (work.hungry) await sleep(breathMs)
    } catch (error) {
      work.log.warn({ err: error }, 'could not look for notifications to send')
      await bell.wait(pauseMs)
      pauseMs = Math.min(2 * pauseMs, troubleMsMax)
    }
  }
}

function begin(work: Work, row: LeasedRow, leasedAtMs: number): void {
  work.busy.add(row.subject)
  const running = attempt(work, row, leasedAtMs).then((result) => {
    work.running.delete(running)
    if (result === undefined) work.busy.delete(row.subject)
    else work.recorder.add(result)
    if (work.hungry) work.bell.ring()
  })
  work.running.add(running)
}

/** Never rejects. Nothing: the lease is too old to be used, and somebody else will take it. */
async function attempt(work: Work, row: LeasedRow, leasedAtMs: number): Promise<Result | undefined> {
  const { clock, book, log, config } = work
  const target = targetOf(row)
  const at = clock.now()
  let sent: Sent | 'too late' | undefined
  try {
    sent = await send(work, { row, at, leasedAtMs })
  } catch (error) {
    log.error({ err: error, event: row.id }, 'a notification could not be sent, for a reason of our own')
  }
  const endedAt = clock.now()
  const { mode, failures } = row
  const holdsBack = work.waited.has(row.subject) || failures > 0
  if (sent === undefined || sent === 'too late') {
    book.untake(target)
    if (sent === 'too late') return undefined
    const step = { kind: 'back', at: new Date(endedAt.getTime() + againMs) } as const
    return { row, at, endedAt, sent, step, breaks: false, holdsBack }
  }
  const random = work.random ?? (() => someOf(1))
  const step = nextStep(sent, { mode, failures, schedule: config.NOTIFY_SCHEDULE, now: endedAt, random })
  const ok = step.kind === 'delivered'
  let breaks = false
  if (step.kind === 'back') book.untake(target)
  else {
    breaks = book.end(target, { ok, at: endedAt })
    work.onAttempt?.({ ok, seconds: sent.durationMs / 1_000 })
  }
  return { row, at, endedAt, sent, step, breaks, holdsBack }
}

interface Sending {
  row: LeasedRow
  at: Date
  leasedAtMs: number
}

async function send(work: Work, { row, at, leasedAtMs }: Sending): Promise<Sent | 'too late'> {
  const keys = await work.keysOf(row.merchant, row.mode)
  if (keys === undefined) return withoutSecret
  const untilMs = leasedAtMs + lateMs
  if (performance.now() > untilMs) return 'too late'
  const { id, sequence, body, url, mode } = row
  const headers = work.headers({ id, sequence, attempt: row.attempts, body, at }, keys)
  return work.sender.send({ target: targetOf(row), mode, url, headers, body, untilMs })
}

const withoutSecret: Sent = {
  durationMs: 0,
  address: undefined,
  status: undefined,
  problem: 'no_secret',
  detail: undefined,
  cause: undefined,
  retryAfter: undefined,
  response: undefined,
}

interface Bell {
  ring: () => void
  /** Until it rings, or the time is over. */
  wait: (ms: number) => Promise<void>
}

function openBell(): Bell {
  let rung = false
  let waiting: (() => void) | undefined
  return {
    ring: () => {
      rung = true
      waiting?.()
    },
    wait: async (ms) => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          waiting = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      rung = false
      waiting = undefined
    },
  }
}
