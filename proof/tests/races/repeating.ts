// What T4 does with keys: each part is one of its promises.
import { createHash, randomUUID } from 'node:crypto'
import { burst, told } from '../../rig/burst.ts'
import { asShop, type Heard, type Request } from '../../rig/client.ts'
import type { Stage } from '../../rig/stage.ts'
import { type Moment, trafficMarker } from '../../rig/wire.ts'
import { logIn, type Person, type Shop } from '../../rig/world.ts'
import { giveOf, must, sendOf, shuffled, sinkOf, withdrawOf } from './purse.ts'

const currency = 'UGX'
/** Notes begin so: what happened can be counted by them. */
const noteOf = (): string => `${trafficMarker}T4-${randomUUID()}`

/** One request of each kind in turn, with its key. */
function wishOf({ world }: Stage, at: number): Request {
  const person = world.people[at % 24] as Person
  const [shop] = world.shops as [Shop]
  const kinds = [
    () => sendOf(person, { to: world.people.at(-1) as Person, amount: 1_000, currency, note: noteOf() }),
    () => giveOf(person, { place: 'groups', id: world.groups[0]?.id ?? '', amount: 1_000 }),
    () => withdrawOf(person, { amount: 1_000, currency, method: 'mtn', phone: '+256772000111' }),
    () => {
      const body = { amount: 1_000, currency, description: noteOf() }
      return asShop(shop, 'live', { act: 'ask', route: 'POST /api/pay', key: randomUUID(), body })
    },
  ]
  return (kinds[at % kinds.length] as (typeof kinds)[0])()
}

const keysAtOnce = 4

/** Many keys, each fifty times at once: one answer a key, byte for byte. */
export async function sameKeys(
  stage: Stage,
  { keys, services = stage.services }: { keys: number; services?: Stage['services'] },
): Promise<void> {
  for (let from = 0; from < keys; from += keysAtOnce) {
    const wishes = Array.from({ length: keysAtOnce }, (_, at) => wishOf(stage, from + at))
    const requests = shuffled(
      stage.scene.chance,
      wishes.flatMap((wish) => Array.from({ length: 50 }, () => wish)),
    )
    const heard = await burst(stage, requests, { services })
    for (const wish of wishes)
      judgeSame(stage, {
        heard: heard.filter((_, at) => requests[at] === wish),
        what: `one key, 50 times at once (${wish.act})`,
      })
    if (stage.scene.faults().length > 0) return
  }
}

function judgeSame({ scene }: Stage, { heard, what }: { heard: readonly Heard[]; what: string }): void {
  const good = heard.filter(({ outcome }) => outcome === 'done')
  const bodies = new Set(good.map(({ text }) => text)).size
  if (good.length !== heard.length) scene.fault(`${what}: not everybody heard the answer (${told(heard)})`)
  if (bodies > 1) scene.fault(`${what}: ${bodies} different answers`)
  const first = good.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length
  if (first > 1) scene.fault(`${what}: ${first} were told that theirs was the first`)
}

/** How often each thing with a note of ours happened, by the database. */
export async function judgeEffects({ scene, cluster, database }: Stage): Promise<number> {
  const rows = await cluster.query<{ note: string; times: number }>(
    database,
    `select note, count(*)::int as times from (
       select details->>'note' as note from ledger.postings where details->>'note' like '${trafficMarker}T4-%'
       union all select description from payments.payments where description like '${trafficMarker}T4-%'
     ) as done group by note`,
  )
  for (const { times } of rows) if (times !== 1) scene.fault(`one key, and it happened ${times} times`)
  return rows.length
}

/** One key with two bodies at once: one of them wins, and the other is told so, then and ever after. */
export async function otherBody(stage: Stage, { rounds }: { rounds: number }): Promise<void> {
  const { scene, world } = stage
  for (let round = 0; round < rounds; round++) {
    const person = world.people[24 + (round % 24)] as Person
    const common = { to: sinkOf(stage, round), currency, key: randomUUID(), note: noteOf() }
    const two = [sendOf(person, { ...common, amount: 1_000 }), sendOf(person, { ...common, amount: 1_001 })]
    const requests = Array.from({ length: 40 }, (_, at) => two[at % 2] as Request)
    const heard = await burst(stage, shuffled(scene.chance, requests))
    const bodies = new Set(heard.flatMap(({ outcome, text }) => (outcome === 'done' ? [text] : [])))
    if (bodies.size !== 1)
      scene.fault(`one key with two bodies at once: ${bodies.size} answers (${told(heard)})`)
    const later = await Promise.all(two.map((request) => stage.client.act(request)))
    for (const [what, all] of [
      ['at once', heard],
      ['later', later],
    ] as const) {
      const refused = all.filter(({ outcome }) => outcome !== 'done')
      const odd = refused.filter(
        ({ status, json }) => status !== 422 || json?.code !== 'idempotency_conflict',
      )
      if (refused.length !== all.length / 2 || odd.length > 0)
        scene.fault(`one key with two bodies ${what}: half of them are to be refused for it (${told(all)})`)
    }
  }
}

const killAfterMs = 5_000
const moments: readonly Moment[] = ['sent', 'answered', 'unsent']

