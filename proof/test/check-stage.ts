// A small day of the real service, for the tests of the checker: people send, save, give, deposit, withdraw and pay; shops
// ask, are told and give back; some of it is refused, some of it never answered. All of it journaled as a proof would.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import * as audit from '../../server/src/audit/audit.ts'
import * as notifications from '../../server/src/notifications/notifications.ts'
import { newBusiness, type TestBusiness } from '../../server/test/businesses.ts'
import { newCampaign } from '../../server/test/campaigns.ts'
import { payInCheckout, testBrowser } from '../../server/test/checkouts.ts'
import { goal } from '../../server/test/circles.ts'
import { testSecrets } from '../../server/test/helpers.ts'
import { type Received, startReceiver } from '../../server/test/notifications.ts'
import { patientDelays, quiet } from '../../server/test/open-orders.ts'
import { call, fund, type Reply, register, type TestPerson } from '../../server/test/people.ts'
import { type SimulatedApp, simulatedApp } from '../../server/test/simulated-app.ts'
import type { CheckOptions } from '../check/check.ts'
import type { JournalEntry, ReceiverEntry, Sent } from '../check/journal.ts'

export interface Stage {
  adminUrl: string
  options: CheckOptions & { journal: JournalEntry[]; receivers: ReceiverEntry[] }
  /** By their handles. */
  people: Record<'amina' | 'baraka' | 'chausiku', TestPerson>
}

type Doing = Omit<Sent, 'n' | 'at' | 'phase'>

interface Journal {
  entries: JournalEntry[]
  /** Writes before and after. */
  act(doing: Doing, ask: () => Promise<Reply>, outcome?: 'done'): Promise<Reply>
  /** It is done, and the answer gets lost. */
  lose(doing: Doing, ask: () => Promise<Reply>): Promise<void>
}

function openJournal({ clock }: Pick<SimulatedApp, 'clock'>): Journal {
  const entries: JournalEntry[] = []
  let n = 0
  const begin = (doing: Doing) => {
    n += 1
    entries.push({ n, at: clock.now().getTime(), phase: 'sent', ...doing })
    return n
  }
  return {
    entries,
    act: async (doing, ask, outcome) => {
      const number = begin(doing)
      const { status, text, headers } = await ask()
      const replayed = headers['idempotency-replayed'] === 'true' ? { replayed: true } : {}
      const more = { ...replayed, ...(outcome === undefined ? {} : { outcome }) }
      entries.push({ n: number, at: clock.now().getTime(), phase: 'answered', status, body: text, ...more })
      return { status, text, headers, body: undefined }
    },
    lose: async (doing, ask) => {
      begin(doing)
      await ask()
    },
  }
}

const keyed = (key: string | undefined) => (key === undefined ? {} : { 'idempotency-key': key })

interface Posting {
  act: string
  route: string
  path?: string
  body: Record<string, unknown>
  key?: string
  lost?: boolean
}

/** As a person, with the PIN. */
async function post(journal: Journal, person: TestPerson, posting: Posting): Promise<Reply | undefined> {
  const { act, route, path, body, key, lost = false } = posting
  const doing: Doing = {
    act,
    route: `POST ${route}`,
    who: person.id,
    body,
    ...(path === undefined ? {} : { path }),
    ...(key === undefined ? {} : { key }),
  }
  const ask = () => person.call('POST', path ?? route, { pin: person.pin, ...body }, keyed(key))
  if (lost) await journal.lose(doing, ask)
  return lost ? undefined : journal.act(doing, ask)
}

export async function openStage(): Promise<Stage> {
  const server = await simulatedApp({ delays: patientDelays })
  const journal = openJournal(server)
  const [amina, baraka, chausiku] = await Promise.all([
    register(server, { handle: 'amina' }),
    register(server, { handle: 'baraka' }),
    register(server, { handle: 'chausiku' }),
  ])
  for (const person of [amina, baraka]) {
    await fund(server, person, { amount: '900000' })
    await fund(server, person, { amount: '500', currency: 'USD' })
  }
  // What happened so far was yesterday, so that one day of the audit log is over.
  const yesterday = new Date(server.clock.now().getTime() - 86_400_000)
  await audit.seal(server.db, { secret: testSecrets.audit, clock: { now: () => yesterday } })
  const people = { amina, baraka, chausiku }
  await sendMoney(journal, people)
  await guess(server, journal, people)
  await saveAndGive(journal, people)
  await fundWallets(server, journal, people)
  const { receivers, business } = await sell(server, journal, people)
  await audit.seal(server.db, { secret: testSecrets.audit, clock: server.clock })
  return {
    adminUrl: server.adminUrl,
    people,
    options: {
      secrets: {
        idem: testSecrets.idem.reveal().toString('base64'),
        audit: testSecrets.audit.reveal().toString('base64'),
      },
      journal: journal.entries,
      receivers,
      clientSecrets: [
        { merchant: business.id, mode: 'live', secret: business.liveSecret },
        { merchant: business.id, mode: 'test', secret: business.testSecret },
      ],
      now: server.clock.now(),
    },
  }
}

