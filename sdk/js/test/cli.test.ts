// The command line against the service itself: what is triggered arrives at a program on this computer, signed, without a
// public address; live keys are refused; and what is wrong is said in one sentence with the right exit code.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newBusiness, type TestBusiness } from '../../../server/test/businesses.ts'
import { reconcile, testApp } from '../../../server/test/helpers.ts'
import { eventually } from '../../../server/test/notifications.ts'
import { runCommand, usage } from '../src/cli/commands.ts'
import { mfukoExpress } from '../src/express.ts'
import { createReceiver, type Notification } from '../src/mfuko.ts'

const server = await testApp()
const { clock } = server
const baseUrl = await server.listen()
let business: TestBusiness
const got: Notification[] = []
let receiver: Server
let receiverUrl = ''
before(async () => {
  business = await newBusiness(server)
  const now = () => Math.floor(clock.now().getTime() / 1_000)
  const receive = mfukoExpress(createReceiver({ clientSecret: business.testSecret, now }), (one) => {
    if (one.event === 'payment.failed') throw new Error('not today')
    got.push(one)
  })
  receiver = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/ipn`
})
after(() => {
  receiver.closeAllConnections()
  receiver.close()
})

function openTerminal(env: Record<string, string> = {}) {
  const out: string[] = []
  const err: string[] = []
  const stop = new AbortController()
  const terminal = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    env: { MFUKO_URL: baseUrl, MFUKO_API_KEY: business.testKey, ...env },
    stop: stop.signal,
  }
  return { terminal, out, err, stop: () => stop.abort() }
}

async function run(command: string, env: Record<string, string> = {}) {
  const { terminal, out, err } = openTerminal(env)
  const code = await runCommand(command.split(' ').filter(Boolean), terminal)
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe('trigger', () => {
  const rows: [command: string, status: string][] = [
    ['payment.pending', 'pending'],
    ['payment.completed', 'completed'],
    ['payment.failed', 'failed'],
    ['payment.refunded', 'refunded'],
    ['payment.completed --kind gateway --ref CLI-1 --amount 12.50 --currency USD', 'completed'],
    ['payment.failed --kind gateway --ref CLI-2', 'failed'],
  ]
  for (const [command, status] of rows)
    test(command, async () => {
      const { code, out, err } = await run(`trigger ${command}`)
      assert.equal(code, 0, err)
      const [event, reference = ''] = out.split(/ +/)
      assert.equal(event, command.split(' ')[0])
      const reply = await business.callTest('GET', `/api/merchant/payments/${reference}`)
      assert.equal(reply.body.data.status, status)
    })

  test('a payment that the shop has asked for', async () => {
    const order = { amount: 7_500, currency: 'UGX', reference: 'SHOP-1' }
    const { body } = await business.callTest('POST', '/api/pay', order)
    const { reference } = body.data
    assert.equal((await run(`trigger payment.completed --payment ${reference}`)).code, 0)
    const again = await run(`trigger payment.completed --payment ${reference}`)
    assert.deepEqual([again.code, again.err.includes('is completed')], [2, true])
  })
})

describe('listen', () => {
  test('forwards what happens from now on, signed, and says what became of it', async (t) => {
    const eventsAfter = async (query: string) =>
      (await business.callTest('GET', `/api/merchant/events?limit=100${query}`)).body
    const { meta } = await eventsAfter('')
    const [, earlier] = (await run('trigger payment.completed')).out.split(/ +/)
    // An event is shown when all that began before it have ended, and the service also writes by itself.
    await eventually(async () => {
      const { data } = await eventsAfter(`&after=${meta.next_after}`)
      const events: { event: string; reference: string }[] = data
      const shown = events.filter(({ reference }) => reference === earlier)
      assert.deepEqual(
        shown.map(({ event }) => event),
        ['payment.pending', 'payment.completed'],
      )
    })
    const { terminal, out, err, stop } = openTerminal()
    t.after(stop)
    const listening = runCommand(['listen', '--forward-to', receiverUrl], terminal)
    await eventually(() => assert.match(out.join('\n'), /Forwarding them/))
    await run('trigger payment.completed')
    await run('trigger payment.failed --kind gateway')
    // A line before it may say that the service was too busy for a moment.
    const refused = /payment\.failed .* → 500 in \d+ ms: .*send it again/
    await eventually(() => assert.match(err.join('\n'), refused), 30_000)
    const events = got.map(({ event }) => event)
    assert.deepEqual(events.slice(-2), ['payment.pending', 'payment.completed'])
    assert.match(out.join('\n'), /payment\.completed +PY-\S+ +→ 200 in \d+ ms/)
    stop()
    assert.equal(await listening, 0)
    assert.equal(out.at(-1), '2 taken, 1 not.')
    assert.ok(got.every((one) => one.kind !== 'callback' || one.data.reference !== earlier))
  })

  test('nobody is there to forward to: it is said, and goes on', async (t) => {
    const { terminal, out, err, stop } = openTerminal()
    t.after(stop)
    const args = ['listen', '--forward-to', 'http://127.0.0.1:9/', '--kind', 'callback']
    const listening = runCommand(args, terminal)
    await eventually(() => assert.match(out.join('\n'), /Forwarding them/))
    await run('trigger payment.failed --kind gateway')
    await run('trigger payment.pending')
    await eventually(() => assert.match(err.join('\n'), /payment\.pending .* → no answer/), 30_000)
    stop()
    assert.equal(await listening, 0)
    assert.equal(out.at(-1), '0 taken, 1 not.')
  })
})

describe('payments list', () => {
  test('a line each, the newest first', async () => {
    await run('trigger payment.failed --ref LISTED')
    const { code, out } = await run('payments list --limit 1')
    assert.equal(code, 0)
    assert.match(
      out,
      /^2026-\S+Z {2}PY-\S+ +UGX 1000 {2}failed: cancelled_by_customer {2}LISTED\nThere are more/,
    )
    assert.match((await run('payments list --status refunded --q nothing')).out, /No payments/)
  })
})

describe('wrong questions', () => {
  const rows: [command: string, env: Record<string, string>, code: number, says: RegExp][] = [
    ['', {}, 2, /mfuko listen/],
    ['--help', {}, 0, /mfuko doctor/],
    ['toString', {}, 2, /no command toString/],
    ['listen', {}, 2, /Where to\?/],
    ['listen --forward-to ftp://x', {}, 2, /Where to\?/],
    ['listen --forward-to http://x --nonsense 1', {}, 2, /nonsense/],
    ['trigger payment.eaten', {}, 2, /one of payment\.pending/],
    ['trigger payment.refunded --kind gateway', {}, 2, /completed and payment\.failed only/],
    ['trigger payment.completed --currency EUR', {}, 2, /one of UGX/],
    ['trigger payment.completed --amount 0', {}, 1, /amount: Amount must be greater than 0/],
    ['trigger payment.completed --payment PY-0', {}, 1, /not_found, req_/],
    ['payments', {}, 2, /payments list/],
    ['payments list --limit 0', {}, 2, /from 1 to 100/],
    ['payments list', { MFUKO_API_KEY: 'svc_test_wrong' }, 1, /unauthenticated/],
    ['payments list', { MFUKO_API_KEY: 'svc_live_x' }, 2, /live key/],
    ['payments list --url http://127.0.0.1:9', {}, 1, /could not be reached/],
    ['doctor', {}, 2, /Where to\?/],
    ['doctor http://127.0.0.1:9', {}, 2, /Client Secret/],
  ]
  for (const [command, env, code, says] of rows)
    test(`mfuko ${command}`, async () => {
      const result = await run(command, env)
      assert.match(`${result.out}\n${result.err}`, says)
      assert.equal(result.code, code)
    })
})

test('as a program of its own', async () => {
  const program = fileURLToPath(new URL('../bin/mfuko.js', import.meta.url))
  const start = (args: string[]) =>
    new Promise<{ code: number; out: string }>((resolve) => {
      const env = { ...process.env, MFUKO_URL: baseUrl, MFUKO_API_KEY: business.testKey }
      execFile(process.execPath, [program, ...args], { env }, (error, out) =>
        resolve({ code: Number(error?.code ?? 0), out }),
      )
    })
  assert.deepEqual(await start(['help']), { code: 0, out: `${usage}\n` })
  const listed = await start(['payments', 'list'])
  assert.deepEqual([listed.code, /PY-/.test(listed.out)], [0, true])
  assert.equal((await start(['payments'])).code, 2)
})

test('the books are right', async () => {
  await reconcile(server)
})
