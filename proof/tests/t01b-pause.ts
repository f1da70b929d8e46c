// Processes stand still (SIGSTOP) for longer than others wait for them, at the worst moments: one has taken notifications
// and has not heard it yet, one is just asking where they go. Others do their work. When the two wake up, they neither send
// what was delivered meanwhile nor let somebody in who has logged out meanwhile, and the books are right.
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { openNameServer } from '../../server/test/name-server.ts'
import { asPerson } from '../rig/client.ts'
import type { ServiceProcess } from '../rig/service.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { startTraffic, type Traffic } from '../rig/traffic.ts'
import { verdict } from '../rig/verdict.ts'
import { openWire, type Wire } from '../rig/wire.ts'
import { logIn } from '../rig/world.ts'
import type { Proof, Scene } from '../scene.ts'

const sizes = {
  gate: { rounds: 1, pausesMs: [16_000] },
  night: { rounds: 20, pausesMs: [5_000, 20_000, 5_000, 20_000, 5_000, 20_000, 5_000, 5_000, 5_000, 60_000] },
}

export const proof: Proof = {
  id: 'T1b',
  title: 'Processes that stand still',
  promise:
    'Who wakes after others took over sends nothing that they have delivered, and lets nobody in for more than two seconds who has logged out.',
  minutes: { gate: 5, night: 60 },
  run: async (scene) => {
    const { rounds, pausesMs } = sizes[scene.tier]
    const names = await openNames(scene)
    const stage = await openStage(scene, { processes: 1, clock: true, env: { NOTIFY_DNS: names.quick } })
    stage.receiver.url = stage.receiver.url.replace('127.0.0.1', shopName)
    const lines = { leasing: openWire(stage.databaseUrl), asking: openWire(stage.databaseUrl) }
    for (const line of Object.values(lines)) scene.defer(line.close)
    const figures: Figures = { arrivals: [], taken: 0, pauses: 0, lastAcceptedMs: 0, backMs: 0 }
    stage.receiver.behave = ({ headers }) => {
      figures.arrivals.push({ id: String(headers['webhook-id']), at: performance.now() })
      return { status: 200 }
    }
    const unsure: Traffic['unsure'] = []
    for (let round = 0; round < rounds && scene.faults().length === 0; round++) {
      const pauseMs = pausesMs[round % pausesMs.length] ?? 0
      unsure.push(...(await standStill(stage, { pauseMs, names, lines, figures })))
      scene.say(`round ${round + 1}: two processes stood still for ${pauseMs} ms`)
    }
    report(scene, figures)
    // Who stood still may have sent the first of two late. And whoever knocked was told that nobody is let in.
    await verdict(stage, { unsure, check: { order: false }, forgives: /"message":"unavailable"/ })
  },
}

const shopName = 'duka.test'

interface Figures {
  arrivals: { id: string; at: number }[]
  /** Notifications that a process had when it stopped, and others delivered. */
  taken: number
  pauses: number
  /** After it woke up. */
  lastAcceptedMs: number
  backMs: number
}

interface Names {
  quick: string
  /** Whoever asks this one is told of, once, before it gets its answer. */
  watched: string
  onAsked: (() => void) | undefined
}

async function openNames(scene: Scene): Promise<Names> {
  const where = { a: ['127.0.0.1'] }
  const quick = await openNameServer(() => where)
  const watched = await openNameServer(() => {
    names.onAsked?.()
    names.onAsked = undefined
    return where
  })
  for (const { close } of [quick, watched]) scene.defer(async () => close())
  const names: Names = { quick: quick.address, watched: watched.address, onAsked: undefined }
  return names
}

interface Round {
  pauseMs: number
  names: Names
  lines: { leasing: Wire; asking: Wire }
  figures: Figures
}

/** Who stands still for less may still have what it had. */
const lateMs = 15_000
/**
 * Others wait 45 s for a notification, and 60 s for an order to a provider, which this is not about. What is missing passes
 * at once, for those who are awake.
 */
const passesMs = 57_000

async function standStill(stage: Stage, round: Round): Promise<Traffic['unsure']> {
  const { scene, front, services } = stage
  const { pauseMs, lines, figures } = round
  const [awake] = services
  const [leasing, asking] = await Promise.all([
    stage.start({ ROLE: 'worker', DATABASE_URL: await lines.leasing.entrance() }),
    stage.start({ DATABASE_URL: await lines.asking.entrance(), NOTIFY_DNS: round.names.watched }),
  ])
  front.to([awake?.port ?? 0])
  const stopped = stopBoth({ leasing, asking, round })
  const traffic = startTraffic(stage, { clients: 12, mix: { pay: 70, send: 20, withdraw: 10 } })
  await Promise.race([stopped, sleep(20_000, undefined, { signal: scene.signal })])
  const stoppedAt = performance.now()
  const token = await loggedOut(stage)
  const theirs = await leasedNow(stage)
  const isTakenOver = pauseMs > lateMs && theirs.length > 0
  if (isTakenOver) stage.advance((stage.aheadMs() ?? 0) + Math.max(0, passesMs - pauseMs))
  await sleep(pauseMs, undefined, { signal: scene.signal })
  if (isTakenOver) await takenOver(stage, { theirs, figures })
  await traffic.stop()
  figures.pauses += 2
  scene.say(
    `${theirs.length} notifications were theirs; they wake after ${Math.round(performance.now() - stoppedAt)} ms`,
  )
  await wake(stage, { leasing, asking, token, round })
  await Promise.all([leasing.kill(), asking.kill()])
  return traffic.unsure
}