async function sendMoney(journal: Journal, { amina, baraka, chausiku }: Stage['people']): Promise<void> {
  const send = (from: TestPerson, body: Record<string, unknown>, key?: string, lost = false) =>
    post(journal, from, {
      act: 'send',
      route: '/api/send',
      body,
      lost,
      ...(key === undefined ? {} : { key }),
    })
  const first = await send(
    amina,
    { recipient: '@baraka', amount: 30_000, currency: 'UGX', note: 'Rent' },
    's1',
  )
  const again = await send(
    amina,
    { recipient: '@baraka', amount: 30_000, currency: 'UGX', note: 'Rent' },
    's1',
  )
  assert.equal(first?.text, again?.text)
  await send(baraka, { recipient: 'chausiku', amount: 12.5, currency: 'USD' }, 's2')
  await send(baraka, { recipient: 'chausiku', amount: 700, currency: 'UGX' })
  // Its answer is lost, and it is asked for again until there is one.
  await send(amina, { recipient: 'chausiku', amount: 4_000, currency: 'UGX' }, 's3', true)
  await send(amina, { recipient: 'chausiku', amount: 4_000, currency: 'UGX' }, 's3')
  // Its answer is lost, and nobody ever asks again.
  await send(baraka, { recipient: 'amina', amount: 900, currency: 'UGX' }, 's4', true)
  const refused = await send(chausiku, { recipient: 'amina', amount: 800_000, currency: 'UGX' }, 's5')
  assert.equal(refused?.status, 422)
}

async function guess(server: SimulatedApp, journal: Journal, { baraka }: Stage['people']): Promise<void> {
  const body = { recipient: 'amina', amount: 600, currency: 'UGX', pin: '9135' }
  const refused = await post(journal, baraka, { act: 'send', route: '/api/send', body })
  assert.equal(refused?.status, 403, refused?.text)
  for (const handle of ['baraka', 'nobody_at_all'])
    await journal.act({ act: 'login', route: 'POST /api/auth/login', who: handle }, () =>
      call(server, {
        method: 'POST',
        url: '/api/auth/login',
        body: { handle, password: 'not this one at all' },
      }),
    )
}

async function saveAndGive(journal: Journal, { amina, baraka }: Stage['people']): Promise<void> {
  const made = await amina.call('POST', '/api/groups', goal)
  const { id: group, invite_code: code } = made.body.data
  const joined = await baraka.call('POST', `/api/groups/${group}/join`, { invite_code: code })
  assert.equal(joined.status, 200, joined.text)
  const campaign = await newCampaign(baraka)
  const give = (person: TestPerson, to: 'groups' | 'campaigns', id: string, amount: number, key: string) =>
    post(journal, person, {
      act: 'contribute',
      route: `/api/${to}/:id/contribute`,
      path: `/api/${to}/${id}/contribute`,
      body: { amount },
      key,
    })
  const gifts = [
    await give(amina, 'groups', group, 5_000, 'g1'),
    await give(baraka, 'groups', group, 6_000, 'g2'),
    await give(amina, 'campaigns', campaign.id, 7_000, 'c1'),
  ]
  for (const gift of gifts) assert.equal(gift?.status, 200, gift?.text)
  const taken = await baraka.call('POST', `/api/campaigns/${campaign.id}/withdraw`, {
    amount: 2_000,
    pin: baraka.pin,
  })
  assert.equal(taken.status, 200, taken.text)
}

async function fundWallets(
  server: SimulatedApp,
  journal: Journal,
  { amina, baraka }: Stage['people'],
): Promise<void> {
  const order = (person: TestPerson, act: 'deposit' | 'withdraw', digits: string, key: string) =>
    post(journal, person, {
      act,
      route: act === 'deposit' ? '/api/deposit/initiate' : '/api/withdraw',
      body: { amount: 10_000, currency: 'UGX', method: 'mtn', phone: `+256772345${digits}` },
      key,
    })
  const orders = [
    await order(amina, 'deposit', '567', 'd1'),
    await order(baraka, 'withdraw', '567', 'w1'),
    // Refused by the network; and one that waits for somebody at the phone.
    await order(amina, 'withdraw', '089', 'w2'),
    await order(baraka, 'withdraw', '999', 'w3'),
  ]
  for (const reply of orders) assert.equal(reply?.status, 200, reply?.text)
  await quiet(server)
}

