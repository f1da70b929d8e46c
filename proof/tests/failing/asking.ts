// What people ask while something fails, and how each answer is judged: money moves or it is 503 in time, nobody ever
// reads of what is inside, the health says how it is, and when the trouble is over everything works again by itself.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { asPerson, asShop, type Heard, type Request } from '../../rig/client.ts'
import { watchLateness } from '../../rig/lateness.ts'
import type { ServiceProcess } from '../../rig/service.ts'
import type { Stage } from '../../rig/stage.ts'
import { straightTo } from '../../rig/straight.ts'
import type { Person, Pot, Shop } from '../../rig/world.ts'
import { giveOf, sendOf } from '../races/purse.ts'
import type { Failing, Failure } from './failures.ts'

/** The slowest of each, in milliseconds. */
export interface Slowest {
  answer: number
  health: number
  recovery: number
}

const answerMs = 6_000
const healthMs = 2_000
const recoveryMs = 10_000
const paceMs = 250
/** Hundreds would be of one kind. */
const faultsMost = 5

/** Does it, asks meanwhile, undoes it, and sees that all is well again. */
export async function livesThrough(failing: Failing, failure: Failure, slowest: Slowest): Promise<boolean> {
  const { stage } = failing
  const { scene } = stage
  const asks = openAsks(failing)
  const undo = await failure.begin(failing)
  if (undo === undefined) return false
  const lateness = watchLateness()
  const began = performance.now()
  const ordering = order(failing, { person: asks.next(), failure })
  const [heard] = await Promise.all([
    askFor(stage, { asks, ms: failure.seconds[scene.tier] * 1_000 }),
    failure.health === 'either' ? undefined : tellsHealth(stage, { failure, slowest }),
  ])
  const lateMs = lateness()
  for (const { request, heard: one } of heard)
    if (scene.faults().length < faultsMost) judge(stage, { failure, request, heard: one, lateMs })
  slowest.answer = Math.max(slowest.answer, ...heard.map(({ heard: one }) => Math.round(one.ms)))
  if (failure.money === 'either' && heard.every(({ heard: one }) => one.outcome === 'done'))
    scene.fault(`${failure.name}: nobody noticed, so nothing was proved`)
  await undo()
  const tookMs = await recovered(stage, asks)
  await ordering
  slowest.recovery = Math.max(slowest.recovery, tookMs)
  const totals = `${heard.filter(({ heard: one }) => one.outcome === 'done').length} of ${heard.length} done`
  scene.say(
    `${failure.name}: ${totals} in ${Math.round(performance.now() - began)} ms, well after ${tookMs} ms`,
  )
  return true
}

interface Asks {
  /** One of each way to move money. */
  all(): Request[]
  next(): Person
}

interface Answered {
  request: Request
  heard: Heard
}

/** To each process, all of it, again and again. */
async function askFor(stage: Stage, { asks, ms }: { asks: Asks; ms: number }): Promise<Answered[]> {
  const asking: Promise<Answered>[] = []
  for (const until = performance.now() + ms; performance.now() < until; await sleep(paceMs))
    for (const service of stage.services)
      for (const request of asks.all())
        asking.push(
          stage.client.act(request, straightTo(stage, service)).then((heard) => ({ request, heard })),
        )
  return Promise.all(asking)
}

const inside =
  /\.ts\b|node_modules|\bat .+:\d+|select |insert |relation |postgres|\bpg_|ECONN|EAI_|SQLSTATE|Exception|stack|127\.0\.0\.1/i
const fields = 'code,message,request_id,success'

interface Judged extends Answered {
  failure: Failure
  lateMs: number
}

