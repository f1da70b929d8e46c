// Workers are killed (-9) in the middle of sending notifications: the receiver has one in its hands, and has not answered.
// Nothing is lost: others send what the dead had, soon, with the same id and the same bytes.
import { setTimeout as sleep } from 'node:timers/promises'
import { ownerOf } from '../rig/owner.ts'
import type { Delivery } from '../rig/receivers.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { startTraffic } from '../rig/traffic.ts'
import { verdict } from '../rig/verdict.ts'
import type { Proof } from '../scene.ts'

/** In the long form no more is to be told than a receiver that is slow takes from workers that live for some seconds. */
const sizes = {
  gate: { kills: 10, clients: 16 },
  night: { kills: 200, clients: 8, paceMs: 1_500 },
} as const
const workers = 3

export const proof: Proof = {
  id: 'T6b',
  title: 'Kill -9 of workers while they send',
  promise:
    'No notification is lost: what a killed worker had is sent within 60 seconds, with the same id and bytes.',
  minutes: { gate: 5, night: 45 },
  run: async (scene) => {
    const { kills, ...crowd } = sizes[scene.tier]
    const stage = await openStage(scene, { processes: 1, clock: true, env: { ROLE: 'api' } })
    await Promise.all(Array.from({ length: workers }, () => stage.start({ ROLE: 'worker' })))
    const hands = openHands(stage)
    const traffic = startTraffic(stage, { ...crowd, mix: { pay: 80, refund: 10, send: 10 } })
    const starts: Promise<unknown>[] = []
    for (let kill = 0; kill < kills; kill++) {
      const victim = await senderOf(stage, hands)
      scene.say(`${kill + 1}: killed while the receiver has ${hands.held.size} notifications in its hands`)
      await victim.kill()
      starts.push(stage.start({ ROLE: 'worker' }))
      // On a small machine one that starts has the others wait; there must always be somebody to kill.
      await starts.at(-2)
    }
    await traffic.stop()
    await Promise.all(starts)
    hands.open()
    await handedOver(stage)
    scene.figure('kills', kills)
    scene.figure('notifications', stage.receiver.seen.size)
    scene.figure('of these cut off by a kill', hands.cut.size)
    scene.figure(
      'the longest from a kill until it came again, or was taken by the next to be killed',
      `${Math.round(hands.longestMs())} ms`,
    )
    for (const [id, { ms, takers }] of hands.late())
      scene.fault(
        `notification ${id} was cut off by a kill, and came again after ${Math.round(ms)} ms, by the ${takers}. who took it`,
      )
    if (hands.cut.size === 0) scene.fault('no kill met a notification that was being sent')
    if (scene.faults().length > 0) return
    // Of a payment the second may be with a worker that lives, and the first with one that does not.
    await verdict(stage, { unsure: traffic.unsure, check: { order: false } })
  },
}

/** A lease is over by then, and then there are 15 s for somebody else to send it. */
const [leaseMs, againMs] = [45_000, 15_000]

interface Hands {
  /** What the receiver has and has not answered. */
  held: Set<Delivery>
  /** Event → when its sender went away, and which attempt that was. */
  cut: Map<string, { at: number; attempt: number }>
  longestMs(): number
  late(): [string, Again][]
  /** Everything is answered at once from now on. */
  open(): void
}

interface Again {
  ms: number
  /** Those who had taken it since, the last of whom has sent it: the others were killed before they could. */
  takers: number
}

const holdMs = 1_500
const attemptOf = ({ headers }: Delivery): number => Number(headers['svc-webhook-attempt'])

/** Every second notification that comes for the first time is answered late, or never, when its sender is killed. */
function openHands({ receiver, scene }: Stage): Hands {
  const held = new Set<Delivery>()
  const cut: Hands['cut'] = new Map()
  const again = new Map<string, Again>()
  let isOpen = false
  receiver.behave = async (delivery) => {
    const id = String(delivery.headers['webhook-id'])
    const first = cut.get(id)
    if (first !== undefined && !again.has(id))
      again.set(id, { ms: performance.now() - first.at, takers: attemptOf(delivery) - first.attempt })
    if (isOpen || delivery.times > 1 || scene.chance.happens(0.5)) return { status: 200 }
    held.add(delivery)
    for (const until = performance.now() + holdMs; performance.now() < until && !isOpen; await sleep(10)) {
      if (!delivery.isOver()) continue
      cut.set(id, { at: performance.now(), attempt: attemptOf(delivery) })
      break
    }
    held.delete(delivery)
    return { status: 200 }
  }
  return {
    held,
    cut,
    longestMs: () => Math.max(0, ...[...again.values()].map(({ ms, takers }) => ms / takers)),
    late: () => [...again].filter(([, { ms, takers }]) => !(ms <= takers * (leaseMs + againMs))),
    open: () => {
      isOpen = true
    },
  }
}

const patienceMs = 60_000

/** A worker that is sending just now. */
async function senderOf(stage: Stage, { held }: Hands) {
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(10)) {
    stage.scene.signal.throwIfAborted()
    for (const { port } of held) {
      const owner = ownerOf(port, stage.services)
      if (owner !== undefined) return owner
    }
  }
  throw new Error('no worker sends anything')
}

/** In the short form the time that leases take passes at once. What the dead had must then be delivered soon. */
async function handedOver(stage: Stage): Promise<void> {
  const { scene } = stage
  // What the living have ends meanwhile.
  await sleep(500)
  const orphans = await leased(stage)
  if (scene.tier === 'gate') stage.advance(leaseMs + 1_000)
  const limitMs = scene.tier === 'gate' ? againMs : leaseMs + againMs
  const from = performance.now()
  let left = orphans
  for (; left.length > 0 && performance.now() - from < limitMs; await sleep(50)) {
    const there = new Set(await leased(stage, { orPending: true }))
    left = orphans.filter((id) => there.has(id))
  }
  scene.figure('left behind by the killed in the end', orphans.length)
  const after = scene.tier === 'gate' ? 'after their leases were over' : 'after the last kill'
  scene.figure('all of them delivered', `${Math.round(performance.now() - from)} ms ${after}`)
  if (left.length > 0)
    scene.fault(`${left.length} notifications of killed workers were not sent within 60 s: ${left[0]}`)
}

async function leased({ cluster, database }: Stage, { orPending = false } = {}): Promise<string[]> {
  const rows = await cluster.query<{ id: string }>(
    database,
    `select e.id from notifications.queue q join notifications.events e using (merchant, mode, number)
     where $1 or q.leased_until is not null`,
    [orPending],
  )
  return rows.map(({ id }) => id)
}
