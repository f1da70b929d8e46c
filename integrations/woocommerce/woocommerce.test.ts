// The plug-in for WooCommerce: its own tests, on the sources and as it is built, and a walk through the running service with
// real HTTP on both sides: an order is begun, paid, told of, and refunded by the shop and in Mfuko.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { openVisit } from '../../sdk/js/src/cli/checkout.ts'
import { newBusiness } from '../../server/test/businesses.ts'
import { reconcile, testApp } from '../../server/test/helpers.ts'
import { deliveryOf, eventually } from '../../server/test/notifications.ts'

const root = import.meta.dirname
const php = process.env.TEST_PHP ?? ''
const skip = php === '' ? 'PHP is not on this machine' : false
const folder = mkdtempSync(join(tmpdir(), 'mfuko-woocommerce-'))
after(() => rmSync(folder, { recursive: true }))
const strict = ['-d', 'display_errors=stderr', '-d', 'error_reporting=-1', '-d', 'log_errors=0']

const run = (args: string[]) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    execFile(php, [...strict, ...args], { cwd: root }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: out + err }),
    )
  })

describe('the plug-in', { skip }, () => {
  const built = execFileSync(join(root, 'build.sh'), [folder], { encoding: 'utf8' }).trim()

  test('every file can be read by PHP', async () => {
    const files = globSync('{*.php,includes/*.php,tests/*.php}', { cwd: root })
    assert.ok(files.length > 12)
    for (const file of files) {
      const { out } = await run(['-l', file])
      assert.match(out, /^No syntax errors/)
    }
  })

  for (const [name, place] of [
    ['in the tree', root],
    ['as it is built, with the library inside', built],
  ] as const)
    test(`its own tests, ${name}`, async () => {
      const { code, out } = await run(['tests/run.php', place])
      assert.equal(code, 0, out)
      assert.match(out, /^\d\d passed, 0 failed\n$/)
    })

  test('a shop takes a payment, hears of it, and gives it back', () => walk(built))
})

test('the block shows what the shopkeeper has written, in older and newer versions of WooCommerce', () => {
  const script = readFileSync(join(root, 'assets/block.js'), 'utf8')
  const written = {
    title: 'Wallet &amp; more',
    description: 'You pay there',
    supports: ['products', 'refunds'],
  }
  for (const data of [{ paymentMethodData: { mfuko: written } }, { mfuko_data: written }]) {
    const registered: Record<string, unknown>[] = []
    const settings = new Map<string, unknown>(Object.entries(data))
    const window = {
      wc: {
        wcBlocksRegistry: {
          registerPaymentMethod: (method: Record<string, unknown>) => registered.push(method),
        },
        wcSettings: { getSetting: (name: string, without: unknown) => settings.get(name) ?? without },
      },
      wp: {
        element: { createElement: (_tag: string, _props: null, text: string) => text },
        htmlEntities: { decodeEntities: (text: string) => text.replaceAll('&amp;', '&') },
      },
    }
    runInNewContext(script, { window })
    const [method] = registered
    assert.deepEqual(
      [method?.name, method?.label, method?.content, JSON.stringify(method?.supports)],
      ['mfuko', 'Wallet & more', 'You pay there', '{"features":["products","refunds"]}'],
    )
  }
})

async function walk(plugin: string): Promise<void> {
  const server = await testApp()
  // The shop has a clock of its own.
  server.clock.set(new Date().toISOString())
  const baseUrl = await server.listen()
  const business = await newBusiness(server)
  const shopUrl = await serve({
    PLUGIN_FOLDER: plugin,
    SHOP_STATE: join(folder, 'shop'),
    MFUKO_URL: baseUrl,
    MFUKO_MERCHANT_ID: String(business.id),
    MFUKO_API_KEY: business.testKey,
    MFUKO_CLIENT_SECRET: business.testSecret,
  })
  const ask = async (path: string) => (await fetch(shopUrl + path)).json() as Promise<Record<string, unknown>>
  const delivery = deliveryOf(server)
  after(() => delivery.stop())

  const begun = await ask('/begin')
  assert.deepEqual([begun.result, begun.errors], ['success', []])
  await openVisit(baseUrl, String(begun.redirect)).pay()
  const becomes = (expected: object) =>
    eventually(async () => {
      delivery.wake()
      const { status, paid, refunds } = await ask('/order')
      assert.deepEqual({ status, paid, refunds }, expected)
    })
  await becomes({ status: 'processing', paid: 1, refunds: [] })
  const { reference } = await ask('/order')

  assert.equal(await ask('/refund?amount=250.50'), 'refunded')
  const elsewhere = await business.callTest('POST', `/api/merchant/payments/${reference}/refund`, {
    amount: '100',
  })
  assert.equal(elsewhere.status, 200, elsewhere.text)
  await becomes({ status: 'processing', paid: 1, refunds: ['100'] })
  await eventually(async () => {
    delivery.wake()
    const { body } = await business.callTest('GET', '/api/merchant/notifications')
    const told = body.data.map((one: { event: string; status: string }) => `${one.event} ${one.status}`)
    assert.deepEqual(told.sort(), [
      'payment.completed delivered',
      'payment.pending delivered',
      'payment.refunded delivered',
      'payment.refunded delivered',
    ])
  })
  const atLast = await ask('/order')
  assert.deepEqual([atLast.status, atLast.paid, atLast.refunds], ['processing', 1, ['100']])
  await reconcile(server)
}

/** PHP's own web server with the shop in it. */
async function serve(env: NodeJS.ProcessEnv): Promise<string> {
  const args = [...strict, '-S', '127.0.0.1:0', join(root, 'tests/live-shop.php')]
  const child = spawn(php, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  after(() => child.kill())
  for await (const line of createInterface({ input: child.stderr })) {
    const found = /\((http:\/\/127\.0\.0\.1:\d+)\) started/.exec(line)
    if (found === null) continue
    child.stderr.resume()
    return found[1] ?? ''
  }
  return assert.fail('the web server of PHP did not start')
}
