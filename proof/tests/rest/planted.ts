// Secrets that went through the service by all the ways there are, and that whoever has a copy of the database must not find.
import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { payByWallet } from '../../rig/checkout.ts'
import { asPerson, type Heard, type Loose, patient } from '../../rig/client.ts'
import { environmentOf } from '../../rig/service.ts'
import type { Stage } from '../../rig/stage.ts'
import { eachOf, type Person } from '../../rig/world.ts'

export interface Secret {
  kind: string
  text: string
  /** Of 256 random bits a plain SHA-256 may be kept: nobody finds them by trying. */
  hashMayStay?: boolean
}

export interface OpenShop {
  id: number
  owner: Person
  key: string
  secret: string
  /** A rotation that was asked for with this key, and what it showed. */
  rotation: { key: string; value: string }
}

export interface Vault {
  secrets: Secret[]
  pins: string[]
  /** What is kept as it is: found, or nobody has looked. */
  open: string[]
  people: Person[]
  shops: OpenShop[]
  /** Mails that show a code, with their codes. */
  mails: { id: string; code: string }[]
}

export async function fillVault(
  busy: Stage,
  { people, shops }: { people: number; shops: number },
): Promise<Vault> {
  const stage = { ...busy, client: patient(busy.client) }
  const vault: Vault = { secrets: [], pins: [], open: [], people: [], shops: [], mails: [] }
  const numbers = Array.from({ length: people }, (_, at) => at)
  await eachOf(numbers, 4, (at) => openAccount(stage, vault, at))
  await eachOf(vault.people.slice(0, shops), 3, (owner) => openShop(stage, vault, owner))
  await eachOf(vault.people, 4, (person) => readMails(stage, vault, person))
  seedOf(stage, vault)
  return vault
}

const word = (): string => randomBytes(15).toString('base64url')

/** Everything that a person has: two passwords, a PIN, tokens of three logins, and money sent with the PIN. */
async function openAccount(stage: Stage, vault: Vault, at: number): Promise<void> {
  const { client, world } = stage
  const handle = `vault_${at}`
  const email = `${handle}@example.test`
  const [first, password] = [word(), word()]
  const { pin, token } = await registered(stage, { handle, email, password: first })
  const login = async (with_: string) =>
    good(await client.look({ route: 'POST /api/auth/login', body: { handle, password: with_ } })).data
  const before = await login(first)
  const id: string = before.user.id
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
  const refreshed = good(
    await client.look({ route: 'POST /api/auth/refresh', headers: bearer(before.token) }),
  ).data.token
  good(
    await client.look({
      route: 'PUT /api/me/password',
      headers: bearer(refreshed),
      body: { password: first, new_password: password },
    }),
  )
  const after = (await login(password)).token
  const person: Person = { id, handle, name: handle, password, pin, token: after }
  const rich = world.people[at % world.people.length] as Person
  const order = { recipient: handle, amount: 5_000, currency: 'UGX', pin: rich.pin, note: email }
  good(
    await client.act(
      asPerson(rich, { act: 'send', route: 'POST /api/send', key: randomUUID(), body: order }),
    ),
  )
  const back = { recipient: rich.handle, amount: 1_000, currency: 'UGX', pin, note: `back from ${handle}` }
  good(
    await client.act(
      asPerson(person, { act: 'send', route: 'POST /api/send', key: randomUUID(), body: back }),
    ),
  )
  for (const text of [first, password]) vault.secrets.push({ kind: 'password', text })
  for (const text of [token, before.token, refreshed, after]) vault.secrets.push({ kind: 'JWT', text })
  vault.pins.push(pin)
  vault.open.push(email)
  vault.people.push(person)
}

/** Some PINs are refused, as they are guessed first: then another one is tried. */
async function registered(
  { client }: Stage,
  { handle, email, password }: { handle: string; email: string; password: string },
): Promise<{ pin: string; token: string }> {
  for (let tries = 0; tries < 20; tries++) {
    const pin = String(randomInt(100_000, 1_000_000))
    const body = { name: `Person ${handle}`, handle, email, password, country: 'UG', pin }
    const heard = await client.look({ route: 'POST /api/auth/register', body })
    if (heard.status === 201) return { pin, token: heard.json.data.token }
    if (heard.status !== 422) good(heard)
  }
  throw new Error('no PIN was good enough')
}

