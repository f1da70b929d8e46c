// What people do all day, in the mix of a busy hour: 50 % send, 15 % ask for a payment and pay it on the checkout, 10 %
// contribute, 10 % withdraw, 5 % refund, 10 % look. Each client does one thing after the other, and takes a short break
// when nobody answered. Use:
//
//   const traffic = startTraffic(stage, { clients: 64 })
//   await traffic.until(200)      // so many acts are done
//   await traffic.stop()
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Chance, openChance } from '../../simulator/src/chance.ts'
import { type CheckoutPayment, payByPhone, payByWallet } from './checkout.ts'
import { asPerson, asShop, type Heard } from './client.ts'
import type { Stage } from './stage.ts'
import { trafficMarker } from './wire.ts'
import type { Person, Shop } from './world.ts'

export interface Told {
  kind: string
  /** Milliseconds of the process's clock (performance.now). */
  sentAt: number
  at: number
  status: number
  outcome: Heard['outcome']
}

export interface Traffic {
  /** What was answered or not, in the order of the answers. */
  told: Told[]
  /** Payments that may have been paid by a wallet, and nobody heard. */
  unsure: { person: Person; payment: CheckoutPayment }[]
  done(): number
  /** Until so many more are done. */
  until(more: number, ms?: number): Promise<void>
  stop(): Promise<void>
}

export interface TrafficOptions {
  clients?: number
  /**
   * Between two acts of one client, on average. By default as long as the act took: a slow machine is not kept from
   * everything else.
   */
  paceMs?: number | 'as long as it took'
  /** In place of the usual shares. */
  mix?: Mix
}

export type Kind = 'send' | 'pay' | 'contribute' | 'deposit' | 'withdraw' | 'refund' | 'read'

/** Shares, of whatever they add up to. */
export type Mix = Partial<Record<Kind, number>>

const usualMix: Mix = {
  send: 50,
  pay: 15,
  contribute: 10,
  withdraw: 10,
  refund: 5,
  read: 10,
}

const markets = [
  { currency: 'UGX', least: 500, most: 20_000, network: 'mtn', phone: '+2567720' },
  { currency: 'KES', least: 10, most: 400, network: 'mpesa', phone: '+2547120' },
  { currency: 'RWF', least: 100, most: 5_000, network: 'mtn', phone: '+2507820' },
] as const

export interface Paid {
  shop: Shop
  mode: 'live' | 'test'
  reference: string
  amount: number
}

/** What the acts of one crowd share. */
export interface Round {
  stage: Pick<Stage, 'client' | 'world'> & { receiver: Pick<Stage['receiver'], 'url'> }
  chance: Chance
  paid: Paid[]
  unsure: Traffic['unsure']
  /** Of the payments on the checkout: how many are by a wallet, which asks for a password each time. */
  byWallet: number
  /** Amounts go up to this part of the usual ones: money must last for a long time. */
  thrift: number
}

export function startTraffic(stage: Stage, options: TrafficOptions = {}): Traffic {
  const { clients = 64, paceMs = 'as long as it took', mix = usualMix } = options
  const told: Told[] = []
  const chance = openChance(stage.scene.chance.below(2 ** 31))
  const round: Round = { stage, chance, paid: [], unsure: [], byWallet: 0.5, thrift: 1 }
  let stopped = false
  let done = 0
  const live = async (person: Person) => {
    while (!stopped && !stage.scene.signal.aborted) {
      const kind = draw(round.chance, mix)
      const sentAt = performance.now()
      const { status, outcome } = await perform(round, { kind, person })
      told.push({ kind, sentAt, at: performance.now(), status, outcome })
      if (outcome === 'done') done += 1
      // Nobody is there, or nobody has time.
      if (status === 0 || status === 503) await sleep(200 + round.chance.below(400))
      const thinks = paceMs === 'as long as it took' ? Math.min(1_000, performance.now() - sentAt) : paceMs
      await sleep(round.chance.below(2 * Math.ceil(thinks) + 1))
    }
  }
  const { people } = stage.world
  const all = Promise.all(
    Array.from({ length: clients }, (_, at) => live(people[at % people.length] as Person)),
  )
  // Whoever stops it hears of it; until then it is nobody's.
  all.catch(() => undefined)
  const stop = async () => {
    stopped = true
    await all
  }
  stage.scene.defer(stop)
  return {
    told,
    unsure: round.unsure,
    done: () => done,
    until: async (more, ms = 60_000) => {
      const wanted = done + more
      for (const end = performance.now() + ms; done < wanted; await sleep(10)) {
        stage.scene.signal.throwIfAborted()
        if (performance.now() > end)
          throw new Error(`waited in vain for ${more} more acts: ${done} of ${wanted} are done`)
      }
    },
    stop,
  }
}

