// Tokens: many refresh with the same one at the same moment, a stolen one comes back, somebody logs out. What is over is
// over in every process within two seconds, also when nobody can tell them.
import { setTimeout as sleep } from 'node:timers/promises'
import { burst, told } from '../../rig/burst.ts'
import { asPerson, type Request } from '../../rig/client.ts'
import type { ServiceProcess } from '../../rig/service.ts'
import type { Stage } from '../../rig/stage.ts'
import { logIn, type Person } from '../../rig/world.ts'

const promisedMs = 2_000
const patienceMs = 15_000
/** In this time the one before the latest gets that again. */
const retryMs = 10_000

const withToken = (person: Person, { token, route }: { token: string; route: string }): Request =>
  asPerson({ ...person, token }, { act: 'session', route })

/** One successor for all; then the old one comes once more, too late, and nobody keeps the session. */
export async function oneSuccessor(stage: Stage, { person }: { person: Person }): Promise<number[]> {
  const { scene, client } = stage
  const { token: old } = await logIn(client, person.handle)
  const refresh = withToken(person, { token: old, route: 'POST /api/auth/refresh' })
  const heard = await burst(
    stage,
    Array.from({ length: 100 }, () => refresh),
  )
  const endedAt = performance.now()
  const tokens = new Set(heard.map(({ json }) => json?.data?.token))
  const [next] = tokens
  if (tokens.size !== 1 || typeof next !== 'string' || next === old) {
    scene.fault(`100 with one token got ${tokens.size} successors (${told(heard)})`)
    return []
  }
  const replaced = await refusedAfter(stage, {
    token: old,
    since: endedAt,
    what: 'a token that was replaced',
  })
  for (const service of stage.services)
    if ((await statusIn(service, next)) !== 200)
      scene.fault('the successor of a token is not good everywhere')
  stage.advance((stage.aheadMs() ?? 0) + retryMs + 1_000)
  const reused = await burst(stage, [refresh])
  if (reused[0]?.status !== 401) scene.fault(`a token was exchanged twice: ${told(reused)}`)
  const since = performance.now()
  return [
    replaced,
    await refusedAfter(stage, { token: next, since, what: 'a token of a session that was stolen' }),
  ]
}

/** The connections by which processes hear of each other are cut in the moment of the logout. */
export async function unheard(stage: Stage, { person }: { person: Person }): Promise<number> {
  const { client, cluster, database } = stage
  const { token } = await logIn(client, person.handle)
  for (const service of stage.services)
    if ((await statusIn(service, token)) !== 200) stage.scene.fault('a new token is not good everywhere')
  await cluster.query(
    database,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'mfuko changes'`,
  )
  const [heard] = await burst(stage, [withToken(person, { token, route: 'POST /api/auth/logout' })])
  if (heard?.status !== 200) stage.scene.fault(`nobody can log out: ${heard?.status} ${heard?.text}`)
  return refusedAfter(stage, {
    token,
    since: performance.now(),
    what: 'a token after its logout, with lines cut,',
  })
}

interface Refusal {
  token: string
  since: number
  what: string
}

/** Until no process lets it in; how long that took. One that is not ready lets nobody in, which is as good. */
async function refusedAfter(stage: Stage, { token, since, what }: Refusal): Promise<number> {
  const each = await Promise.all(
    stage.services.map(async (service) => {
      let last = since
      while (performance.now() - since < patienceMs) {
        const asked = performance.now()
        if ((await statusIn(service, token)) !== 200) return last - since
        last = asked
        await sleep(10)
      }
      return Number.POSITIVE_INFINITY
    }),
  )
  const ms = Math.round(Math.max(...each))
  if (ms > promisedMs) stage.scene.fault(`${what} is still let in after ${ms} ms`)
  return ms
}

async function statusIn({ url }: ServiceProcess, token: string): Promise<number> {
  const answer = await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  return answer.status
}

const staleMs = 5_000

/** Nothing passes between the processes and the database: what they know may be wrong, so they let nobody in. */
export async function cutOff(stage: Stage, { person }: { person: Person }): Promise<number> {
  const { scene, wire } = stage
  wire.hang()
  const since = performance.now()
  const each = await Promise.all(
    stage.services.map(async (service) => {
      while (performance.now() - since < patienceMs) {
        if ((await statusIn(service, person.token)) === 503) return performance.now() - since
        await sleep(20)
      }
      return Number.POSITIVE_INFINITY
    }),
  )
  wire.heal()
  const ms = Math.round(Math.max(...each))
  // The last time that one heard was a second ago at most.
  if (ms > staleMs + 1_000) scene.fault(`a process that hears nothing lets people in for ${ms} ms`)
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(100)) {
    const now = await Promise.all(stage.services.map((service) => statusIn(service, person.token)))
    if (now.every((status) => status === 200)) return ms
  }
  scene.fault('a process that hears again lets nobody in')
  return ms
}
