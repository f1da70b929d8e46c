// The end of a proof: whatever nobody knows is asked again until it is known, everything that is on its way arrives, and
// then the checker, which knows nothing of the server's code, holds the journals against the database. Use:
//
//   await traffic.stop()
//   await verdict(stage, { unsure: traffic.unsure })      // faults are said to the scene
import { setTimeout as sleep } from 'node:timers/promises'
import { type CheckOptions, check } from '../check/check.ts'
import type { ClientSecret } from '../check/receivers.ts'
import { type CheckoutPayment, payByWallet } from './checkout.ts'
import { secrets } from './service.ts'
import type { Stage } from './stage.ts'
import { eachOf, type Person, type World } from './world.ts'

export interface VerdictOptions {
  /** Payments of which nobody knows whether they were paid. */
  unsure?: { person: Person; payment: CheckoutPayment }[]
  /** How long all of it may take. */
  patienceMs?: number
  /** What the service may complain of here: each line of its log is held against it. */
  forgives?: RegExp
  /** Other options of the checker: `{ order: false }` where a fault may change the order of notifications. */
  check?: Partial<CheckOptions>
}

/** A machine that has much else to do may be too slow for a connection; a killed process breaks those it had. */
const slowness =
  /notify listener|the worker ended by itself|timeout exceeded when trying to connect|Query read timeout|Connection terminated/

/** What the service and its libraries say while the database is away, for proofs that take it away: see `forgives`. */
export const databaseAway =
  /AppError: (unavailable|The database went away)|the database system is|ECONNRE|graphile-worker|Failed to \w+ jobs|UNLISTEN|the worker could not start again|too many connections for/

/** Settles, then judges; also when it never becomes quiet, since that is seldom all that is wrong. */
export async function verdict(stage: Stage, options: VerdictOptions = {}): Promise<void> {
  const { scene } = stage
  await settle(stage, options).catch((error: Error) => scene.fault(error.message))
  scene.signal.throwIfAborted()
  await judge(stage, options)
}

/** Until everything is known and nothing is on its way. The service must be alive and well. */
export async function settle(stage: Stage, options: VerdictOptions = {}): Promise<void> {
  const { scene, client } = stage
  const until = performance.now() + (options.patienceMs ?? 120_000)
  const { unsure = [] } = options
  const before = client.unknown().length + unsure.length
  while (
    client.unknown().length > 0 &&
    inTime(until, `answers to ${client.unknown().length} repeated requests`)
  )
    await eachOf(client.unknown(), 32, (request) => client.act(request))
  for (let left = unsure; left.length > 0 && inTime(until, `${left.length} payments`); ) {
    const heard = await eachOf(left, 8, async (one) => ({ one, heard: await payByWallet(client, one) }))
    left = heard.filter((each) => each.heard.outcome === 'unknown').map(({ one }) => one)
  }
  scene.say(`${before} outcomes were unknown; all are known`)
  let patientUntil = performance.now() + patientMs
  for (let calm = 0; calm < 2; await sleep(150)) {
    await stage.simulator.settled(1_000)
    const open = await whatIsOpen(stage)
    calm = open === undefined ? calm + 1 : 0
    if (calm === 0) inTime(until, open ?? '')
    if (calm === 0 && performance.now() > patientUntil) {
      passTime(stage)
      patientUntil = performance.now() + againMs
    }
  }
}

/** What is under way arrives by itself; then what was planned for later comes, a step of time after the other. */
const [patientMs, againMs] = [2_500, 1_300]
/** What waits for its time waits a minute or two; an hour would end payments that nobody has paid. */
const [stepMs, aheadMsMax] = [100_000, 30 * 60_000]

/** A provider is asked again after minutes: where the clocks can be moved, they pass. */
function passTime(stage: Stage): void {
  const ahead = stage.aheadMs()
  if (ahead !== undefined && ahead < aheadMsMax) stage.advance(ahead + stepMs)
}

function inTime(until: number, what: string): true {
  if (performance.now() > until) throw new Error(`it never becomes quiet: ${what}`)
  return true
}

/**
 * M-Pesa can be asked only by the number it gave. Whoever was killed before that was written down, or before the order
 * left, waits for the customer's answer, or for the statement of the day, which tells whether there was such an order.
 */
const unaskable =
  "state = 'unknown' and provider = 'mpesa' and kind = 'collect' and provider_reference is null and sends = 1"

/** What is on its way; undefined: nothing. */
async function whatIsOpen({ cluster, database }: Stage): Promise<string | undefined> {
  const [row] = await cluster.query<{ what: string }>(
    database,
    `select concat_ws(' ', 'operation', id, provider, kind, purpose, state, 'sent', sends, 'times, absent', absences,
       'times, next at', due_at) as what from operations.operations
     where ended_at is null and not (${unaskable})
     union all select 'delivery ' || id from operations.deliveries where due_at is not null
     union all select 'notification ' || number || ', failed ' || failures from notifications.queue
     limit 1`,
  )
  return row?.what
}

/** Everything the checker finds is a fault, and so are answers and lines of the log that nobody should see. */
export async function judge(stage: Stage, options: VerdictOptions = {}): Promise<void> {
  const { scene, client, world, receiver } = stage
  const { forgives, ...more } = options
  for (const answer of client.broken) scene.fault(`HTTP 500: ${answer}`)
  for (const line of stage.complaints())
    if (!slowness.test(line) && !forgives?.test(line))
      scene.fault(`the service complained: ${line.slice(0, 600)}`)
  const { idem = '', audit = '' } = secrets()
  const { faults, figures } = await check({
    databaseUrl: stage.databaseUrl,
    secrets: { idem, audit },
    journal: client.journal,
    receivers: receiver.journal,
    clientSecrets: clientSecretsOf(world),
    since: stage.since,
    now: new Date(Date.now() + (stage.aheadMs() ?? 0)),
    ...more.check,
  })
  for (const fault of faults) scene.fault(fault)
  const [open] = await stage.cluster.query<{ count: bigint }>(
    stage.database,
    `select count(*) from operations.operations where ended_at is null and ${unaskable}`,
  )
  scene.say(`${open?.count ?? 0} orders to M-Pesa wait for the statement of the day`)
  scene.say(`the checker: ${JSON.stringify(figures)}`)
}

const clientSecretsOf = ({ shops }: World): ClientSecret[] =>
  shops.flatMap(({ id, live, test }) => [
    { merchant: id, mode: 'live', secret: live.secret },
    { merchant: id, mode: 'test', secret: test.secret },
  ])
