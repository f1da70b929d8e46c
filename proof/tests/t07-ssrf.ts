// A shop chooses where it is told of its payments, and the service makes the request. So a shop tries to reach through it
// what only the service can: this machine, its database, the neighbours, the metadata of a cloud. By addresses in all
// spellings, by names that lead inside, by names that change their mind, by redirects. Canaries listen, and hear nothing.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readyToCancel } from '../rig/checkout.ts'
import {
  asPerson,
  asShop,
  type Client,
  type Heard,
  openClient,
  patient,
  type Request,
} from '../rig/client.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { verdict } from '../rig/verdict.ts'
import { eachOf, type Person, password, type Shop } from '../rig/world.ts'
import type { Proof } from '../scene.ts'
import { crookedUrls, forbiddenHosts } from './ssrf/addresses.ts'
import { type Ground, openGround, refusedNames } from './ssrf/ground.ts'

const sizes = {
  gate: { every: false, rebindings: 100 },
  night: { every: true, rebindings: 1_000 },
}

export const proof: Proof = {
  id: 'T7',
  title: 'Notifications to forbidden addresses',
  promise:
    'No notification leaves for this machine, a private network or any other special address, whatever a shop writes, a name leads to or a receiver answers.',
  minutes: { gate: 5, night: 30 },
  run: async (scene) => {
    const size = sizes[scene.tier]
    const ground = await openGround(scene)
    // Two attempts of each, so that a name can be another thing at the second.
    const stage = await openStage(scene, { processes: 0, env: { ...ground.env, NOTIFY_SCHEDULE: '1' } })
    const [before, now] = await Promise.all([stage.start(careless), stage.start()])
    const [clientBefore, client] = await Promise.all(
      [before, now].map(async ({ url }, at) => {
        const opened = await openClient({ url, folder: stage.folder, name: `shops-${at}`, connections: 16 })
        scene.defer(opened.close)
        return patient(opened)
      }),
    )
    if (clientBefore === undefined || client === undefined) throw new Error('there are two')
    const urls = urlsOf(stage, ground, size)
    const errand: Errand = { stage, ground, client }
    await refusedByText(errand, [...urls.forbidden, ...urls.crooked])
    scene.say('refused by their text')
    const sent = await sendAll(errand, { ...urls, by: clientBefore, rebindings: size.rebindings })
    scene.say('taken, and to be sent')
    await judgeSent(errand, sent)
    judgeCanaries(errand)
    await verdict(stage, { check: { wholeJournal: false, rules: [3, 4, 5, 6, 8, 9, 10] } })
    scene.figure(
      'addresses refused when they are given, in 6 fields',
      urls.forbidden.length + urls.crooked.length,
    )
    scene.figure('canaries', `${ground.inside.join(', ')} on ${ground.ports.join(', ')}; the database`)
    scene.figure('public address', ground.outside)
  },
}

/** A service that lets everything in and sends nothing: what it has taken is left to one that is careful. */
const careless = {
  ROLE: 'api',
  ALLOW_PRIVATE_CALLBACKS: 'on',
  CALLBACK_ALLOW_CIDRS: '0.0.0.0/0,::/0',
}

interface Errand {
  stage: Stage
  ground: Ground
  /** Of the careful service. */
  client: Client
}

function urlsOf({ cluster, front }: Stage, ground: Ground, { every }: { every: boolean }) {
  const portAt = (at: number) => ground.ports[at % ground.ports.length] ?? 0
  const forbidden = forbiddenHosts({ every }).map((host, at) => `http://${host}:${portAt(at)}/`)
  const crooked = crookedUrls({ ports: ground.ports, database: cluster.port, own: front.url })
  return { forbidden, crooked }
}

/** Everywhere a shop can name an address, and the fields that must be found wrong. */
const waysOf = (stage: Stage, url: string): { request: Request; fields: string[] }[] => {
  const [shop, person] = [stage.world.shops[0], stage.world.people[0]] as [Shop, Person]
  const both = { ipn_url: url, callback_url: url }
  const business = { business_name: 'Duka', category: 'Groceries', website_url: 'https://duka.example' }
  const fields = Object.keys(both)
  const act = 'make'
  return [
    { request: initiateOf(shop, { mode: 'live', url }), fields: ['ipn_url'] },
    { request: payOf(shop, { mode: 'test', url }), fields: ['callback_url'] },
    {
      request: asPerson(shop.owner, { act, route: 'PATCH /api/merchant', body: { ...both, password } }),
      fields,
    },
    {
      request: asPerson(person, {
        act,
        route: 'POST /api/merchant/register',
        body: { ...business, ...both },
      }),
      fields,
    },
  ]
}

