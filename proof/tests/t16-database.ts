// PostgreSQL is killed (-9), all its processes at once, under the load of a busy hour, and started again; or it is stopped
// without writing anything down. What was promised to anybody stands, the service goes on by itself in the same processes,
// and each of them knows what was decided since. And in production it refuses a PostgreSQL that would lose money.
import { setTimeout as sleep } from 'node:timers/promises'
import { watchLateness } from '../rig/lateness.ts'
import type { ServiceProcess } from '../rig/service.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { straightTo } from '../rig/straight.ts'
import { startTraffic, type Traffic } from '../rig/traffic.ts'
import { databaseAway, judge, settle, verdict } from '../rig/verdict.ts'
import type { Person } from '../rig/world.ts'
import type { Proof, Scene } from '../scene.ts'
import { numbersAgain } from './database/numbers.ts'
import { unsafeSettings } from './database/settings.ts'
import { sendOf } from './races/purse.ts'

const sizes = {
  gate: { kills: 2, stops: 1, numbers: 1 },
  night: { kills: 50, stops: 20, numbers: 5 },
}

export const proof: Proof = {
  id: 'T16',
  title: 'Kill -9 of PostgreSQL under load',
  promise:
    'Whatever was acknowledged survives a crash of the database, and the service goes on by itself when it is back.',
  minutes: { gate: 8, night: 45 },
  run: async (scene) => {
    const size = sizes[scene.tier]
    const stage = await openDurable(scene)
    const first = stage.services.map(({ pid }) => pid)
    const figures: Figures = { restartMs: [], servedMs: [], windowMs: [], killed: 0, lost: 0 }
    const traffic = startTraffic(stage, { clients: 64 })
    const ways = [...Array<'kill'>(size.kills).fill('kill'), ...Array<'stop'>(size.stops).fill('stop')]
    for (const [round, how] of ways.entries()) {
      await traffic.until(40)
      await sleep(scene.chance.below(500))
      if (!(await crash(stage, { how, traffic, figures }))) return
      scene.say(`round ${round + 1}: ${how}, served again after ${figures.servedMs.at(-1)} ms`)
      // The checker may know why.
      if (scene.faults().length > 0) break
    }
    await traffic.until(60)
    await traffic.stop()
    figures.lost = stage.client.unknown().length + traffic.unsure.length
    await settle(stage, { unsure: traffic.unsure }).catch((error: Error) => scene.fault(error.message))
    const judging = { forgives: databaseAway, check: { order: false } }
    // Where something was lost it never becomes quiet, and the checker can say what it was.
    if (scene.faults().length > 0) return judge(stage, judging)
    const again = await numbersAgain(stage, { rounds: size.numbers })
    if (stage.services.some((one, at) => one.pid !== first[at] || !one.isAlive()))
      scene.fault('a process of the service ended with the database')
    await verdict(stage, judging)
    await unsafeSettings(stage)
    report(scene, figures)
    scene.figure('acts done', traffic.done())
    scene.figure('sessions and keys ended under a number that had been used before', again)
  },
}

interface Figures {
  /** From the kill until PostgreSQL takes connections. */
  restartMs: number[]
  /** From then on until each process has moved money. */
  servedMs: number[]
  /** From the kill until the last answer that was none. */
  windowMs: number[]
  /** Processes of PostgreSQL. */
  killed: number
  /** Outcomes that nobody knew. */
  lost: number
}

/**
 * A sequence in a copy of a database goes back to where it was copied when PostgreSQL crashes before its first checkpoint:
 * that is PostgreSQL's own trouble with copies, and nobody's database is one.
 */
async function openDurable(scene: Scene): Promise<Stage> {
  const stage = await openStage(scene, { processes: 0, clock: true })
  await stage.cluster.query('postgres', 'checkpoint')
  await writeLogLate(stage)
  await Promise.all([stage.start(), stage.start()])
  return stage
}

const servedMs = 5_000
const windowMs = 2_000

/**
 * What nobody waits for reaches the disk very late here. A service that does not wait for its commits would lose them
 * with some luck elsewhere; here it loses seconds of them.
 */
async function writeLogLate({ cluster, scene }: Stage): Promise<void> {
  const say = async (statements: readonly string[]) => {
    for (const statement of statements) await cluster.query('postgres', statement)
    await cluster.query('postgres', 'select pg_reload_conf()')
  }
  await say(["alter system set wal_writer_delay = '10s'", "alter system set wal_writer_flush_after = '1GB'"])
  scene.defer(async () => {
    await cluster.start()
    await say(['alter system reset wal_writer_delay', 'alter system reset wal_writer_flush_after'])
  })
}

interface Crash {
  how: 'kill' | 'stop'
  traffic: Traffic
  figures: Figures
}

/** Does the service go on? */
async function crash(stage: Stage, { how, traffic, figures }: Crash): Promise<boolean> {
  const { cluster, scene } = stage
  const lateness = watchLateness()
  const beganAt = performance.now()
  if (how === 'kill') figures.killed += await cluster.kill()
  else await cluster.stop('immediate')
  await cluster.start()
  const backAt = performance.now()
  const served = await Promise.all(stage.services.map((service) => moved(stage, service)))
  const took = Math.round(Math.max(...served) - backAt)
  await sleep(Math.max(0, backAt + windowMs - performance.now()))
  await traffic.until(40)
  const lateMs = lateness()
  const failed = traffic.told.filter(({ sentAt, outcome }) => sentAt > beganAt && outcome === 'unknown')
  const window = Math.round(Math.max(backAt, ...failed.map(({ sentAt }) => sentAt)) - beganAt)
  const restart = Math.round(backAt - beganAt)
  figures.restartMs.push(restart)
  figures.servedMs.push(took)
  figures.windowMs.push(window - restart)
  const allowed = lateMs > 1 ? ` (and ${Math.round(lateMs)} ms for a busy machine)` : ''
  if (took > servedMs + lateMs)
    scene.fault(`it took ${took} ms until each process moved money again: more than ${servedMs}${allowed}`)
  if (window > restart + windowMs + lateMs)
    scene.fault(
      `${window - restart} ms after PostgreSQL was back requests still failed: ${windowMs}${allowed}`,
    )
  return took < patienceMs
}

const patienceMs = 60_000

/** When this process has moved money. */
async function moved(stage: Stage, service: ServiceProcess): Promise<number> {
  const { people } = stage.world
  const [from, to] = [people[0] as Person, people[1] as Person]
  const carry = straightTo(stage, service)
  const request = sendOf(from, { to, amount: 500, currency: 'UGX' })
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(20)) {
    const { outcome } = await stage.client.act(request, carry)
    if (outcome === 'done') return performance.now()
  }
  return performance.now()
}

function report(scene: Scene, { restartMs, servedMs, windowMs, killed, lost }: Figures): void {
  const range = (all: readonly number[]) => `${Math.min(...all)} to ${Math.max(...all)} ms`
  scene.figure('crashes', restartMs.length)
  scene.figure('processes of PostgreSQL killed', killed)
  scene.figure('PostgreSQL took connections again after', range(restartMs))
  scene.figure('each process moved money, after that', range(servedMs))
  scene.figure('the last request that failed, after that', range(windowMs))
  scene.figure('outcomes that nobody knew, asked again', lost)
}