function judge({ scene }: Stage, { failure, request, heard, lateMs }: Judged): void {
  const { status, text, json, ms, outcome } = heard
  const said = `${failure.name}: ${request.route}: ${status} ${heard.error ?? ''}${text.slice(0, 200)}`
  const isRight =
    (failure.money !== 'stops' && outcome === 'done') || (failure.money !== 'moves' && status === 503)
  if (!isRight) scene.fault(`${said} (money ${failure.money})`)
  if (
    status >= 500 &&
    (inside.test(text) ||
      Object.keys(json ?? {})
        .toSorted()
        .join() !== fields)
  )
    scene.fault(`${said}: that is not for everybody's eyes`)
  if (ms > answerMs + lateMs) scene.fault(`${said}: the answer took ${Math.round(ms)} ms`)
}

const healthOf = async (service: ServiceProcess): Promise<number> => {
  const answer = await fetch(`${service.url}/api/health`)
  await answer.body?.cancel()
  return answer.status
}

/** Each process says how it is, soon, and as long as it lasts. */
async function tellsHealth(
  { scene, services }: Stage,
  { failure, slowest }: { failure: Failure; slowest: Slowest },
): Promise<void> {
  const { name, health } = failure
  const lateness = watchLateness()
  const began = performance.now()
  const until = began + failure.seconds[scene.tier] * 1_000
  await Promise.all(
    services.map(async (service) => {
      for (let rightMs: number | undefined; performance.now() < until; await sleep(100)) {
        const status = await healthOf(service)
        const now = performance.now() - began
        if (status === health) rightMs ??= now
        if (rightMs === now) slowest.health = Math.max(slowest.health, Math.round(now))
        if (status === health || now <= healthMs + lateness()) continue
        scene.fault(
          `${name}: the health of a process was ${status} after ${Math.round(now)} ms, not ${health}`,
        )
        return
      }
    }),
  )
}

/** How long it took until every process is well and moves money in each way. */
async function recovered(stage: Stage, asks: Asks): Promise<number> {
  const { scene, services, client } = stage
  const lateness = watchLateness()
  const began = performance.now()
  const isWell = async (service: ServiceProcess): Promise<boolean> => {
    const carry = straightTo(stage, service)
    if ((await healthOf(service)) !== 200) return false
    const heard = await Promise.all(asks.all().map((request) => client.act(request, carry)))
    return heard.every(({ outcome }) => outcome === 'done')
  }
  for (const service of services)
    while (!(await isWell(service)) && performance.now() - began < 3 * recoveryMs) await sleep(100)
  const tookMs = Math.round(performance.now() - began)
  if (tookMs > recoveryMs + lateness()) scene.fault(`it took ${tookMs} ms until all was well again`)
  return tookMs
}

/** Of the people of the world, by turns. */
function openAsks({ stage }: Failing): Asks {
  const { world } = stage
  const people = world.people.slice(0, 8)
  let turn = 0
  const next = () => people[turn++ % people.length] as Person
  return {
    all: () => {
      const [from, to, giver] = [next(), next(), next()]
      const { id } = world.campaigns[0] as Pot
      const body = { amount: 1_000, currency: 'UGX', description: 'While something fails' }
      const shop = world.shops[0] as Shop
      return [
        sendOf(from, { to, amount: 500, currency: 'UGX' }),
        giveOf(giver, { place: 'campaigns', id, amount: 500 }),
        asShop(shop, 'live', { act: 'ask', route: 'POST /api/pay', key: randomUUID(), body }),
      ]
    },
    next,
  }
}

const deposits = [
  { method: 'mtn', phone: '+256772345678', currency: 'UGX', amount: '7000' },
  { method: 'mpesa', phone: '+254712345678', currency: 'KES', amount: '700' },
]

/** Money by each provider, while it lasts. */
async function order(
  { stage, misconfirmed }: Failing,
  { person, failure }: { person: Person; failure: Failure },
): Promise<void> {
  await Promise.all(
    deposits.map(async (body) => {
      const route = 'POST /api/deposit/initiate'
      const request = asPerson(person, { act: 'deposit', route, key: randomUUID(), body })
      const heard = await stage.client.act(request)
      // Only MTN says with its answer how much it was.
      if (failure.misconfirms && body.method === 'mtn' && heard.outcome === 'done')
        misconfirmed.push({ person, reference: heard.json.data.reference })
    }),
  )
}
