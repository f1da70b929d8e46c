// A new release comes: each of three processes behind a load balancer is told to stop (SIGTERM) and started again, one after
// the other, while people go on. Nobody notices: no request fails, no notification comes twice, and each process ends in
// order. One of them is told so while a slow shop has a notification of it in its hands.
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { type Balancer, openBalancer } from '../rig/balancer.ts'
import { payByPhone } from '../rig/checkout.ts'
import { asShop } from '../rig/client.ts'
import { ownerOf } from '../rig/owner.ts'
import type { ServiceProcess } from '../rig/service.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { startTraffic, type Traffic } from '../rig/traffic.ts'
import { verdict } from '../rig/verdict.ts'
import type { Proof, Scene } from '../scene.ts'

const processes = 3
/** On a machine with much else to do the database may be slow, and this is about who stops. */
const environment = { DRAIN_SECONDS: '1', DATABASE_WAIT_SECONDS: '20' }
/** Some 60 and 200 requests a second. */
const sizes = {
  gate: { restarts: 2, clients: 20, paceMs: 300, pauseMs: 0 },
  night: { restarts: 60, clients: 64, paceMs: 300, pauseMs: 1_000 },
}

export const proof: Proof = {
  id: 'T19',
  title: 'Rolling restart',
  promise:
    'When processes are stopped and started again one after the other, no request fails and no notification comes twice.',
  minutes: { gate: 5, night: 30 },
  run: async (scene) => {
    const { restarts, clients, paceMs, pauseMs } = sizes[scene.tier]
    const stage = await openStage(scene, { processes, env: environment, led: false })
    const balancer = await openBalancer(stage)
    const traffic = startTraffic(stage, { clients, paceMs })
    const ends: End[] = []
    for (let restart = 0; restart < restarts; restart++) {
      await traffic.until(clients)
      ends.push(await restartOne(stage, stage.services[0] as ServiceProcess))
      await sleep(pauseMs, undefined, { signal: scene.signal })
    }
    const slow = await slowShop(stage)
    ends.push(await restartOne(stage, slow.sender))
    await traffic.until(clients)
    await slow.isOver()
    await traffic.stop()
    judgeEnds(scene, ends)
    judgeRequests(scene, { traffic, balancer })
    judgeNotifications(stage)
    if (balancer.warned() < ends.length)
      scene.fault(`${ends.length} processes stopped, and ${balancer.warned()} of them said so before`)
    if (scene.faults().length === 0) await verdict(stage, { unsure: traffic.unsure })
  },
}

interface End {
  code: number | null
  ms: number
}

/** A password takes a while, so these are there when it is told to stop. */
const logins = 4

async function restartOne(stage: Stage, service: ServiceProcess): Promise<End> {
  const running = Array.from({ length: logins }, () => logInAt(stage, service))
  await sleep(20)
  const began = performance.now()
  const code = await service.end()
  const ms = Math.round(performance.now() - began)
  for (const status of await Promise.all(running))
    if (status !== 200) stage.scene.fault(`who was logging in when a process stopped heard ${status}`)
  const { readyMs } = await stage.start()
  stage.scene.say(
    `it ended with ${code} after ${ms} ms; the next one was ready after ${Math.round(readyMs)} ms`,
  )
  return { code, ms }
}

/** The status; or why there was none. */
async function logInAt({ world }: Stage, { port }: ServiceProcess): Promise<number | string> {
  const [person] = world.people
  const options = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ handle: person?.handle, password: person?.password }),
  } as const
  try {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/api/auth/login`, options)
    await body.dump()
    return statusCode
  } catch (error) {
    return String(error)
  }
}

/** As long as one may take. */
const [slowMs, arrivesMs] = [10_000, 30_000]

/** A shop that takes its time has a notification; and who sends it. */
async function slowShop(stage: Stage): Promise<{ sender: ServiceProcess; isOver(): Promise<void> }> {
  const { client, receiver, world, scene } = stage
  const arrived = Promise.withResolvers<{ sender: ServiceProcess; id: string }>()
  receiver.behave = ({ path, headers, port, times }) => {
    if (!path.endsWith('/slow') || times > 1) return { status: 200 }
    const sender = ownerOf(port, stage.services)
    if (sender === undefined) arrived.reject(new Error('nobody sends the notification of the slow shop'))
    else arrived.resolve({ sender, id: String(headers['webhook-id']) })
    return { status: 200, afterMs: slowMs }
  }
  const [shop] = world.shops
  if (shop === undefined) throw new Error('there is a shop')
  const body = { amount: 1_000, currency: 'UGX', callback_url: `${receiver.url}/${shop.id}/slow` }
  const asked = await client.act(
    asShop(shop, 'live', { act: 'ask', route: 'POST /api/pay', key: crypto.randomUUID(), body }),
  )
  const { reference, payment_url: url } = asked.json.data
  await payByPhone(client, {
    payment: { reference, url, mode: 'live' },
    phone: '+256772000111',
    network: 'mtn',
  })
  const late = sleep(arrivesMs).then(() => {
    throw new Error('the notification of the slow shop did not come')
  })
  const { sender, id } = await Promise.race([arrived.promise, late])
  const arrivedAt = Date.now()
  const isOver = async () => {
    const ms = (await deliveredAt(stage, id)) - arrivedAt
    scene.figure('a notification that a slow shop had', `delivered after ${ms} ms`)
    // Given back, or finished: nobody waits until its lease is over.
    if (ms > 2 * slowMs) scene.fault(`the notification of the slow shop was delivered after ${ms} ms`)
  }
  return { sender, isOver }
}

async function deliveredAt({ cluster, database, scene }: Stage, id: string): Promise<number> {
  const text = `select done_at from notifications.events where id = $1 and status = 'delivered'`
  for (;;) {
    const [row] = await cluster.query<{ done_at: Date }>(database, text, [id])
    if (row !== undefined) return row.done_at.getTime()
    await sleep(100, undefined, { signal: scene.signal })
  }
}

const endMsMost = 30_000

function judgeEnds(scene: Scene, ends: readonly End[]): void {
  scene.figure('processes stopped and started again', ends.length)
  scene.figure('the longest one took to stop', `${Math.max(...ends.map(({ ms }) => ms))} ms`)
  for (const { code, ms } of ends) {
    if (code !== 0) scene.fault(`a process that was told to stop ended with ${code}, after ${ms} ms`)
    if (ms > endMsMost) scene.fault(`a process took ${ms} ms to stop`)
  }
}

function judgeRequests(scene: Scene, { traffic, balancer }: { traffic: Traffic; balancer: Balancer }): void {
  const { told } = traffic
  const failed = told.filter(({ outcome, status }) => outcome === 'unknown' || status === 0 || status >= 500)
  scene.figure('acts', told.length)
  scene.figure('acts that failed', failed.length)
  if (failed.length === 0) return
  const kinds = [...new Set(failed.map(({ kind, status }) => `${kind} ${status}`))]
  const why = balancer.failures.slice(0, 5).join(', ')
  scene.fault(`${failed.length} of ${told.length} acts failed: ${kinds.join(', ')} (${why})`)
}

function judgeNotifications({ scene, receiver }: Stage): void {
  const twice = [...receiver.seen].filter(([, times]) => times > 1)
  scene.figure('notifications', receiver.seen.size)
  scene.figure('of these more than once', twice.length)
  for (const [id, times] of twice) scene.fault(`notification ${id} came ${times} times`)
}