/** The process dies around the word that commits. Who asks again with the key hears what came of it, and it came once. */
export async function killed(stage: Stage, { rounds }: { rounds: number }): Promise<{ unknown: number }> {
  const { client, scene, wire, world } = stage
  let unknown = 0
  for (let round = 0; round < rounds; round++) {
    const moment = moments[round % moments.length] ?? 'sent'
    const died = Promise.withResolvers<void>()
    wire.atCommit(moment, { act: (entrance) => died.resolve(stage.byEntrance(entrance)?.kill()) })
    const wishes = Array.from({ length: 16 }, (_, at) => {
      const person = world.people[at % 16] as Person
      return sendOf(person, { to: sinkOf(stage, at), amount: 1_000, currency, note: noteOf() })
    })
    const first = await Promise.all(wishes.map((wish) => client.act(wish)))
    const timer = setTimeout(() => died.reject(new Error('no kill met a commit')), killAfterMs)
    await died.promise.finally(() => clearTimeout(timer))
    unknown += first.filter(({ outcome }) => outcome === 'unknown').length
    await stage.start()
    const again = await burst(stage, [...wishes, ...wishes])
    for (const at of wishes.keys()) {
      const heard = [first[at], again[at], again[at + wishes.length]].filter((one) => one?.outcome === 'done')
      if (heard.length < 2) scene.fault(`a key after a kill (${moment}): it is not answered (${told(again)})`)
      if (new Set(heard.map((one) => one?.text)).size > 1)
        scene.fault(`a key after a kill (${moment}): another answer than before`)
    }
  }
  return { unknown }
}

/** The same key of others, in another mode, and on another route is another key. */
export async function independent(stage: Stage): Promise<void> {
  const { client, scene, world } = stage
  const key = randomUUID()
  const [one, other] = world.people as [Person, Person]
  const [shop, shopToo] = world.shops as [Shop, Shop]
  const common = { to: sinkOf(stage, 0), amount: 1_000, currency, key }
  const ask = (of: Shop, mode: 'live' | 'test') =>
    asShop(of, mode, {
      ...{ act: 'ask', route: 'POST /api/pay', key },
      body: { amount: 1_000, currency, description: noteOf() },
    })
  const requests = [
    sendOf(one, { ...common, note: noteOf() }),
    sendOf(other, { ...common, note: noteOf() }),
    giveOf(one, { place: 'groups', id: world.groups[0]?.id ?? '', amount: 1_000, key }),
    giveOf(one, { place: 'campaigns', id: world.campaigns[0]?.id ?? '', amount: 1_000, key }),
    ...[ask(shop, 'live'), ask(shop, 'test'), ask(shopToo, 'live')],
  ]
  const heard = await Promise.all(requests.map((request) => client.act(request)))
  const references = new Set(heard.map(({ json }) => json?.data?.reference))
  const replayed = heard.filter(({ headers }) => headers['idempotency-replayed'] !== undefined).length
  if (heard.some(({ outcome }) => outcome === 'refused') || replayed > 0)
    scene.fault(`the key of others counts: ${replayed} replayed (${told(heard)})`)
  if (references.size !== requests.length)
    scene.fault(`the key of others: ${references.size} references of ${requests.length}`)
}

const dayMs = 86_400_000

/** Seven days, not less; then it is a new one. */
export async function expiry(stage: Stage): Promise<void> {
  const { client, scene, world } = stage
  const person = { ...(world.people[0] as Person) }
  const wish = () =>
    sendOf(person, { to: sinkOf(stage, 0), amount: 1_000, currency, key, note: 'For a week' })
  const key = randomUUID()
  const first = must(await client.act(wish()))
  for (const { days, same } of [
    { days: 6.9, same: true },
    { days: 7.1, same: false },
  ]) {
    stage.advance(days * dayMs)
    person.token = (await logIn(client, person.handle)).token
    const again = must(await client.act(wish()))
    if ((again.data.reference === first.data.reference) !== same)
      scene.fault(`a key after ${days} days: ${same ? 'another transfer' : 'still the old answer'}`)
  }
}

/** Whoever has a copy of the table and knows everything but the PIN does not find it by trying all of them. */
export async function offline(stage: Stage): Promise<void> {
  const { client, cluster, database, scene, world } = stage
  const person = world.people[2] as Person
  const to = sinkOf(stage, 3)
  const note = noteOf()
  must(await client.act(sendOf(person, { to, amount: 1_000, currency, note })))
  const rows = await cluster.query<{ row: string; fingerprint: string }>(
    database,
    'select a::text as row, fingerprint::text from ledger.answers a',
  )
  if (rows.length === 0) scene.fault('the table of answers is empty: nothing was looked at')
  if (rows.some(({ row }) => /\bpin\b/i.test(row))) scene.fault('the table of answers speaks of a PIN')
  const kept = new Set(rows.map(({ fingerprint }) => fingerprint.replaceAll('-', '')))
  for (let number = 0; number < 10_000; number++) {
    const pin = String(number).padStart(4, '0')
    const bodies = [
      { recipient: to.handle, pin, amount: 1_000, currency, note },
      { amount: '1000', currency, note, pin, recipient: to.handle },
    ].map((body) => JSON.stringify(body))
    for (const text of [pin, ...bodies, ...bodies.map((body) => JSON.stringify(['body', body]))])
      for (const way of ['md5', 'sha1', 'sha256', 'sha512'])
        if (kept.has(createHash(way).update(text).digest('hex').slice(0, 32))) {
          scene.fault(`the PIN was found in a copy of the table, by ${way} of 10000 bodies`)
          return
        }
  }
}