export function draw(chance: Chance, mix: Mix): Kind {
  const shares = Object.entries(mix) as [Kind, number][]
  let left = chance.below(shares.reduce((sum, [, share]) => sum + share, 0))
  for (const [kind, share] of shares) {
    if (left < share) return kind
    left -= share
  }
  return 'send'
}

export async function perform(
  round: Round,
  { kind, person }: { kind: Kind; person: Person },
): Promise<Heard> {
  switch (kind) {
    case 'send':
      return send(round, person)
    case 'pay':
      return pay(round, person)
    case 'contribute':
      return contribute(round, person)
    case 'deposit':
      return deposit(round, person)
    case 'withdraw':
      return withdraw(round, person)
    case 'refund':
      return refund(round, person)
    case 'read':
      return read(round, person)
    default:
      return kind satisfies never
  }
}

const pick = <T>(chance: Chance, items: readonly T[]): T => items[chance.below(items.length)] as T
const amountIn = ({ chance, thrift }: Round, { least, most }: { least: number; most: number }): number =>
  least + chance.below(Math.ceil((most - least) * thrift))
const noteOf = (): string => `${trafficMarker}${randomUUID()}`

function send(round: Round, person: Person): Promise<Heard> {
  const { stage, chance } = round
  const others = stage.world.people.filter(({ id }) => id !== person.id)
  const market = pick(chance, markets)
  const body = {
    recipient: pick(chance, others).handle,
    amount: amountIn(round, market),
    currency: market.currency,
    note: noteOf(),
    pin: person.pin,
  }
  return stage.client.act(asPerson(person, { act: 'send', route: 'POST /api/send', key: randomUUID(), body }))
}

async function pay(round: Round, person: Person): Promise<Heard> {
  const { stage, chance } = round
  const { client } = stage
  const market = pick(chance, markets)
  const wish: Wish = { shop: pick(chance, stage.world.shops), amount: amountIn(round, market), ...market }
  const { asked, payment } = await (chance.happens(0.5) ? initiate(stage, wish) : ask(stage, wish))
  if (payment === undefined) return asked
  if (!chance.happens(round.byWallet))
    return payByPhone(client, { payment, network: market.network, phone: phoneOf(chance, market) })
  const heard = await payByWallet(client, { person, payment })
  if (heard.outcome === 'unknown') round.unsure.push({ person, payment })
  if (heard.outcome === 'done') round.paid.push({ ...wish, mode: 'live', reference: payment.reference })
  return heard
}

interface Wish {
  shop: Shop
  amount: number
  currency: string
}

interface Begun {
  asked: Heard
  /** Undefined: there is none, or nobody knows. */
  payment: CheckoutPayment | undefined
}

/** Its answer has no reference: that is asked for by the shop's own. */
async function initiate(
  { client, receiver }: Round['stage'],
  { shop, amount, currency }: Wish,
): Promise<Begun> {
  const ref = noteOf()
  const asked = await client.act(
    asShop(shop, 'live', {
      act: 'initiate',
      route: 'POST /api/v1/initiate-payment',
      key: randomUUID(),
      body: {
        payment_amount: amount,
        currency_code: currency,
        ref_trx: ref,
        description: noteOf(),
        ipn_url: `${receiver.url}/${shop.id}/ipn`,
      },
    }),
  )
  if (asked.outcome !== 'done') return { asked, payment: undefined }
  const path = `/api/v1/verify-payment/${ref}`
  const shown = await client.look(
    asShop(shop, 'live', { act: 'read', route: 'GET /api/v1/verify-payment/:ref', path }),
  )
  const reference: string | undefined = shown.json?.reference
  const payment =
    reference === undefined ? undefined : { reference, url: asked.json.payment_url, mode: 'live' as const }
  return { asked: payment === undefined ? shown : asked, payment }
}