interface Wish {
  mode: 'live' | 'test'
  /** Absent: that of the profile. */
  url?: string
}

const initiateOf = (shop: Shop, { mode, url }: Wish): Request => {
  const body = { payment_amount: 5_000, currency_code: 'UGX', ref_trx: randomUUID(), ipn_url: url }
  return asShop(shop, mode, { act: 'initiate', route: 'POST /api/v1/initiate-payment', body })
}

const payOf = (shop: Shop, { mode, url }: Wish): Request =>
  asShop(shop, mode, {
    act: 'ask',
    route: 'POST /api/pay',
    body: { amount: 5_000, currency: 'UGX', callback_url: url },
  })

async function refusedByText({ stage, client }: Errand, urls: readonly string[]): Promise<void> {
  const all = urls.flatMap((url) => waysOf(stage, url).map((way) => ({ ...way, url })))
  await eachOf(all, 16, async ({ request, fields, url }) => {
    const heard = await client.look(request)
    const named = fields.every((field) => heard.json?.errors?.[field] !== undefined)
    if (heard.status !== 422 || !named)
      stage.scene.fault(
        `${request.route} took the address ${JSON.stringify(url)}: ${heard.status} ${heard.text}`,
      )
  })
}

/** A payment by each of the two interfaces, and what must become of the notifications of both. */
interface Parcel {
  from: Client
  ipn: string
  callback: string
  /** Why the last attempt failed; null: it did not. */
  problem: string | null
  /** The service may refuse to take it. */
  perhaps?: true
}

interface Sending {
  forbidden: readonly string[]
  crooked: readonly string[]
  /** The careless service. */
  by: Client
  rebindings: number
}

function parcelsOf({ ground, client }: Errand, { forbidden, crooked, by, rebindings }: Sending): Parcel[] {
  const { outside, outside6 } = ground
  const http = (host: string, at = 0) => `http://${host}:${ground.ports[at % ground.ports.length]}/`
  const refused = { problem: 'address_not_allowed' }
  const to = (base: string) => ({ ipn: `${base}ipn`, callback: `${base}callback` })
  const good = ['good.test', outside, ...(outside6 === undefined ? [] : ['good6.test', `[${outside6}]`])]
  return [
    ...forbidden.map((base) => ({ from: by, ...to(base), ...refused })),
    ...crooked
      .filter((url) => /^http:.*\/$/.test(url))
      .map((base) => ({ from: by, ...to(base), ...refused, perhaps: true as const })),
    ...refusedNames(ground).map((name, at) => ({ from: client, ...to(http(name, at)), ...refused })),
    ...redirects.map((status) => ({ from: client, ...to(http(`to-${status}.test`)), problem: 'redirect' })),
    ...good.map((host) => ({ from: client, ...to(http(host)), problem: null })),
    ...Array.from({ length: rebindings / 2 }, (_, at) => ({
      from: client,
      ipn: http(`rebind-ipn-${at}.test`, at),
      callback: http(`rebind-callback-${at}.test`, at),
      ...refused,
    })),
  ]
}

const redirects = [301, 302, 303, 307, 308]

/** Address → why the last attempt to it must have failed. */
type Sent = Map<string, string | null>

