// What all proofs of a run share: one PostgreSQL, a database with the world in it, and what the networks in a box remember
// of it. It is made when the first proof asks for it, and goes when the run ends. Each proof works on a copy.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Simulator, startSimulator } from '../../simulator/src/simulator.ts'
import type { Scene } from '../scene.ts'
import { openClient } from './client.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { type Front, openFront } from './front.ts'
import { environmentOf, type ServiceProcess, startProcess } from './service.ts'
import { makeWorld, type World } from './world.ts'

export interface Ground {
  cluster: Cluster
  world: World
  /** One for the run: its address is in every token of the world. It leads to the stage that was opened last. */
  front: Front
  /** A copy of the database; its name. */
  database(): Promise<string>
  /** The networks, as they were when the world was made. */
  simulator(options?: { seed?: number; aheadMs?: () => number }): Promise<Simulator>
  close(): Promise<void>
}

/** Nobody is waited for longer than it takes to happen. */
export const delays = {
  pay: 60,
  prompt: 2_000,
  late: 20_000,
  between: 40,
  late_callback: 1_000,
  reordered: 200,
  answer: 20,
  retry: 1_000,
}

let shared: Promise<Ground> | undefined

export function theGround(scene: Scene): Promise<Ground> {
  shared ??= openGround(scene)
  return shared
}

export async function closeGround(): Promise<void> {
  const ground = await shared?.catch(() => undefined)
  shared = undefined
  await ground?.close()
}

const template = 'world'

async function openGround(scene: Scene): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'mfuko-proof-ground-'))
  const cluster = await openCluster()
  const front = await openFront()
  const close = async () => {
    await front.close()
    await cluster.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    const began = performance.now()
    const world = await populate(scene, { cluster, folder, front })
    scene.say(`the world is made, in ${Math.round(performance.now() - began)} ms`)
    let copies = 0
    return {
      cluster,
      world,
      front,
      database: async () => {
        copies += 1
        const name = `proof_${copies}`
        await cluster.clone({ from: template, to: name })
        return name
      },
      simulator: async ({ seed = scene.seed, aheadMs = () => 0 } = {}) => {
        const dataDir = mkdtempSync(join(folder, 'networks-'))
        cpSync(join(folder, 'networks'), dataDir, { recursive: true })
        return startSimulator({ delays, seed, dataDir, now: () => Date.now() + aheadMs() })
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function populate(
  scene: Scene,
  { cluster, folder, front }: { cluster: Cluster; folder: string; front: Front },
): Promise<World> {
  const closers: (() => Promise<void>)[] = []
  const simulator = await startSimulator({
    delays: { ...delays, pay: 5 },
    seed: scene.seed,
    dataDir: join(folder, 'networks'),
  })
  const client = await openClient({ url: front.url, folder, name: 'making' })
  try {
    const databaseUrl = await cluster.make(template)
    const options = { databaseUrl, baseUrl: front.url, simulatorUrl: simulator.url }
    const defer = (closer: () => Promise<void>) => void closers.push(closer)
    const service = await startProcess({ server: scene.server, defer }, options)
    front.to([service.port])
    const world = await makeWorld({ client, server: scene.server, environment: environmentOf(options) })
    await arrived(cluster)
    await sealed(cluster)
    await leave(cluster, service)
    return world
  } finally {
    await client.close()
    front.to([])
    for (const closer of closers) await closer()
    await simulator.close()
  }
}

/** All money has come in. */
const arrived = (cluster: Cluster) =>
  none(cluster, {
    of: 'operations.operations where ended_at is null',
    trouble: 'the money of the world did not come in',
  })

/** By itself the worker begins with it at the next minute, and some proofs are shorter. */
async function sealed(cluster: Cluster): Promise<void> {
  await cluster.query(
    template,
    "select 1 from graphile_worker.add_job('seal_audit', job_key => 'seal_audit')",
  )
  await none(cluster, { of: 'audit.waiting', trouble: 'what is written down of the world was not sealed' })
}

async function none(cluster: Cluster, { of, trouble }: { of: string; trouble: string }): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const [row] = await cluster.query<{ open: number }>(template, `select count(*)::int as open from ${of}`)
    if (row?.open === 0) return
    await sleep(100)
  }
  throw new Error(trouble)
}

async function leave(cluster: Cluster, service: ServiceProcess): Promise<void> {
  await service.end()
  await cluster.query(
    'postgres',
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${template}'`,
  )
  await cluster.query(template, 'vacuum analyze')
}
