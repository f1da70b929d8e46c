// Payments to merchants: asked for over HTTP as shops do, paid from wallets, and told to the shops' servers. The login in
// the checkout is left out: a password hash is slow on purpose, and would be all that is measured.
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { systemClock } from '../server/src/base/clock.ts'
import { readPrices } from '../server/src/base/prices.ts'
import { loadConfig } from '../server/src/config.ts'
import { type Dependencies, openDependencies } from '../server/src/dependencies.ts'
import * as notifications from '../server/src/notifications/notifications.ts'
import type { Payment } from '../server/src/payments/payments.ts'
import { loadSecrets } from '../server/src/secrets.ts'
import { type ApiServer, startApi } from './api-server.ts'
import { count, type PaymentFigures, type Sample } from './figures.ts'
import type { Bench } from './harness.ts'
import { requestBytes, runLoad } from './http-load.ts'
import { fundingPosting, person } from './postings.ts'

interface Shop {
  id: number
  apiKey: string
}

interface Market {
  bench: Bench
  api: ApiServer
  deps: Dependencies
  databaseUrl: string
  shops: Shop[]
  receivers: Receivers
}

const origin = { address: '127.0.0.1', userAgent: 'bench', requestId: 'bench' }
const by = { kind: 'command', id: 'bench' }
const password = 'bench of many payments'
const fundedAtOnce = 100
const lanes = 64

export async function measurePayments(bench: Bench, databaseUrl: string): Promise<PaymentFigures> {
  const { plan, say, stop } = bench
  const { shops: shopsWanted } = plan.payments
  say(`Opening ${shopsWanted} shops…`)
  // The notifications are left to us, to be measured.
  const api = await startApi({ databaseUrl, stop, role: 'api' })
  const config = loadConfig({ NODE_ENV: 'development', DATABASE_URL: databaseUrl, DEMO: 'off' })
  const opened = await openDependencies({
    config,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    prices: readPrices(),
    secrets: loadSecrets(config, api.dataDir),
    baseUrl: api.url,
    databaseUrl,
  })
  const receivers = await openReceivers(plan.payments.receivers)
  try {
    const deps = opened.dependencies
    const shops: Shop[] = []
    for (let index = 0; index < shopsWanted; index++) shops.push(await openShop(deps))
    for (let from = 0; from < plan.payments.payers; from += fundedAtOnce)
      await deps.ledger.submit(fundingPosting({ from, count: fundedAtOnce }))
    return await runRounds({ bench, api, deps, databaseUrl, shops, receivers })
  } finally {
    await receivers.close()
    await opened.close()
    await api.stop()
  }
}

async function runRounds(market: Market): Promise<PaymentFigures> {
  const { plan, say } = market.bench
  const figures: PaymentFigures = { initiate: [], paySpread: [], payHot: [], deliveries: [] }
  for (let round = 1; round <= plan.rounds; round++) {
    say(`Payments, round ${round} of ${plan.rounds}`)
    figures.initiate.push(await measureInitiate(market))
    figures.paySpread.push(await measurePaying(market, 'spread'))
    figures.payHot.push(await measurePaying(market, 'hot'))
    figures.deliveries.push(await measureDeliveries(market))
  }
  return figures
}

async function openShop(deps: Dependencies): Promise<Shop> {
  const handle = `s${randomUUID().replaceAll('-', '').slice(0, 15)}`
  const given = {
    name: 'Bench Shop',
    handle,
    email: `${handle}@example.test`,
    password,
    country: 'UG',
    locale: 'en',
  } as const
  const { token, person: owner } = await deps.users.register({ given, origin })
  const caller = { ...origin, user: owner.id, session: deps.users.authenticate(token).session }
  await deps.merchants.register({
    application: { businessName: 'Bench Shop', category: 'Groceries', websiteUrl: 'http://localhost' },
    caller,
    key: undefined,
    answerOf: () => ({ status: 201, body: '' }),
  })
  const business = await deps.merchants.byOwner(owner.id)
  if (business === undefined) throw new Error('a shop was not registered')
  await deps.merchants.approve({ merchant: business.id, by, origin })
  const { live } = (await deps.merchants.look({ caller, shows: true })).credentials
  return { id: business.id, apiKey: live.apiKey ?? '' }
}

const anyOf = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T

