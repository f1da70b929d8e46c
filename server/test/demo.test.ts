// What a newcomer finds after `npm start`: people to log in as, with money, a shop to buy in, and virtual phones to pay
// with; and that the shop and the phones end with the service, however that ends.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { reconcile, testDatabase } from './helpers.ts'
import { longTest } from './thorough.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const database = await testDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'mfuko-demo-'))
const children = new Set<ChildProcess>()
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

async function start() {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const env = {
    ...inherited,
    NODE_ENV: 'development',
    PORT: '0',
    METRICS_PORT: '0',
    SHOP_PORT: '0',
    SIMULATOR_PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
  }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  children.add(child)
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [ready] = (await once(child, 'message')) as [{ urls: { site: string } }]
  const shop = /Checkout demo +(\S+)/.exec(said)?.[1]
  const phones = /Virtual phones +(\S+)/.exec(said)?.[1]
  assert.ok(shop && phones, said)
  return { child, site: ready.urls.site, shop, phones, said: () => said }
}

async function reachable(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await condition()) return
    await sleep(100)
  }
  assert.fail(what)
}

/** What ends by itself, in a moment. A part that has to be killed takes the 22 seconds of `finishMs`. */
const endMsMax = 15_000

test('demo people can log in, have money, the shop is open, and money comes in by phone', async () => {
  const { child, site, shop, phones, said } = await start()
  assert.match(said(), /Demo logins +amina, juma, operator +password karibu-mfuko, PIN 4827/)
  const login = await fetch(`${site}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ handle: 'juma', password: 'karibu-mfuko' }),
  })
  const { data } = (await login.json()) as { data: { token: string } }
  const wallets = await fetch(`${site}/api/wallets`, { headers: { authorization: `Bearer ${data.token}` } })
  const { data: list } = (await wallets.json()) as { data: { currency: string; balance: number }[] }
  assert.ok(list.some(({ currency, balance }) => currency === 'KES' && balance === 48_500))
  const demo = await fetch(`${site}/demo`, { redirect: 'manual' })
  assert.equal(demo.headers.get('location'), shop)
  await until(() => reachable(shop), 'the shop opens')
  const headers = { authorization: `Bearer ${data.token}`, 'content-type': 'application/json' }
  const deposit = await fetch(`${site}/api/deposit/initiate`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ amount: 1_500, currency: 'KES', method: 'mpesa', phone: '+254700000001' }),
  })
  assert.equal(deposit.status, 200)
  await until(async () => {
    const reply = (await (await fetch(`${site}/api/wallets`, { headers })).json()) as { data: typeof list }
    return reply.data.some(({ currency, balance }) => currency === 'KES' && balance === 50_000)
  }, 'the deposit arrives')
  assert.match(await (await fetch(`${phones}/phones/254700000001`)).text(), /You have paid KES 1,500.00/)
  child.kill('SIGTERM')
  const toldAt = performance.now()
  await once(child, 'exit')
  assert.ok(performance.now() - toldAt < endMsMax, 'nothing had to be waited for')
  assert.deepEqual([await reachable(shop), await reachable(phones)], [false, false])
  await reconcile(database)
})

longTest(
  'at the second start nobody is made again, and shop and phones go when the service is killed',
  async () => {
    const { child, shop, phones } = await start()
    await until(() => reachable(shop), 'the shop opens')
    const page = await (await fetch(`${phones}/phones/254700000001`)).text()
    assert.match(page, /You have paid KES 1,500.00/, 'the phones forget nothing')
    child.kill('SIGKILL')
    await once(child, 'exit')
    await until(async () => !(await reachable(shop)), 'the shop ends with the service')
    await until(async () => !(await reachable(phones)), 'the phones end with the service')
    await reconcile(database)
  },
)