async function ask({ client, receiver }: Round['stage'], { shop, amount, currency }: Wish): Promise<Begun> {
  const asked = await client.act(
    asShop(shop, 'live', {
      act: 'ask',
      route: 'POST /api/pay',
      key: randomUUID(),
      body: { amount, currency, description: noteOf(), callback_url: `${receiver.url}/${shop.id}/callback` },
    }),
  )
  if (asked.outcome !== 'done') return { asked, payment: undefined }
  const { reference, payment_url: url } = asked.json.data
  return { asked, payment: { reference, url, mode: 'live' } }
}

/** None that ends in 9: their last three digits decide what becomes of it. */
const phoneOf = (chance: Chance, { phone }: { phone: string }): string =>
  `${phone}${chance.text('0123456789', 4)}${chance.text('012345678', 1)}`

function contribute(round: Round, person: Person): Promise<Heard> {
  const { stage, chance } = round
  const { client, world } = stage
  const number = world.people.findIndex(({ id }) => id === person.id)
  const pots = chance.happens(0.5) ? world.groups.filter(({ members }) => members.includes(number)) : []
  const isGroup = pots.length > 0
  const pot = pick(chance, isGroup ? pots : world.campaigns)
  const market = markets.find(({ currency }) => currency === pot.currency) ?? markets[0]
  const text = isGroup ? { note: noteOf() } : { message: noteOf() }
  const body = { amount: amountIn(round, market), pin: person.pin, ...text }
  const place = isGroup ? 'groups' : 'campaigns'
  return client.act(
    asPerson(person, {
      act: 'contribute',
      route: `POST /api/${place}/:id/contribute`,
      path: `/api/${place}/${pot.id}/contribute`,
      key: randomUUID(),
      body,
    }),
  )
}

/** Where money comes from or goes to by a network. */
function byNetwork(round: Round) {
  const market = pick(round.chance, markets)
  const { currency, network: method } = market
  return { amount: amountIn(round, market), currency, method, phone: phoneOf(round.chance, market) }
}

function deposit(round: Round, person: Person): Promise<Heard> {
  const route = 'POST /api/deposit/initiate'
  return round.stage.client.act(
    asPerson(person, { act: 'deposit', route, key: randomUUID(), body: byNetwork(round) }),
  )
}

function withdraw(round: Round, person: Person): Promise<Heard> {
  const body = { ...byNetwork(round), pin: person.pin }
  return round.stage.client.act(
    asPerson(person, { act: 'withdraw', route: 'POST /api/withdraw', key: randomUUID(), body }),
  )
}

/** Whole or in part, of something that was paid; while nothing is, somebody sends. */
function refund(round: Round, person: Person): Promise<Heard> {
  const { stage, chance, paid } = round
  const [one] = paid.splice(chance.below(Math.max(1, paid.length)), 1)
  if (one === undefined) return send(round, person)
  const { shop, mode, reference, amount } = one
  const part = Math.floor(amount / 2)
  const body = { reason: noteOf(), ...(chance.happens(0.5) && part >= 1 ? { amount: part } : {}) }
  return stage.client.act(
    asShop(shop, mode, {
      act: 'refund',
      route: 'POST /api/merchant/payments/:reference/refund',
      path: `/api/merchant/payments/${reference}/refund`,
      key: randomUUID(),
      body,
    }),
  )
}

function read({ stage, chance }: Round, person: Person): Promise<Heard> {
  const { client, world } = stage
  if (chance.happens(0.3))
    return client.act(
      asShop(pick(chance, world.shops), 'live', { act: 'read', route: 'GET /api/merchant/payments' }),
    )
  return client.act(
    asPerson(person, { act: 'read', route: `GET /api/${chance.happens(0.5) ? 'wallets' : 'transactions'}` }),
  )
}