interface Both {
  leasing: ServiceProcess
  asking: ServiceProcess
  round: Round
}

async function stopBoth({ leasing, asking, round }: Both): Promise<void> {
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  round.lines.leasing.atCommit('heard', {
    // A statement is written out the first time a connection uses it.
    marker: 'set leased_until = $4',
    act: () => one.resolve(leasing.pause()),
  })
  round.names.onAsked = () => other.resolve(asking.pause())
  await Promise.all([one.promise, other.promise])
}

/** A token that was good when they stopped. */
async function loggedOut({ client, world, scene }: Stage): Promise<string> {
  const { token } = await logIn(client, world.people[0]?.handle ?? '')
  const route = 'POST /api/auth/logout'
  const { status } = await client.look(asPerson({ id: '-', token }, { act: 'make', route }))
  if (status !== 200 && status !== 204) scene.fault(`logging out was answered with ${status}`)
  return token
}

/** Those who are awake give theirs back within a moment. */
async function leasedNow({ cluster, database }: Stage): Promise<string[]> {
  const held = `select e.id, q.leased_until from notifications.queue q
    join notifications.events e using (merchant, mode, number) where q.leased_until is not null`
  const before = await cluster.query<{ id: string; leased_until: Date }>(database, held)
  await sleep(1_000)
  const after = await cluster.query<{ id: string; leased_until: Date }>(database, held)
  const since = new Map(before.map(({ id, leased_until }) => [id, leased_until.getTime()]))
  return after.filter(({ id, leased_until }) => since.get(id) === leased_until.getTime()).map(({ id }) => id)
}

const takeOverMs = 30_000

async function takenOver(
  { scene }: Stage,
  { theirs, figures }: { theirs: readonly string[]; figures: Figures },
): Promise<void> {
  const left = () => theirs.filter((id) => !figures.arrivals.some((arrival) => arrival.id === id))
  for (const until = performance.now() + takeOverMs; left().length > 0; await sleep(100, undefined, scene))
    if (performance.now() > until)
      return scene.fault(`notifications of a process that stands still go to nobody: ${left().join(' ')}`)
  figures.taken += theirs.length
}

const [acceptedMsMost, awayMs, backMsMost] = [2_000, 3_000, 20_000]

/** One of them wakes while its line to the database is still away, and can't hear who has logged out. */
async function wake(
  stage: Stage,
  { leasing, asking, token, round }: Both & { token: string },
): Promise<void> {
  const { scene, world } = stage
  const { lines, figures } = round
  const wokenAt = performance.now()
  lines.asking.hang()
  const heal = setTimeout(lines.asking.heal, awayMs)
  leasing.resume()
  asking.resume()
  let last = 0
  for (let refused = false; !refused; await sleep(40, undefined, scene)) {
    const status = await knock(asking, token)
    const sinceMs = Math.round(performance.now() - wokenAt)
    if (status !== 0 && status !== 401 && status !== 503) last = sinceMs
    refused = status === 401 && sinceMs > awayMs
    if (sinceMs > awayMs + backMsMost) break
  }
  clearTimeout(heal)
  lines.asking.heal()
  if (last > acceptedMsMost) scene.fault(`who had logged out was let in ${last} ms after the process woke up`)
  const good = world.people[1]?.token ?? ''
  while ((await knock(asking, good)) !== 422 && performance.now() - wokenAt < awayMs + backMsMost)
    await sleep(40)
  const backMs = Math.round(performance.now() - wokenAt)
  if (backMs >= awayMs + backMsMost) scene.fault(`it let nobody in ${backMs} ms after it woke up`)
  figures.backMs = Math.max(figures.backMs, backMs - awayMs)
  figures.lastAcceptedMs = Math.max(figures.lastAcceptedMs, last)
  judgeArrivals(scene, { figures, wokenAt })
}

/** What the service says to a request that has nothing in it, which is looked at after the token. 0: nothing. */
async function knock({ port }: ServiceProcess, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const url = `http://127.0.0.1:${port}/api/send`
  const options = { method: 'POST', headers, body: '{}', headersTimeout: 5_000 } as const
  const answer = await request(url, options).catch(() => undefined)
  await answer?.body.dump()
  return answer?.statusCode ?? 0
}

/** All were answered with 200 at once. */
function judgeArrivals(scene: Scene, { figures, wokenAt }: { figures: Figures; wokenAt: number }): void {
  const before = new Set(figures.arrivals.filter(({ at }) => at < wokenAt).map(({ id }) => id))
  for (const { id, at } of figures.arrivals)
    if (at > wokenAt && before.has(id))
      scene.fault(
        `notification ${id} was delivered, and sent again ${Math.round(at - wokenAt)} ms after a process woke up`,
      )
}

function report(scene: Scene, figures: Figures): void {
  const { pauses, taken, arrivals, lastAcceptedMs, backMs } = figures
  scene.figure('processes that stood still', pauses)
  scene.figure('notifications that they had, delivered by others', taken)
  scene.figure('notifications in all', new Set(arrivals.map(({ id }) => id)).size)
  scene.figure('a token that was over was last accepted after waking', `${lastAcceptedMs} ms`)
  scene.figure('people were let in again, once it could hear', `after ${backMs} ms`)
  if (taken === 0 && scene.faults().length === 0) scene.fault('nobody stood still with notifications in hand')
}
