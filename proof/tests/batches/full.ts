// The database hangs, and as many as a process takes in are waiting. Whoever comes now hears at once that there is no room,
// and those inside are not kept for ever.
import { Pool } from 'undici'
import { told } from '../../rig/burst.ts'
import type { Carry, Heard, Request } from '../../rig/client.ts'
import type { ServiceProcess } from '../../rig/service.ts'
import type { Stage } from '../../rig/stage.ts'
import type { Person } from '../../rig/world.ts'
import { must, sendOf, sinkOf } from '../races/purse.ts'

const room = 100
const waitSeconds = 2
/** Of what such a process is set to. */
export const smallRoom = { REQUESTS_MAX: String(room), DATABASE_WAIT_SECONDS: String(waitSeconds) }

const probes = 21
const refusedMs = 100
const keptMs = 1_000
/** Waiting for a connection, for a statement, and for the machine. */
const patienceMs = (2 * waitSeconds + 1 + 5) * 1_000

export interface Full {
  /** Of the refusals, in milliseconds. */
  median: number
  slowest: number
  /** Until the last of those inside was answered. */
  insideMs: number
}

export async function full(stage: Stage, service: ServiceProcess): Promise<Full> {
  const { client, scene, wire } = stage
  const carry = straightTo(stage, service)
  const requestOf = (at: number): Request =>
    sendOf(stage.world.people[at % 48] as Person, { to: sinkOf(stage, at), amount: 1_000, currency: 'UGX' })
  must(await client.act(requestOf(0), carry))
  wire.hang()
  const inside = Promise.all(Array.from({ length: room }, (_, at) => client.act(requestOf(at), carry)))
  await new Promise((resolve) => setTimeout(resolve, 500))
  const refused: Heard[] = []
  // Whoever is kept for that long was let in, and the others would be too.
  while (refused.length < probes && (refused.at(-1)?.ms ?? 0) < keptMs)
    refused.push(await client.act(requestOf(refused.length), carry))
  const times = refused.map(({ ms }) => ms).toSorted((one, other) => one - other)
  const waited = await inside
  wire.heal()
  const median = times[Math.floor(times.length / 2)] ?? 0
  const insideMs = Math.max(...waited.map(({ ms }) => ms))
  const odd = [...refused, ...waited].filter(({ status }) => status !== 503)
  if (odd.length > 0) scene.fault(`no room, and the database hangs: not everybody hears 503 (${told(odd)})`)
  if (refused.some(({ headers }) => headers['retry-after'] === undefined))
    scene.fault('no room: nobody says when to come back')
  if (median > refusedMs) scene.fault(`no room: it takes ${Math.round(median)} ms to say so`)
  if (insideMs > patienceMs) scene.fault(`the database hangs: somebody waited for ${Math.round(insideMs)} ms`)
  return { median, slowest: times.at(-1) ?? 0, insideMs }
}

/** Its own connections, to this process and no other. */
function straightTo(stage: Stage, { port }: ServiceProcess): Carry {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 2 * room, headersTimeout: 60_000 })
  stage.scene.defer(() => pool.destroy())
  const { host } = new URL(stage.front.url)
  return ({ method, headers, ...raw }) =>
    pool.request({ method: method as 'GET', ...raw, headers: { ...headers, host } })
}
