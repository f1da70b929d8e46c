// A PostgreSQL that was told not to keep what it confirms: in production the service is not ready, and says why. The same
// program is started on the same data, with one setting changed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../../rig/cluster.ts'
import { type ServiceProcess, startProcess } from '../../rig/service.ts'
import type { Stage } from '../../rig/stage.ts'

const unsafe = ['fsync', 'full_page_writes', 'synchronous_commit']

/** In the short form one process lives through all of it; in the long form each setting has one that starts with it. */
export async function unsafeSettings(stage: Stage): Promise<void> {
  const { cluster, scene } = stage
  for (const service of stage.services) await service.kill()
  let service: ServiceProcess | undefined
  for (const name of unsafe) {
    await withSetting(cluster, { name, value: 'off' }, async () => {
      if (scene.tier === 'night') await service?.kill()
      if (scene.tier === 'night' || service === undefined) service = await startInProduction(stage)
      const wanted = `The database could lose money in a crash: ${name} is off. Turn it on.`
      await judge(stage, { service, health: 503, reasons: [wanted] })
    })
  }
  if (service !== undefined) await judge(stage, { service, health: 200, reasons: [] })
  await service?.kill()
  scene.figure('settings that would lose money, refused', unsafe.length)
}

const startInProduction = ({ scene, cluster, database, simulator }: Stage): Promise<ServiceProcess> =>
  startProcess(scene, {
    databaseUrl: cluster.urlOf(database),
    baseUrl: 'https://mfuko.example',
    simulatorUrl: simulator.url,
    env: { NODE_ENV: 'production' },
  })

const patienceMs = 30_000

interface Judged {
  service: ServiceProcess
  health: number
  reasons: readonly string[]
}

/** What everybody hears, and what the operator reads. */
async function judge({ scene }: Stage, { service, health, reasons }: Judged): Promise<void> {
  const wanted = JSON.stringify({ health, reasons })
  let found = ''
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(200)) {
    const [told, status] = await Promise.all([
      fetch(`${service.url}/api/health`),
      fetch(`${service.metricsUrl}/status`),
    ])
    const { reasons: given } = (await status.json()) as { reasons: string[] }
    await told.body?.cancel()
    found = JSON.stringify({ health: told.status, reasons: given })
    if (found === wanted) return
  }
  scene.fault(`in production the service says ${found}, and should say ${wanted}`)
}

interface Setting {
  name: string
  value: string
}

async function withSetting(cluster: Cluster, setting: Setting, work: () => Promise<void>): Promise<void> {
  const command = commandOf(cluster.pid())
  await cluster.stop('in order')
  const child = runWith(cluster, command, setting)
  try {
    await accepting(cluster, child)
    await work()
  } finally {
    const ended = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGINT')) await ended
    await cluster.start()
  }
}

const commandOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)

/** As root the database runs as another user, who owns its data. */
function runWith({ dataDir }: Cluster, command: readonly string[], { name, value }: Setting): ChildProcess {
  const [program = '', ...args] = command
  const { uid, gid } = statSync(join(dataDir, 'postgres'))
  return spawn(program, [...args, '-c', `${name}=${value}`], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: 'ignore',
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  })
}

async function accepting(cluster: Cluster, child: ChildProcess): Promise<void> {
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(50)) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
    const answer = await cluster.query('postgres', 'select 1').catch(() => undefined)
    if (answer !== undefined) return
  }
  throw new Error('PostgreSQL does not accept connections')
}
