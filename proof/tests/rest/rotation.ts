// Every secret of the service that can be replaced is replaced while people go on: as docs/operations/keys.md says it, first
// `old,new` everywhere, then `new,old`; and merchants replace theirs. Nobody may notice.
import { createHash, randomUUID } from 'node:crypto'
import { asPerson, asShop, patient } from '../../rig/client.ts'
import { secrets } from '../../rig/service.ts'
import type { Stage } from '../../rig/stage.ts'
import { startTraffic, type Traffic } from '../../rig/traffic.ts'
import type { Shop } from '../../rig/world.ts'
import { good } from './planted.ts'

/** The two others take one value; docs/operations/keys.md tells how they are replaced. */
const replaceable = ['jwt', 'pin', 'password', 'apikey', 'enc']

const fresh = (name: string): string => createHash('sha256').update(`another ${name}`).digest('base64')

/** The settings of a process, with the old and the new value of each in this order. */
function settings(order: 'old,new' | 'new,old' | 'new'): Record<string, string> {
  const old = secrets()
  const values = (name: string) =>
    order.split(',').map((which) => (which === 'new' ? fresh(name) : (old[name] ?? '')))
  return Object.fromEntries(
    replaceable.map((name) => [`SECRET_${name.toUpperCase()}`, values(name).join(',')]),
  )
}

/** So that a balancer, here the front, can lead elsewhere before a process stops. */
export const drain = { DRAIN_SECONDS: '1' }

const patienceMs = 240_000

export interface Rotated {
  traffic: Traffic
  restarts: number
  /** What processes have from now on. */
  env: Record<string, string>
}

export async function rotate(stage: Stage, { acts }: { acts: number }): Promise<Rotated> {
  const traffic = startTraffic(stage, { clients: 5 })
  let restarts = 0
  await traffic.until(acts, patienceMs)
  for (const order of ['old,new', 'new,old'] as const) {
    restarts += await restartAll(stage, settings(order))
    await traffic.until(acts, patienceMs)
    if (order === 'old,new') await rotateShop(stage, stage.world.shops[0] as Shop)
    stage.scene.say(`all processes have ${order}`)
  }
  // In the night all that is sealed is sealed anew; then the old one of that kind may go.
  await sealAnew(stage)
  const env = { ...settings('new,old'), SECRET_ENC: fresh('enc') }
  restarts += await restartAll(stage, env)
  await traffic.until(acts, patienceMs)
  await traffic.stop()
  judgeTraffic(stage, traffic)
  return { traffic, restarts, env }
}

/** One after the other: the next is there before the one before it leaves, which may take its time. */
async function restartAll(stage: Stage, env: Record<string, string>): Promise<number> {
  const before = stage.services
  const ends: Promise<number | null>[] = []
  for (const old of before) {
    await stage.start(env)
    stage.services = stage.services.filter((one) => one !== old)
    stage.lead()
    ends.push(old.end())
  }
  for (const code of await Promise.all(ends))
    if (code !== 0) stage.scene.fault(`a process ended with ${code} when it was stopped`)
  return before.length
}

async function sealAnew({ cluster, database, scene }: Stage): Promise<void> {
  await cluster.query(
    database,
    "select 1 from graphile_worker.add_job('seal_anew', job_key => 'seal_anew', max_attempts => 1)",
  )
  const left = async () => {
    const [row] = await cluster.query<{ count: number }>(
      database,
      "select count(*)::int as count from graphile_worker._private_jobs where key = 'seal_anew' and attempts < max_attempts",
    )
    return row?.count ?? 0
  }
  for (let tries = 0; (await left()) > 0; tries++) {
    if (tries > 300) return scene.fault('what is sealed was not sealed anew')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Both of what a shop has; what it had before works on for a day. */
async function rotateShop({ client: busy, receiver }: Stage, shop: Shop): Promise<void> {
  const client = patient(busy)
  const { owner } = shop
  for (const what of ['api_key', 'client_secret']) {
    const body = { password: owner.password, mode: 'live', what, grace_hours: 24 }
    const route = 'POST /api/merchant/rotate-key'
    const heard = await client.look(asPerson(owner, { act: 'make', route, key: randomUUID(), body }))
    const { value } = good(heard).data
    if (what !== 'api_key') continue
    const order = { amount: 700, currency: 'UGX', callback_url: `${receiver.url}/${shop.id}/callback` }
    const withNew = { ...shop, live: { ...shop.live, key: value } }
    const asked = { act: 'ask', route: 'POST /api/pay', key: randomUUID(), body: order } as const
    good(await client.act(asShop(withNew, 'live', asked)))
  }
}

/** Whoever was refused for a credential, or for a fault of ours. */
function judgeTraffic({ scene }: Stage, { told }: Traffic): void {
  const failed = told.filter(({ status }) => status === 401 || status === 403 || status === 500)
  if (failed.length > 0)
    scene.fault(
      `${failed.length} of ${told.length} requests failed while secrets were replaced: ${failed[0]?.kind} ${failed[0]?.status}`,
    )
  // A connection may close just when somebody sends on it, and a machine may have too much to do: asked again, they must succeed.
  scene.figure(
    'requests with 503 or without an answer while secrets were replaced, asked again',
    told.filter(({ status }) => status === 0 || status === 503).length,
  )
}
