// The SDK against the service itself: a shop takes a payment and hears of it, a person sends money, a page keeps its
// session in a cookie; and a request whose answer got lost happens once.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Delivery } from '../../../server/src/notifications/notifications.ts'
import { newBusiness, type TestBusiness } from '../../../server/test/businesses.ts'
import { reconcile, testApp } from '../../../server/test/helpers.ts'
import { deliveryOf, eventually } from '../../../server/test/notifications.ts'
import { fund, register, type TestPerson, testPassword } from '../../../server/test/people.ts'
import { createBrowserClient } from '../src/browser.ts'
import { openVisit } from '../src/cli/checkout.ts'
import { mfukoExpress } from '../src/express.ts'
import {
  createMerchantClient,
  createPlatformClient,
  createReceiver,
  each,
  type MerchantClient,
  MfukoError,
  type Notification,
} from '../src/mfuko.ts'

const server = await testApp()
const { clock } = server
const baseUrl = await server.listen()
let business: TestBusiness
let shop: MerchantClient
before(async () => {
  business = await newBusiness(server)
  shop = createMerchantClient({ baseUrl, apiKey: business.testKey, merchantId: business.id })
})

async function failure(call: Promise<unknown>): Promise<MfukoError> {
  const error = await call.then(
    () => assert.fail('it succeeded'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof MfukoError, String(error))
  return error
}

/** Does the request, and loses the answer as often as it is told to. */
const losing = (times: number): typeof fetch => {
  let left = times
  return async (input, init) => {
    const reply = await fetch(input, init)
    if (left <= 0) return reply
    left -= 1
    await reply.text()
    throw new TypeError('the connection broke')
  }
}

describe('a shop', () => {
  const got: Notification[] = []
  let receiverUrl = ''
  let delivery: Delivery
  let receiver: Server
  before(async () => {
    const clientSecret = business.testSecret
    const now = () => Math.floor(clock.now().getTime() / 1_000)
    const receive = mfukoExpress(createReceiver({ clientSecret, now }), (one) => void got.push(one))
    receiver = createServer((request, response) => void receive(request, response))
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    delivery = deliveryOf(server)
  })
  after(async () => {
    await delivery.stop()
    receiver.closeAllConnections()
    receiver.close()
  })

  test('takes a payment by the gateway, and hears of it', async () => {
    const order = { payment_amount: '56000', currency_code: 'UGX', ref_trx: 'ORDER-1' } as const
    const { payment_url: url, info } = await shop.initiatePayment({ ...order, ipn_url: `${receiverUrl}/ipn` })
    assert.deepEqual([info.ref_trx, info.amount, info.merchant_id], ['ORDER-1', 56_000, business.id])
    assert.equal((await shop.verifyPayment('ORDER-1')).status, 'pending')
    await openVisit(baseUrl, url).pay()
    const verified = await shop.verifyPayment('ORDER-1')
    assert.deepEqual([verified.status, verified.amount, verified.mode], ['completed', 56_000, 'test'])
    await eventually(() => {
      delivery.wake()
      assert.equal(got.length, 1)
    })
    const [told] = got
    assert.ok(told?.kind === 'gateway')
    assert.deepEqual(
      [told.event, told.data.ref_trx, told.data.amount],
      ['payment.completed', 'ORDER-1', 56_000],
    )
  })

  test('asks by pay, refunds in part and whole, and sees all of it', async () => {
    const { reference, payment_url: url } = await shop.pay({ amount: 1_250.5, currency: 'KES' })
    await openVisit(baseUrl, url).pay()
    assert.equal((await shop.payment(reference)).status, 'completed')
    const part = await shop.payments.refund(reference, { amount: '250.50', reason: 'One bag was torn' })
    assert.deepEqual([part.status, part.refunded_amount], ['completed', 250.5])
    // The fee is not given back: it comes out of what else the shop has.
    const other = await shop.pay({ amount: 100, currency: 'KES' })
    await openVisit(baseUrl, other.payment_url).pay()
    const whole = await shop.payments.refund(reference)
    assert.deepEqual([whole.status, whole.refunded_amount], ['refunded', 1_250.5])
    assert.equal((await shop.payments.get(reference)).refunds.length, 2)
    const { data } = await shop.events({ limit: 100 })
    assert.ok(data.every(({ headers }) => headers['webhook-signature'] !== undefined))
  })

  test('a payment and a refund whose answers got lost happen once', async () => {
    const unlucky = createMerchantClient({ baseUrl, apiKey: business.testKey, fetch: losing(2) })
    const { reference, payment_url: url } = await unlucky.pay({ amount: 7_777, currency: 'UGX' })
    const { items } = await shop.payments.list({ limit: 100 })
    assert.equal(items.filter(({ amount }) => amount === 7_777).length, 1)
    await openVisit(baseUrl, url).pay()
    const losesOne = createMerchantClient({ baseUrl, apiKey: business.testKey, fetch: losing(1) })
    const refunded = await losesOne.payments.refund(reference, { amount: 700 })
    assert.equal(refunded.refunded_amount, 700)
  })

  test('lists page by page', async () => {
    const references: string[] = []
    for await (const payment of each((cursor) => shop.payments.list({ limit: 1, ...(cursor && { cursor }) })))
      references.push(payment.reference)
    assert.ok(references.length >= 3)
    assert.equal(new Set(references).size, references.length)
  })

  test('errors say what and why', async () => {
    const wrong = await failure(shop.pay({ amount: 0, currency: 'UGX' }))
    assert.deepEqual(
      [wrong.code, wrong.status, Object.keys(wrong.errors)],
      ['validation_failed', 422, ['amount']],
    )
    assert.match(wrong.requestId ?? '', /^req_/)
    assert.equal((await failure(shop.payment('PY-00000-00000-000'))).code, 'not_found')
    const stranger = createMerchantClient({ baseUrl, apiKey: 'svc_test_nobody' })
    assert.equal((await failure(stranger.profile())).code, 'unauthenticated')
    await shop.pay({ amount: 100, currency: 'UGX' }, { idempotencyKey: 'same' })
    const conflict = await failure(shop.pay({ amount: 200, currency: 'UGX' }, { idempotencyKey: 'same' }))
    assert.deepEqual([conflict.code, conflict.idempotencyKey], ['idempotency_conflict', 'same'])
  })
})

describe('a person, in a program', () => {
  let amina: TestPerson
  let juma: TestPerson
  before(async () => {
    amina = await register(server)
    juma = await register(server)
    await fund(server, amina, { amount: '50000' })
  })

  test('logs in, looks, sends', async () => {
    const tokens: (string | undefined)[] = []
    const client = createPlatformClient({ baseUrl, onToken: (token) => tokens.push(token) })
    assert.equal(client.isSignedIn(), false)
    const user = await client.login({ handle: amina.handle, password: testPassword })
    assert.equal(user.handle, amina.handle)
    const preview = await client.transfers.preview({
      recipient: juma.handle,
      amount: 10_000,
      currency: 'UGX',
    })
    assert.deepEqual([preview.fee, preview.recipient_gets], [100, 9_900])
    const order = { recipient: juma.handle, amount: '10000', currency: 'UGX', pin: amina.pin } as const
    const sent = await client.transfers.send(order, { idempotencyKey: 'form-1' })
    assert.deepEqual(await client.transfers.send(order, { idempotencyKey: 'form-1' }), sent)
    const [wallet] = await client.wallets.list()
    assert.equal(wallet?.balance, 40_000)
    const { items } = await client.transactions.list({ type: 'transfer' })
    assert.deepEqual(
      items.map(({ reference }) => reference),
      [sent.reference],
    )
    assert.match(await client.transactions.csv(), /reference/)
    const wrong = await failure(client.transfers.send({ ...order, pin: '0000' }))
    assert.deepEqual([wrong.code, wrong.status, wrong.attemptsLeft], ['pin_incorrect', 403, 4])
    await client.logout()
    assert.deepEqual([client.isSignedIn(), tokens.length, tokens[1]], [false, 2, undefined])
    assert.equal((await failure(client.account.me())).code, 'unauthenticated')
  })

  test('saves with others and gives to a campaign', async () => {
    const client = createPlatformClient({ baseUrl, token: amina.token })
    const goal = { name: 'A roof', currency: 'UGX', kind: 'goal', goal_amount: 900_000 } as const
    const group = await client.groups.create({ ...goal, visibility: 'private' })
    await client.groups.contribute(group.id, { amount: 2_000, pin: amina.pin })
    assert.equal((await client.groups.get(group.id)).balance, 2_000)
    const story =
      'The old one leaks, and the rains come in April. Every shilling goes into iron sheets and nails.'
    const campaign = await client.campaigns.create({
      title: 'A roof for the school',
      story,
      currency: 'UGX',
      goal_amount: 500_000,
    })
    const giver = createPlatformClient({ baseUrl, token: juma.token })
    await fund(server, juma, { amount: '5000' })
    await giver.campaigns.contribute(campaign.id, { amount: 1_500, pin: juma.pin })
    assert.equal((await giver.campaigns.get(campaign.id)).raised_amount, 1_500)
  })

  test('the token is exchanged when it was refused, once for all who wait', async () => {
    const tokens: (string | undefined)[] = []
    const { data } = (
      await amina.call('POST', '/api/auth/login', { handle: amina.handle, password: testPassword })
    ).body
    const client = createPlatformClient({
      baseUrl,
      token: data.token,
      onToken: (token) => tokens.push(token),
    })
    clock.advance(25 * 3_600)
    const answers = await Promise.all([client.account.me(), client.wallets.list(), client.account.me()])
    assert.equal(answers[0].handle, amina.handle)
    assert.equal(tokens.length, 1)
  })

  /** A client whose session somebody else has ended, and how often it was told. */
  async function openEnded() {
    const told: string[] = []
    const client = createPlatformClient({ baseUrl, onSignedOut: () => told.push('signed out') })
    await client.login({ handle: juma.handle, password: testPassword })
    const other = createPlatformClient({ baseUrl })
    await other.login({ handle: juma.handle, password: testPassword })
    const { items } = await other.account.sessions()
    for (const { id, current } of items) if (!current) await other.account.endSession(id)
    return { client, told }
  }

  test('a session that was ended elsewhere is told once', async () => {
    const { client, told } = await openEnded()
    const calls = [client.account.me(), client.wallets.list(), client.account.me()]
    for (const { code } of await Promise.all(calls.map(failure))) assert.equal(code, 'unauthenticated')
    assert.deepEqual([told, client.isSignedIn()], [['signed out'], false])
  })

  test('and so it is when the token was to be exchanged in time', async (t) => {
    const { client, told } = await openEnded()
    clock.advance(25 * 3_600)
    const later = Date.now() + 25 * 3_600_000
    t.mock.method(Date, 'now', () => later)
    const calls = [client.account.me(), client.wallets.list()]
    for (const { code } of await Promise.all(calls.map(failure))) assert.equal(code, 'unauthenticated')
    assert.equal((await failure(client.account.me())).code, 'unauthenticated')
    assert.deepEqual([told, client.isSignedIn()], [['signed out'], false])
  })

  test('who was never here has not been signed out', async () => {
    let told = 0
    const page = createBrowserClient({ baseUrl, onSignedOut: () => (told += 1) })
    assert.equal(await page.resume().catch(() => undefined), undefined)
    assert.equal((await failure(page.account.me())).code, 'unauthenticated')
    assert.equal(told, 0)
  })
})

describe('a page', () => {
  /** A browser, as far as requests go: it keeps cookies and says where its pages are from. */
  const openBrowser = (origin = baseUrl) => {
    const cookies = new Map<string, string>()
    const seen: string[] = []
    const browse: typeof fetch = async (input, init) => {
      seen.push(String(input).slice(baseUrl.length))
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const reply = await fetch(input, { ...init, headers: { ...init?.headers, origin, cookie } })
      for (const text of reply.headers.getSetCookie()) {
        assert.match(text, /; HttpOnly; SameSite=Strict/)
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return reply
    }
    return { cookies, seen, browse }
  }

  test('goes on after a reload, and is gone after the log-out', async () => {
    const person = await register(server)
    const { browse, cookies } = openBrowser()
    const page = createBrowserClient({ baseUrl, fetch: browse })
    assert.equal(await page.resume(), undefined)
    await page.login({ handle: person.handle, password: testPassword })
    assert.deepEqual([...cookies.keys()], ['session'])
    const reloaded = createBrowserClient({ baseUrl, fetch: browse })
    assert.equal((await reloaded.resume())?.handle, person.handle)
    // The other tab has lost nothing.
    assert.equal((await page.account.me()).handle, person.handle)
    await reloaded.logout()
    assert.equal(cookies.size, 0)
    assert.equal(await createBrowserClient({ baseUrl, fetch: browse }).resume(), undefined)
    assert.equal((await failure(page.account.me())).code, 'unauthenticated')
  })

  test('somebody else logs in in another tab: this one ends, and does nothing in their name', async () => {
    const [first, second] = [await register(server), await register(server)]
    const { browse } = openBrowser()
    let told = 0
    const left = createBrowserClient({ baseUrl, fetch: browse, onSignedOut: () => (told += 1) })
    await left.login({ handle: first.handle, password: testPassword })
    const other = createBrowserClient({ baseUrl, fetch: browse })
    await other.resume()
    await other.logout()
    await other.login({ handle: second.handle, password: testPassword })
    const asked = left.funding.deposit({
      amount: 5_000,
      currency: 'UGX',
      method: 'mtn',
      phone: '+256772345567',
    })
    assert.equal((await failure(asked)).code, 'unauthenticated')
    assert.deepEqual([told, left.isSignedIn()], [1, false])
    assert.equal((await other.account.me()).handle, second.handle)
    assert.deepEqual((await other.transactions.list()).items, [], 'no deposit was made for them')
  })

  test('two tabs over a night: each goes on when it is used', async () => {
    const { browse, seen } = openBrowser()
    const one = createBrowserClient({ baseUrl, fetch: browse })
    const user = await one.register({ name: 'Zuri', email: 'zuri@example.com', password: testPassword })
    const two = createBrowserClient({ baseUrl, fetch: browse })
    await two.resume()
    clock.advance(13 * 3_600)
    await createBrowserClient({ baseUrl, fetch: browse }).resume()
    seen.length = 0
    assert.equal((await one.account.me()).id, user.id)
    assert.equal((await two.account.me()).id, user.id)
    assert.deepEqual(seen, [
      ...['/api/me', '/api/auth/refresh', '/api/me'],
      ...['/api/me', '/api/auth/refresh', '/api/me'],
    ])
    seen.length = 0
    await one.wallets.list()
    await two.wallets.list()
    assert.deepEqual(seen, ['/api/wallets', '/api/wallets'], 'neither has taken the token from the other')
  })

  test('an answer to a refresh that got lost does not end the session', async () => {
    const person = await register(server)
    const { browse } = openBrowser()
    await createBrowserClient({ baseUrl, fetch: browse }).login({
      handle: person.handle,
      password: testPassword,
    })
    clock.advance(13 * 3_600)
    let lost = 0
    const page = createBrowserClient({
      baseUrl,
      fetch: async (input, init) => {
        if (lost > 0) return browse(input, init)
        lost += 1
        // The service has exchanged the token; the browser has not heard of it.
        await openForget(browse, input, init)
        throw new TypeError('the connection broke')
      },
    })
    assert.equal((await page.resume())?.handle, person.handle)
  })

  const openForget = (
    browse: typeof fetch,
    input: Parameters<typeof fetch>[0],
    init: RequestInit | undefined,
  ) => browse(input, init).then((reply) => reply.text())

  test('of another site gets nothing', async () => {
    const person = await register(server)
    const { browse } = openBrowser('https://evil.example')
    const page = createBrowserClient({ baseUrl, fetch: browse })
    const login = await failure(page.login({ handle: person.handle, password: testPassword }))
    assert.equal(login.code, 'forbidden')
  })

  test('asks where it came from', () => {
    assert.throws(() => createBrowserClient(), /baseUrl is missing/)
  })
})

test('the books are right', async () => {
  await reconcile(server)
})