async function sendAll(errand: Errand, sending: Sending): Promise<Sent> {
  const { stage, client } = errand
  const sent: Sent = new Map()
  await eachOf(parcelsOf(errand, sending), 8, async ({ from, ipn, callback, problem, perhaps }, at) => {
    // A target that only fails is left alone for a while: so each gets few, by several shops in both modes.
    const shop = stage.world.shops[at % 2] as Shop
    const mode = at % 4 < 2 ? 'live' : 'test'
    const [first, second] = [`${ipn}?${at}`, `${callback}?${at}`]
    const asked = await from.look(initiateOf(shop, { mode, url: first }))
    const paying = await from.look(payOf(shop, { mode, url: second }))
    if (asked.status === 200 && paying.status === 200) {
      await cancel(sending.by, { url: asked.json.payment_url, mode })
      sent.set(first, problem).set(second, problem)
    } else if (perhaps === undefined)
      stage.scene.fault(
        `${ipn} was not taken: ${asked.status} ${asked.text}, ${paying.status} ${paying.text}`,
      )
  })
  const shop = stage.world.shops[1] as Shop
  const [ipn_url, callback_url] = [
    'http://loopback.test/profile-ipn',
    'http://loopback.test/profile-callback',
  ]
  const body = { ipn_url, callback_url, password }
  await client.look(asPerson(shop.owner, { act: 'make', route: 'PATCH /api/merchant', body }))
  const asked = await client.look(initiateOf(shop, { mode: 'live' }))
  await cancel(sending.by, { url: asked.json.payment_url, mode: 'live' })
  await client.look(payOf(shop, { mode: 'live' }))
  return sent.set(ipn_url, 'address_not_allowed').set(callback_url, 'address_not_allowed')
}

/** Then there is something to tell. */
async function cancel(client: Client, payment: { url: string; mode: 'live' | 'test' }): Promise<Heard> {
  return client.act(await readyToCancel(client, { reference: '', ...payment }))
}

interface Notified {
  url: string | null
  status: string
  attempts: number
  last_attempt: { problem: string | null } | null
}

const patienceMs = 90_000

async function judgeSent({ stage, ground, client }: Errand, sent: Sent): Promise<void> {
  const { scene } = stage
  for (const until = performance.now() + patienceMs; ; await sleep(200)) {
    const waiting = await notifications({ stage, client }, { query: 'status=pending&limit=1', pages: 1 })
    if (waiting.length === 0) break
    if (performance.now() > until) return scene.fault(`still to be sent: ${JSON.stringify(waiting[0])}`)
  }
  const told = await notifications({ stage, client }, { query: 'limit=100', pages: 100 })
  const found = new Map(told.map((one) => [one.url, one]))
  for (const [url, problem] of sent) {
    const { last_attempt: last } = found.get(url) ?? {}
    if (last === undefined || last === null) scene.fault(`${url}: nothing was sent`)
    else if (last.problem !== problem) scene.fault(`${url}: ${last.problem ?? 'delivered'}, not ${problem}`)
  }
  const rebound = [...ground.came].filter(([name]) => name.startsWith('rebind-'))
  const unasked = [...sent.keys()].filter((url) => url.includes('rebind-')).length - rebound.length
  if (unasked !== 0) scene.fault(`${unasked} names that were public first were not believed even then`)
  scene.figure('names that were public at first, then this machine', rebound.length)
  scene.figure(
    'notifications that had to fail, and did',
    [...sent.values()].filter((one) => one !== null).length,
  )
  scene.figure(
    'notifications to the public address, delivered',
    [...sent.values()].filter((one) => one === null).length,
  )
}

/** By the word of the service to its shops. */
async function notifications(
  { stage, client }: Pick<Errand, 'stage' | 'client'>,
  { query, pages }: { query: string; pages: number },
): Promise<Notified[]> {
  const all: Notified[] = []
  for (const { owner } of stage.world.shops) {
    let cursor = ''
    for (let page = 0; page < pages; page++) {
      const path = `/api/merchant/notifications?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`
      const heard = await client.look(
        asPerson(owner, { act: 'read', route: 'GET /api/merchant/notifications', path }),
      )
      if (heard.status !== 200)
        throw new Error(`the notifications are not told: ${heard.status} ${heard.text}`)
      all.push(...heard.json.data)
      cursor = heard.json.meta.next_cursor ?? ''
      if (cursor === '') break
    }
  }
  return all
}

/** PostgreSQL writes down whoever speaks to it in another language. */
const strangers = /invalid length of startup packet|unsupported frontend protocol|incomplete startup packet/

function judgeCanaries({ stage, ground }: Errand): void {
  const { scene, cluster } = stage
  const { hits } = ground
  scene.figure('connections to canaries', hits.length)
  if (hits.length > 0)
    scene.fault(`${hits.length} connections reached a canary: ${[...new Set(hits)].join(', ')}`)
  const log = readFileSync(join(cluster.dataDir, 'postgres.log'), 'utf8')
  const lines = log.split('\n').filter((line) => strangers.test(line))
  if (lines.length > 0) scene.fault(`the database was spoken to: ${lines[0]}`)
}
