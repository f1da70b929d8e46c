// The door: the networks of M-Pesa, MTN MoMo, Airtel Money and Paystack in a box. They speak the providers' own
// protocols over HTTP, with phones that people can hold, and keep books of their own.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { airtel, airtelRoutes } from './airtel.ts'
import { type Books, type Movement, openBooks, type Selection } from './books.ts'
import { type Callbacks, openCallbacks } from './callbacks.ts'
import { type Cards, openCards } from './cards.ts'
import { type Chance, openChance } from './chance.ts'
import { controlRoutes } from './control.ts'
import { darajaRoutes } from './daraja.ts'
import { mpesa } from './daraja-results.ts'
import { type Delays, delaysOf } from './delays.ts'
import { type Journal, openJournal } from './journal.ts'
import { calm, type KnobChanges, type Knobs, type ProviderId, turn } from './knobs.ts'
import { mtn, mtnRoutes } from './mtn.ts'
import { networkView } from './network-view.ts'
import { type Order, type Orders, openOrders, type Protocol } from './orders.ts'
import { pageRoutes } from './pages/pages.ts'
import { paystackRoutes } from './paystack.ts'
import { paystack } from './paystack-data.ts'
import { openPhones, type Phones } from './phones.ts'
import { openPortal, type Portal } from './portal.ts'
import { openSchedule, type Schedule } from './schedule.ts'
import { type Answer, type Around, type Route, type Served, serve, text } from './server.ts'
import { balancesOf } from './statements.ts'

export interface SimulatorOptions {
  /** 0: any free one. */
  port?: number
  host?: string
  /** The address that browsers reach it at, when that is another: behind a proxy for example. */
  url?: string
  /** Where the journal is; without it everything is in memory. */
  dataDir?: string | undefined
  /** Milliseconds of each, or one number that scales them all. */
  delays?: number | Partial<Delays>
  /** Of the chance that loses callbacks and the like. */
  seed?: number
  /** Milliseconds since 1970, when it is another time there. */
  now?: () => number
  /** Faults of the simulator itself. */
  log?: (error: unknown) => void
}

export interface Simulator {
  url: string
  seed: number
  /** Turns some of them; says how they all are. */
  knobs(changes?: KnobChanges): Knobs
  phones: Phones
  statements: { movements(selection: Selection): Movement[]; net(selection: Selection): bigint }
  /** The newest first. */
  orders(): Order[]
  portal: Portal
  /** What a person does on the card page. */
  cards: Cards
  /** Nothing is under way, and nothing is due within that many milliseconds (5 000). */
  settled(horizonMs?: number): Promise<void>
  close(): Promise<void>
}

const protocols: Record<ProviderId, Protocol> = { mpesa, mtn, airtel, paystack }

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, host = '127.0.0.1', log = defaultLog } = options
  const seed = options.seed ?? randomInt(2 ** 32)
  let served: Served = { routes: [], around: (_request, next) => next() }
  // First of all: who can't have the port must not touch the journal of who has it.
  const server = await serve({ port, host, served: () => served, onError: log })
  const url = options.url ?? server.url
  const parts = openParts({ ...options, seed, log })
  const { orders, phones, books, cards, portal, schedule, knobs } = parts
  served = { routes: routesOf(parts, url), around: misbehave(parts) }
  orders.resume()
  parts.callbacks.resume()
  return {
    url,
    seed,
    knobs,
    phones,
    statements: { movements: books.statement, net: books.net },
    orders: () => orders.list({ limit: Number.POSITIVE_INFINITY }),
    portal,
    cards,
    settled: schedule.settled,
    close: async () => {
      await server.close()
      phones.close()
      await schedule.close()
    },
  }
}

const defaultLog = (error: unknown): void => console.error('the simulator has failed:', error)

interface Parts {
  journal: Journal
  schedule: Schedule
  chance: Chance
  delays: Delays
  now: () => number
  knobs: (changes?: KnobChanges) => Knobs
  phones: Phones
  books: Books
  portal: Portal
  orders: Orders
  callbacks: Callbacks
  cards: Cards
}

function openParts({
  dataDir,
  delays: given,
  seed,
  log,
  now = Date.now,
}: SimulatorOptions & { seed: number; log: (error: unknown) => void }) {
  const journal = openJournal(dataDir)
  const schedule = openSchedule({ now, onError: log })
  const ground = { journal, schedule, now, chance: openChance(seed), delays: delaysOf(given) }
  const knobs = openKnobs()
  const phones = openPhones({ now, messages: journal.map('messages') })
  const books = openBooks(journal)
  const portal = openPortal(journal)
  const orders: Orders = openOrders({
    ...{ ...ground, knobs, books, phones, protocols },
    portal: portal.of,
    callbacks: () => callbacks,
  })
  const callbacks: Callbacks = openCallbacks({ ...ground, knobs, onTold: orders.noteTold })
  const forge = (order: Order) => {
    for (const parcel of protocols[order.provider].forged(order, portal.of(order.provider)))
      callbacks.send(orders.keyOf(order), { parcel, fate: 'forged', at: now() })
  }
  const cards = openCards({ ...ground, orders, forge })
  return { ...ground, knobs, phones, books, portal, orders, callbacks, cards } satisfies Parts
}

function openKnobs(): Parts['knobs'] {
  let present = calm()
  return (changes) => {
    if (changes !== undefined) present = turn(present, changes)
    return present
  }
}

function routesOf(parts: Parts, url: string): Route[] {
  const { knobs, books, cards, orders, phones, delays } = parts
  return [
    ...darajaRoutes({ ...parts, answerMs: delays.answer }),
    ...mtnRoutes(parts),
    ...airtelRoutes(parts),
    ...paystackRoutes({ ...parts, baseUrl: url }),
    ...controlRoutes(parts),
    ...pageRoutes({
      phones,
      network: networkView({ orders, cards }),
      knobs: { get: knobs, turn: knobs },
      balances: () => balancesOf(books),
    }),
  ]
}

const prefixes: Record<string, ProviderId> = {
  daraja: 'mpesa',
  mtn: 'mtn',
  airtel: 'airtel',
  paystack: 'paystack',
}

/** Outages, delays and lost answers, for the providers' own addresses. People's pages are spared. */
function misbehave({ knobs, chance, schedule }: Pick<Parts, 'knobs' | 'chance' | 'schedule'>): Around {
  return async ({ path }, next) => {
    const provider = prefixes[path.split('/')[1] ?? '']
    if (provider === undefined || path.startsWith('/paystack/pay/')) return next()
    const { outages, answer_delay_ms: delayMs, unanswered } = knobs()
    if (outages[provider] === 'cut') return 'cut'
    if (outages[provider] === 'unavailable') return unavailable
    const isCut = chance.happens(unanswered)
    const answer = await next()
    if (delayMs > 0) await schedule.during(sleep(delayMs))
    return isCut ? 'cut' : answer
  }
}

const unavailable: Answer = text(503, 'Service Unavailable')