async function sell(
  server: SimulatedApp,
  journal: Journal,
  { amina, baraka }: Stage['people'],
): Promise<{ receivers: ReceiverEntry[]; business: TestBusiness }> {
  const receiver = await startReceiver()
  const business = await newBusiness(server)
  const till = { server, journal, business, receiverUrl: receiver.url }
  await pay(till, amina, await initiate(till, 'ORDER-1', 20_000))
  const cancelled = await initiate(till, 'ORDER-2', 3_000)
  const visitor = testBrowser(server)
  await visitor.submit(await visitor.get(`${cancelled.path}&step=cancel`), 'cancel')
  const asked = await ask(till, { mode: 'live', amount: 8_000, key: 'p1' })
  await pay(till, baraka, asked)
  await refund(till, asked, { body: { amount: 3_000 }, key: 'r1' })
  await refund(till, asked, { body: {}, key: 'r2' })
  await ask(till, { mode: 'live', amount: 1_500, key: 'p2' })
  const sandbox = { id: '-', handle: 'test_customer', password: 'mfuko-sandbox', pin: '4821' }
  await pay(till, sandbox, await ask(till, { mode: 'test', amount: 2_500, key: 'p3' }))
  const settled = await post(journal, business.owner, {
    act: 'settle',
    route: '/api/merchant/payout',
    body: { amount: 1_000, currency: 'UGX' },
    key: 'm1',
  })
  assert.equal(settled?.status, 200, settled?.text)
  return { receivers: await deliver(server, receiver.got), business }
}

interface Till {
  server: SimulatedApp
  journal: Journal
  business: TestBusiness
  receiverUrl: string
}

interface Asked {
  /** Of the checkout. */
  path: string
  reference: string
}

const whoIs = ({ business }: Till): string => `merchant:${business.id}`

const pathOf = (address: string): string => {
  const url = new URL(address)
  return url.pathname + url.search
}

async function initiate(till: Till, reference: string, amount: number): Promise<Asked> {
  const { server, journal, business, receiverUrl } = till
  const body = { payment_amount: amount, currency_code: 'UGX', ref_trx: reference, ipn_url: receiverUrl }
  const headers = { 'svc-merchant-key': String(business.id), 'svc-api-key': business.liveKey }
  const url = '/api/v1/initiate-payment'
  const doing: Doing = { act: 'initiate', route: `POST ${url}`, who: whoIs(till), mode: 'live', body }
  const reply = await journal.act(doing, () => call(server, { method: 'POST', url, body, headers }))
  const looked = await call(server, { method: 'GET', url: `/api/v1/verify-payment/${reference}`, headers })
  return { path: pathOf(JSON.parse(reply.text).payment_url), reference: looked.body.reference }
}

async function ask(
  till: Till,
  { mode, amount, key }: { mode: 'live' | 'test'; amount: number; key: string },
): Promise<Asked> {
  const { business, journal, receiverUrl } = till
  const body = { amount, currency: 'UGX', ...(mode === 'live' ? { callback_url: receiverUrl } : {}) }
  const calls = mode === 'live' ? business.callLive : business.callTest
  const doing: Doing = { act: 'ask', route: 'POST /api/pay', who: whoIs(till), mode, key, body }
  const reply = await journal.act(doing, () => calls('POST', '/api/pay', body, keyed(key)))
  const { payment_url: address, reference } = JSON.parse(reply.text).data
  return { path: pathOf(address), reference }
}

type Payer = Pick<TestPerson, 'id' | 'handle' | 'password' | 'pin'>

async function pay({ server, journal }: Till, person: Payer, payment: Asked): Promise<void> {
  const body = { payment: payment.reference }
  const visit = async () => {
    const { status, html } = await payInCheckout(testBrowser(server), payment, person)
    assert.match(html, /Paid/)
    return { status, text: html, body: undefined, headers: {} }
  }
  const doing: Doing = { act: 'pay', route: 'POST /checkout/pay', who: person.id, body }
  const page = visit()
  // In two tabs: both are told that it is paid.
  const tab = () => journal.act(doing, () => page, 'done')
  await tab()
  await tab()
}

async function refund(
  till: Till,
  { reference }: Asked,
  { body, key }: { body: object; key: string },
): Promise<void> {
  const path = `/api/merchant/payments/${reference}/refund`
  const route = 'POST /api/merchant/payments/:reference/refund'
  const doing: Doing = { act: 'refund', route, path, who: whoIs(till), mode: 'live', key, body }
  const reply = await till.journal.act(doing, () => till.business.callLive('POST', path, body, keyed(key)))
  assert.equal(reply.status, 200, reply.text)
}

const patienceMs = 60_000

async function deliver(server: SimulatedApp, got: Received[]): Promise<ReceiverEntry[]> {
  const { dependencies, url } = server
  const delivery = notifications.startDelivery({
    ...dependencies,
    url,
    keysOf: dependencies.merchants.keysOf,
    onTrouble: dependencies.merchants.tellTrouble,
  })
  // What a busy machine was too slow for is tried again, for which time must pass.
  const time = setInterval(() => server.clock.advance(1), 1_000).unref()
  const until = performance.now() + patienceMs
  for (;;) {
    const [left] = await server.db.rows<{ count: bigint }>(
      'select count(*) as count from notifications.queue',
    )
    if (left?.count === 0n) break
    assert.ok(performance.now() < until, `${left?.count} notifications are not delivered`)
    await sleep(20)
  }
  clearInterval(time)
  await delivery.stop()
  return got.map(({ headers, body, atMs }) => ({
    at: atMs,
    url: String(headers.host),
    headers,
    body: Buffer.from(body).toString('base64'),
    status: 200,
  }))
}
