// Everything a proof usually needs, on a copy of the world: networks in a box, a receiver of notifications, clients with a
// journal, and the service in one or more processes behind one address. Use:
//
//   const stage = await openStage(scene, { processes: 2 })
//   const traffic = startTraffic(stage, { clients: 64 })
//   await stage.services[0]?.kill()
//   stage.services[0] = await stage.start()
//   await traffic.stop()
//   await verdict(stage)
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Simulator } from '../../simulator/src/simulator.ts'
import type { Scene } from '../scene.ts'
import { type Client, openClient } from './client.ts'
import type { Cluster } from './cluster.ts'
import type { Front } from './front.ts'
import { theGround } from './ground.ts'
import { openReceiver, type Receiver } from './receivers.ts'
import { type ServiceProcess, startProcess } from './service.ts'
import { openWire, type Wire } from './wire.ts'
import type { World } from './world.ts'

export interface Stage {
  scene: Scene
  cluster: Cluster
  /** Its name in the cluster. */
  database: string
  /** Straight to it; the service goes by the wire. */
  databaseUrl: string
  world: World
  /** What was there before is of the world. */
  since: Date
  simulator: Simulator
  receiver: Receiver
  front: Front
  client: Client
  /** Between the service and its database. */
  wire: Wire
  /** Those that are meant to run; the front leads to them. */
  services: ServiceProcess[]
  /** Another process; the front leads to it too, unless it is a worker. */
  start(env?: Record<string, string>): Promise<ServiceProcess>
  /** The process that has this entrance to the wire. */
  byEntrance(url: string): ServiceProcess | undefined
  /** The front leads to those of `services` that are alive. */
  lead(): void
  /** For journals and what else is written. */
  folder: string
  /** The clocks of the networks, and of processes with `clock: true`, are ahead by so much. */
  advance(aheadMs: number): void
  /** Undefined where the processes have no clock that can be moved. */
  aheadMs(): number | undefined
  /** Of all processes that there were. */
  complaints(): string[]
}

export interface StageOptions {
  /** How many that do everything; 0: the proof starts its own. Default: 1. */
  processes?: number
  env?: Record<string, string>
  clock?: boolean
  connections?: number
  /** False: the service goes straight to its database, for what measures speed. */
  wire?: boolean
  /** False: the proof itself says where the front leads. */
  led?: boolean
  /** False: journals are not forced to the disk, for what measures speed. */
  forced?: boolean
}

export async function openStage(scene: Scene, options: StageOptions = {}): Promise<Stage> {
  const { processes = 1, clock = false, connections, forced = true } = options
  const ground = await theGround(scene)
  const { cluster, world, front } = ground
  const folder = mkdtempSync(join(tmpdir(), 'mfuko-proof-stage-'))
  scene.defer(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const database = await ground.database()
  scene.defer(async () => cluster.drop(database))
  let ahead = 0
  const simulator = await ground.simulator({ aheadMs: () => ahead })
  scene.defer(simulator.close)
  const receiver = await openReceiver({ folder, forced })
  scene.defer(receiver.close)
  const wire = openWire(cluster.urlOf(database))
  scene.defer(wire.close)
  const client = await openClient({
    url: front.url,
    folder,
    forced,
    ...(connections === undefined ? {} : { connections }),
  })
  scene.defer(client.close)
  const all: ServiceProcess[] = []
  const lead = () => {
    const there = stage.services.filter((one) => one.isAlive() && one.port > 0)
    if (options.led !== false) front.to(there.map(({ port }) => port))
  }
  const start = async (env: Record<string, string> = {}): Promise<ServiceProcess> => {
    // From its first moment on: what it did in another time would be wrong.
    const born = ahead
    const service = await startProcess(scene, {
      databaseUrl: options.wire === false ? cluster.urlOf(database) : await wire.entrance(),
      baseUrl: front.url,
      simulatorUrl: simulator.url,
      env: { ...options.env, ...env },
      aheadMs: clock ? born : undefined,
    })
    if (clock && ahead !== born) service.advance(ahead)
    all.push(service)
    return service
  }
  const stage: Stage = {
    ...{ scene, cluster, database, world, simulator, receiver, front, client, wire, folder, lead },
    databaseUrl: cluster.urlOf(database),
    since: new Date(),
    services: [],
    start: async (env) => {
      const service = await start(env)
      stage.services = [...stage.services.filter((one) => one.isAlive()), service]
      lead()
      return service
    },
    byEntrance: (url) => all.find((service) => service.databaseUrl === url),
    advance: (aheadMs) => {
      ahead = aheadMs
      for (const service of all) if (clock && service.isAlive()) service.advance(aheadMs)
    },
    aheadMs: () => (clock ? ahead : undefined),
    complaints: () => all.flatMap((service) => service.complaints()),
  }
  await Promise.all(Array.from({ length: processes }, () => stage.start()))
  return stage
}