/** Both pairs of credentials, one of each rotated, and payments whose links are secrets too; one is paid. */
async function openShop(stage: Stage, vault: Vault, owner: Person): Promise<void> {
  const { client, world } = stage
  const as = (person: Person, route: string, more: { path?: string; body?: object; key?: string } = {}) =>
    client.look(asPerson(person, { act: 'make', route, ...more }))
  const application = {
    business_name: `Duka ${owner.handle}`,
    category: 'Groceries',
    website_url: 'https://duka.example',
  }
  const made = good(await as(owner, 'POST /api/merchant/register', { body: application })).data
  const id: number = made.merchant_id
  const path = `/api/operator/applications/${id}/approve`
  good(await as(world.operator, 'POST /api/operator/applications/:id/approve', { path }))
  const { live } = good(await as(owner, 'GET /api/merchant')).data.credentials
  const { test } = made.credentials
  const key = randomUUID()
  const turn = (what: string, mode: string) => ({ password: owner.password, what, mode, grace_hours: 1 })
  const rotated = good(
    await as(owner, 'POST /api/merchant/rotate-key', { key, body: turn('client_secret', 'test') }),
  ).data.value
  const newKey = good(
    await as(owner, 'POST /api/merchant/rotate-key', { key: randomUUID(), body: turn('api_key', 'test') }),
  ).data.value
  for (const text of [test.api_key, live.api_key, newKey]) vault.secrets.push({ kind: 'API key', text })
  for (const text of [test.client_secret, live.client_secret, rotated])
    vault.secrets.push({ kind: 'Client Secret', text })
  vault.shops.push({
    id,
    owner,
    key: live.api_key,
    secret: live.client_secret,
    rotation: { key, value: rotated },
  })
  await askForMoney(stage, vault, { key: live.api_key, payer: world.people[1] as Person })
}

const linksOfShop = 5

async function askForMoney(
  { client }: Stage,
  vault: Vault,
  { key, payer }: { key: string; payer: Person },
): Promise<void> {
  for (let asked = 0; asked < linksOfShop; asked++) {
    const body = { amount: 700, currency: 'UGX', description: 'Two bags of coffee' }
    const heard = await client.look({ route: 'POST /api/pay', headers: { 'x-svc-key': key }, body })
    const { reference, payment_url: url } = good(heard).data
    const text = new URL(url).searchParams.get('token') ?? ''
    vault.secrets.push({ kind: 'checkout token', text, hashMayStay: true })
    if (asked === 0) await payByWallet(client, { person: payer, payment: { reference, url, mode: 'live' } })
  }
}

/** Without a mail server they are kept for the operators. */
async function readMails({ client, world }: Stage, vault: Vault, { handle }: Person): Promise<void> {
  const headers = { authorization: `Bearer ${world.operator.token}` }
  const list = () =>
    client.look({
      route: 'GET /api/operator/mails',
      path: `/api/operator/mails?to=${handle}@example.test&state=kept`,
      headers,
    })
  let kept: Loose[] = []
  for (let tries = 0; kept.length === 0 && tries < 100; tries++) {
    if (tries > 0) await sleep(100)
    kept = good(await list()).data
  }
  for (const { id } of kept) {
    const path = `/api/operator/mails/${id}`
    const { text } = good(await client.look({ route: 'GET /api/operator/mails/:id', path, headers })).data
    const code = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text ?? '')?.[0]
    if (code === undefined) continue
    vault.mails.push({ id, code })
    for (const text of [code, code.replace('-', '')]) vault.secrets.push({ kind: 'mailed code', text })
  }
}

/** Of an operator's authenticator app, by the command. */
function seedOf({ scene, databaseUrl, front, simulator }: Stage, vault: Vault): void {
  // Who gets another role is logged out: nobody who owns a shop.
  const person = vault.people.at(-1)
  const env = environmentOf({ databaseUrl, baseUrl: front.url, simulatorUrl: simulator.url })
  const run = (verb: string) =>
    execFileSync(process.execPath, [join(scene.server, 'src/operator.ts'), verb, person?.handle ?? ''], {
      env,
      stdio: 'pipe',
      encoding: 'utf8',
    })
  run('add')
  const text = /secret +([A-Z2-7]+)/.exec(run('totp'))?.[1]
  if (text === undefined) throw new Error('the command showed no seed')
  vault.secrets.push({ kind: 'seed of an authenticator app', text })
}

export function good(heard: Heard): Loose {
  if (heard.status < 200 || heard.status > 299)
    throw new Error(`it was refused: ${heard.status} ${heard.text} ${heard.error ?? ''}`)
  return heard.json
}