async function measureInitiate({ bench, api, shops }: Market): Promise<Sample> {
  const { plan, server, say } = bench
  await server.checkpoint()
  const result = await runLoad({
    url: api.url,
    connections: lanes,
    warmUpMs: plan.warmUpMs,
    runMs: plan.runMs,
    next: () => {
      const shop = anyOf(shops)
      return requestBytes({
        method: 'POST',
        path: '/api/v1/initiate-payment',
        headers: { 'svc-merchant-key': String(shop.id), 'svc-api-key': shop.apiKey },
        body: {
          payment_amount: 9_500,
          currency_code: 'UGX',
          ref_trx: randomUUID(),
          description: 'Ginger tea',
        },
      })
    },
  })
  const failed = Object.keys(result.failed).length > 0
  if (failed) throw new Error(`initiate-payment: answers that were no 200: ${JSON.stringify(result.failed)}`)
  const { perSecond, meanMs, p50Ms, p99Ms } = result
  say(`  initiate-payment: ${count(perSecond)} a second, p99 ${p99Ms.toFixed(1)} ms`)
  return { perSecond, meanMs, p50Ms, p99Ms }
}

/** Asked for beforehand, then paid as fast as it goes: money, state, attempt and notification of each in one commit. */
async function measurePaying(market: Market, shape: 'spread' | 'hot'): Promise<Sample> {
  const { bench, deps, shops, receivers } = market
  const { plan, server, say } = bench
  const waiting: Payment[] = []
  await inLanes(plan.payments.paid, async () => {
    const shop = shape === 'hot' ? shops[0] : anyOf(shops)
    // One shop gets 50 notifications a second at most: those of a hot one would be all that is measured afterwards.
    const notifyUrl = shape === 'hot' ? null : anyOf(receivers.urls)
    if (shop !== undefined) waiting.push(await askFor(deps, { shop, notifyUrl }))
  })
  await server.checkpoint()
  const began = performance.now()
  let spentMs = 0
  await inLanes(plan.payments.paid, async (index) => {
    const payment = waiting[index]
    if (payment === undefined) return
    const owner = person(Math.floor(Math.random() * plan.payments.payers))
    const sentAt = performance.now()
    const outcome = await deps.payments.payFromWallet(payment, {
      account: { kind: 'user', owner },
      id: owner,
      shown: '@bench',
    })
    spentMs += performance.now() - sentAt
    if (outcome !== 'paid') throw new Error(`a payment was ${outcome}`)
  })
  const perSecond = (1_000 * plan.payments.paid) / (performance.now() - began)
  say(`  paid from wallets, ${shape}: ${count(perSecond)} a second`)
  return { perSecond, meanMs: spentMs / plan.payments.paid }
}

async function askFor(
  { payments }: Dependencies,
  { shop, notifyUrl }: { shop: Shop; notifyUrl: string | null },
): Promise<Payment> {
  const { payment } = await payments.ask({
    merchant: shop.id,
    merchantName: 'Bench Shop',
    mode: 'live',
    source: 'gateway',
    refTrx: randomUUID(),
    amount: { minor: 9_500n, currency: 'UGX' },
    description: 'Ginger tea',
    notifyUrl,
    successRedirect: null,
    failureUrl: null,
    cancelRedirect: null,
    key: undefined,
  })
  return payment
}

async function inLanes(total: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < total) await work(next++)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** Whatever the payments before have left in the outbox. */
async function measureDeliveries({ bench, deps, databaseUrl, receivers }: Market): Promise<Sample> {
  const wanted = bench.plan.payments.paid
  receivers.reset()
  const began = performance.now()
  const delivery = notifications.startDelivery({
    ...deps,
    url: databaseUrl,
    keysOf: deps.merchants.keysOf,
    onTrouble: deps.merchants.tellTrouble,
  })
  const lateMs = 300_000
  while (receivers.received() < wanted && performance.now() - began < lateMs) await sleep(20)
  const seconds = (performance.now() - began) / 1_000
  await delivery.stop()
  if (receivers.received() < wanted) throw new Error('notifications did not arrive in time')
  bench.say(`  notifications: ${count(wanted / seconds)} a second`)
  return { perSecond: wanted / seconds }
}

interface Receivers {
  urls: string[]
  received(): number
  reset(): void
  close(): Promise<void>
}

async function openReceivers(many: number): Promise<Receivers> {
  let received = 0
  const servers: Server[] = []
  const urls: string[] = []
  for (let index = 0; index < many; index++) {
    const server = createServer((request, response) => {
      request.resume().once('end', () => {
        received += 1
        response.writeHead(200).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ipn`)
    servers.push(server)
  }
  return {
    urls,
    received: () => received,
    reset: () => {
      received = 0
    },
    close: async () => {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}
