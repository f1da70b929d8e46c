// Somebody who looks at the service each second while others load it: how much memory it has, how old the oldest
// notification is that should have left, and whether it says that it is alive.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { request } from 'undici'
import { processTreeCpuMs, processUse } from '../../../bench/cpu-time.ts'
import type { Load } from '../../rig/load.ts'
import type { Stage } from '../../rig/stage.ts'

export interface Look {
  /** Milliseconds of this process's clock (performance.now). */
  at: number
  rssMb: number
  /** Of the service, since its start. */
  cpuMs: number
  /** Seconds. */
  outboxAge: number
  healthMs: number
  /** Whether it said 200. */
  healthy: boolean
  /** What others had of the processors since the last look, from 0 to 1. */
  foreign: number
}

export interface Watch {
  looks: Look[]
  stop(): Promise<void>
}

const everyMs = 1_000
const healthMsMax = 10_000

export async function startWatch(stage: Stage, load: Pick<Load, 'pid'>): Promise<Watch> {
  const [service] = stage.services
  if (service === undefined) throw new Error('there is nothing to watch')
  const database = new pg.Client({ connectionString: stage.cluster.adminUrlOf(stage.database) })
  await database.connect()
  const looks: Look[] = []
  const foreign = openForeign(stage, [process.pid, service.pid, load.pid])
  let stopped = false
  const watching = (async () => {
    for (let next = performance.now(); !stopped; next += everyMs) {
      await sleep(Math.max(0, next - performance.now()))
      const { rssBytes, cpuMs } = processUse(service.pid)
      const [outboxAge, health] = await Promise.all([ageOf(database), healthOf(service.url)])
      looks.push({
        at: performance.now(),
        rssMb: rssBytes / 2 ** 20,
        cpuMs,
        outboxAge,
        ...health,
        foreign: foreign(),
      })
    }
  })()
  // Whoever stops it hears of it.
  watching.catch(() => undefined)
  const stop = async () => {
    if (stopped) return
    stopped = true
    await watching
    await database.end()
  }
  stage.scene.defer(stop)
  return { looks, stop }
}

/** The share of the processors that neither these processes nor the database had since it was asked last. */
function openForeign({ cluster }: Stage, pids: readonly number[]): () => number {
  const pidFile = join(cluster.dataDir, 'postgres/postmaster.pid')
  const read = () => {
    const own = pids.reduce((sum, pid) => sum + processUse(pid).cpuMs, processTreeCpuMs(pidFile) ?? 0)
    return { own, ...machineUse() }
  }
  let before = read()
  return () => {
    const now = read()
    const others = now.busyMs - before.busyMs - (now.own - before.own)
    const share = others / Math.max(1, now.allMs - before.allMs)
    before = now
    return Math.max(0, share)
  }
}

const tickMs = 10

/** Of all processors together: "cpu user nice system idle iowait irq softirq steal …". */
function machineUse(): { busyMs: number; allMs: number } {
  const [first = ''] = readFileSync('/proc/stat', 'latin1').split('\n')
  const ticks = first.trim().split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, each) => sum + each, 0)
  const resting = (ticks[3] ?? 0) + (ticks[4] ?? 0)
  return { busyMs: (all - resting) * tickMs, allMs: all * tickMs }
}

/** Of what is due and has not arrived. */
async function ageOf(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ age: number }>(
    `select coalesce(extract(epoch from max(clock_timestamp() - due_at)), 0)::float8 as age
     from notifications.queue where due_at <= clock_timestamp()`,
  )
  return rows[0]?.age ?? 0
}

async function healthOf(url: string): Promise<Pick<Look, 'healthMs' | 'healthy'>> {
  const began = performance.now()
  const healthMs = () => performance.now() - began
  try {
    const signal = AbortSignal.timeout(healthMsMax)
    const { statusCode, body } = await request(`${url}/health`, { signal })
    await body.dump()
    return { healthMs: healthMs(), healthy: statusCode === 200 }
  } catch {
    return { healthMs: healthMs(), healthy: false }
  }
}

/** By the method of least squares, in MB a minute. */
export function slopeOf(looks: readonly Look[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length
  const atMean = mean(looks.map(({ at }) => at))
  const rssMean = mean(looks.map(({ rssMb }) => rssMb))
  let [above, below] = [0, 0]
  for (const { at, rssMb } of looks) {
    above += (at - atMean) * (rssMb - rssMean)
    below += (at - atMean) ** 2
  }
  return below === 0 ? 0 : (above / below) * 60_000
}
