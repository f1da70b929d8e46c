// What must not be found out by asking: whether an account exists, whether a key or a checkout was ever given out, whether
// somebody has a PIN.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { request } from 'undici'
import { asPerson, asShop, type Client, type Heard } from '../../rig/client.ts'
import type { Stage } from '../../rig/stage.ts'
import { eachOf, newPerson, type Person, type Shop } from '../../rig/world.ts'
import { compare } from './timing.ts'

export interface Asking {
  stage: Stage
  /** Straight to one process. */
  client: Client
  times: number
}

const minuteMs = 60_000
/** Ten failures lock a name for a quarter of an hour. */
const failuresEach = 8
const windowMinutes = 16

/** Wrong passwords, each from another address: thirty failures lock one of those. */
export async function accounts({ stage, client, times }: Asking): Promise<void> {
  const { people } = stage.world
  let asked = 0
  const login = (handle: string) => {
    asked += 1
    const address = [41, asked >> 16, (asked >> 8) & 255, asked & 255].join('.')
    const body = { handle, password: 'not the right one' }
    return { route: 'POST /api/auth/login', body, headers: { 'x-forwarded-for': address } }
  }
  await compare(stage.scene, client, {
    name: 'login of an account that there is, or not',
    known: (n) => login(people[n % people.length]?.handle ?? ''),
    unknown: (n) => login(`nobody_${String(n % people.length).padStart(2, '0')}`),
    ...{ status: 401, times, width: 2 },
    pause: {
      every: people.length * failuresEach,
      act: () => stage.advance((stage.aheadMs() ?? 0) + windowMinutes * minuteMs),
    },
  })
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const some = (length: number): string =>
  Array.from(randomBytes(length), (byte) => alphabet.charAt(byte % 62)).join('')

/** As the service makes it: a key with a wrong checksum would be refused before anybody looks. */
function checksum(text: string): string {
  let sum = ''
  for (let rest = crc32(text); sum.length < 6; rest = Math.floor(rest / 62))
    sum = alphabet.charAt(rest % 62) + sum
  return sum
}

const prefixLength = 'svc_live_'.length + 12

export async function apiKeys({ stage, client, times }: Asking): Promise<void> {
  const shop = stage.world.shops[0] as Shop
  const { key } = shop.live
  if (checksum(key.slice(0, -6)) !== key.slice(-6)) throw new Error('keys have another form by now')
  const ask = (start: string) => {
    const text = start + some(key.length - 6 - start.length)
    const live = { ...shop.live, key: text + checksum(text) }
    return asShop({ ...shop, live }, 'live', {
      act: 'read',
      route: 'GET /api/pay/:reference',
      path: '/api/pay/PY-00000-00000-000',
    })
  }
  await compare(stage.scene, client, {
    name: 'an API key whose beginning there is, or not',
    known: () => ask(key.slice(0, prefixLength)),
    unknown: () => ask('svc_live_'),
    ...{ status: 401, times },
  })
}

const withoutPin = 6

/** What one person may find out of another. */
export async function pins({ stage, client, times }: Asking): Promise<void> {
  const people = stage.world.people.slice(0, withoutPin)
  const [asker] = stage.world.people.slice(-1) as [Person]
  const others = await eachOf(people, 2, (_, at) =>
    newPerson(stage.client, { handle: `pinless_${at}`, hasPin: false }),
  )
  const preview = (to: Person | undefined) => {
    const body = { recipient: to?.handle, amount: 700, currency: 'UGX' }
    return asPerson(asker, { act: 'read', route: 'POST /api/send/preview', body })
  }
  await compare(stage.scene, client, {
    name: 'somebody to send to who has a PIN, or none',
    known: (n) => preview(people[n % people.length]),
    unknown: (n) => preview(others[n % others.length]),
    ...{ status: 200, times, textsDiffer: true },
  })
}

const checkoutsOver = 24

/** Payments, now: their tokens are to be shown again when nobody remembers them. */
export async function someCheckouts(stage: Stage): Promise<string[]> {
  const shop = stage.world.shops[0] as Shop
  const body = { amount: 1_000, currency: 'UGX' }
  const request = asShop(shop, 'live', { act: 'ask', route: 'POST /api/pay', body })
  return eachOf(Array.from({ length: checkoutsOver }), 4, async () => {
    // A machine that has too much to do says so, and is asked again.
    for (let tries = 0; tries < 50; tries++) {
      const { status, json }: Heard = await stage.client.act(request)
      if (status === 200) return new URL(json.data.payment_url).searchParams.get('token') ?? ''
      await sleep(200)
    }
    throw new Error('nobody gives a checkout')
  })
}

async function later(stage: Stage, hours: number): Promise<void> {
  stage.advance((stage.aheadMs() ?? 0) + hours * 60 * minuteMs)
  await heardOf(stage)
}

async function allEnded({ cluster, database, scene }: Stage): Promise<void> {
  await cluster.query(database, `select graphile_worker.add_job('expire_payments')`)
  for (;;) {
    const [left] = await cluster.query(
      database,
      `select from payments.payments where status = 'pending' limit 1`,
    )
    if (left === undefined) return
    await sleep(50, undefined, { signal: scene.signal })
  }
}

/** Until every process has heard that its clock is ahead. */
async function heardOf({ services, aheadMs, scene }: Stage): Promise<void> {
  for (const { url } of services)
    for (;;) {
      const { body } = await request(`${url}/health`)
      const { time } = (await body.json()) as { time: string }
      if (Date.parse(time) > Date.now() + (aheadMs() ?? 0) - minuteMs) break
      await sleep(50, undefined, { signal: scene.signal })
    }
}

/** A day and two hours after they ended. */
export async function checkouts({ stage, client, times }: Asking, tokens: readonly string[]): Promise<void> {
  // Ended first: who ends them writes down when that was.
  await later(stage, 2)
  await allEnded(stage)
  await later(stage, 26)
  const look = (token: string) => ({ route: 'GET /checkout', path: `/checkout?token=${token}` })
  await compare(stage.scene, client, {
    name: 'a checkout that is long over, or never was',
    known: (n) => look(tokens[n % tokens.length] ?? ''),
    unknown: () => look(randomBytes(32).toString('base64url')),
    ...{ status: 404, times },
  })
}
