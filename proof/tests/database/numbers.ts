// PostgreSQL numbers its transactions. The numbers of those that it had not written down when it crashed are given out
// again, so that what happens after a crash may have a lower number than what happened before. Sessions and API keys are
// ended just then: every process must hear of it, also one that had read as far as a number that was lost.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { asPerson, asShop, type Heard } from '../../rig/client.ts'
import { watchLateness } from '../../rig/lateness.ts'
import type { ServiceProcess } from '../../rig/service.ts'
import type { Stage } from '../../rig/stage.ts'
import { straightTo } from '../../rig/straight.ts'
import { logIn, type Person, type Shop } from '../../rig/world.ts'

/** How many were ended under a number that had been used before. */
export async function numbersAgain(stage: Stage, { rounds }: { rounds: number }): Promise<number> {
  let again = 0
  const shop: Shop = structuredClone(stage.world.shops[0] as Shop)
  for (let round = 0; round < rounds; round++) again += await endAfterCrash(stage, { shop, round })
  return again
}

/** A process that has not heard for so long lets nobody in; one that hears knows. */
const knownMs = 5_000
const patienceMs = 30_000
/** Two looks of a process for what others have changed. */
const looksMs = 2_200

async function endAfterCrash(stage: Stage, { shop, round }: { shop: Shop; round: number }): Promise<number> {
  const { client, cluster, scene, world } = stage
  const [ends, hears] = stage.services as [ServiceProcess, ServiceProcess]
  const person = world.people[2 + round] as Person
  const { token } = await logIn(client, person.handle)
  const old = { person: { ...person, token }, shop: structuredClone(shop) }
  for (const service of [ends, hears])
    for (const heard of await looks(stage, { service, old }))
      if (heard.status !== 200) throw new Error(`not let in: ${heard.status} ${heard.text}`)
  for (const until = performance.now() + looksMs; performance.now() < until; await sleep(50))
    await waste(stage, 100)
  hears.pause()
  const before = await nextNumber(stage)
  await cluster.kill()
  await cluster.start()
  const after = await nextNumber(stage)
  await endThem(stage, { service: ends, old, shop })
  const used = await nextNumber(stage)
  if (after < before) await waste(stage, Number(before - after) + 100)
  hears.resume()
  const lateness = watchLateness()
  const beganAt = performance.now()
  for (let left = true; left && performance.now() < beganAt + patienceMs; await sleep(50)) {
    const heard = await looks(stage, { service: hears, old })
    left = heard.some(({ status }) => status !== 401)
    const tookMs = performance.now() - beganAt
    if (!left || tookMs <= knownMs + lateness()) continue
    if (heard.every(({ status }) => status !== 200)) continue
    const what = heard[0]?.status === 200 ? 'session' : 'API key'
    scene.fault(
      `the ${what} that was ended after a crash is let in by another process ${Math.round(tookMs)} ms later`,
    )
    break
  }
  return used <= before ? 2 : 0
}

interface Old {
  person: Person
  shop: Shop
}

/** Is the session let in, and is the key? */
const looks = (stage: Stage, { service, old }: { service: ServiceProcess; old: Old }): Promise<Heard[]> => {
  const carry = straightTo(stage, service)
  return Promise.all([
    stage.client.look(asPerson(old.person, { act: 'read', route: 'GET /api/auth/sessions' }), carry),
    stage.client.look(asShop(old.shop, 'test', { act: 'read', route: 'GET /api/merchant/payments' }), carry),
  ])
}

/** As soon as the process can. */
async function endThem(
  { client, front }: Stage,
  { service, old, shop }: { service: ServiceProcess; old: Old; shop: Shop },
): Promise<void> {
  const carry = straightTo({ front }, service)
  const { owner } = shop
  const rotate = asPerson(owner, {
    ...{ act: 'rotate', route: 'POST /api/merchant/rotate-key', key: randomUUID() },
    body: { password: owner.password, mode: 'test', what: 'api_key', grace_hours: 0 },
  })
  const logOut = asPerson(old.person, { act: 'log out', route: 'POST /api/auth/logout' })
  const ended = async (request: typeof rotate): Promise<Heard> => {
    for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(50)) {
      const heard = await client.look(request, carry)
      if (heard.status === 200) return heard
    }
    throw new Error('nothing could be ended after a crash')
  }
  const [, rotated] = await Promise.all([ended(logOut), ended(rotate)])
  shop.test.key = rotated.json.data.value
}

async function nextNumber({ cluster, database }: Stage): Promise<bigint> {
  const [row] = await cluster.query<{ next: string }>(
    database,
    'select pg_snapshot_xmin(pg_current_snapshot())::text as next',
  )
  return BigInt(row?.next ?? 0)
}

/** Takes so many numbers, for nothing that would be written to the disk at once. */
async function waste({ cluster, database }: Stage, count: number): Promise<void> {
  const statement = `do $$ begin
    create temporary table waste (number int);
    for at in 1 .. ${count} loop
      begin
        insert into waste values (at);
        raise exception 'never mind';
      exception when raise_exception then null;
      end;
    end loop;
    raise exception 'never mind';
  end $$`
  await cluster.query(database, statement).catch((error: Error) => {
    if (!error.message.includes('never mind')) throw error
  })
}
