// The PHP library: its own tests, every example of its README, and a walk through the running service in test mode: a shop
// takes payments and hears of them in PHP's own web server, a person sends money.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, test } from 'node:test'
import { newBusiness } from '../../server/test/businesses.ts'
import { reconcile, testApp } from '../../server/test/helpers.ts'
import { deliveryOf, eventually } from '../../server/test/notifications.ts'
import { fund, register, testPassword } from '../../server/test/people.ts'
import { openVisit } from '../js/src/cli/checkout.ts'

const root = import.meta.dirname
const php = process.env.TEST_PHP ?? ''
const skip = php === '' ? 'PHP is not on this machine' : false
const folder = mkdtempSync(join(tmpdir(), 'mfuko-php-'))
after(() => rmSync(folder, { recursive: true }))

/** Warnings and deprecations are told, and fail what looks at the output. */
const strict = ['-d', 'display_errors=stderr', '-d', 'error_reporting=-1', '-d', 'log_errors=0']

const run = (args: string[], { env = {}, cwd = root }: { env?: NodeJS.ProcessEnv; cwd?: string } = {}) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    const options = { cwd, env: { ...process.env, ...env } }
    execFile(php, [...strict, ...args], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: out + err }),
    )
  })

interface Serving {
  env?: NodeJS.ProcessEnv
  cwd?: string
  settings?: string[]
}

/** PHP's own web server; `script` answers every request. */
async function serve(script: string, { env = {}, cwd = root, settings = [] }: Serving) {
  // Port 0: it prints which one it got.
  const args = [...strict, ...settings, '-S', '127.0.0.1:0', script]
  const child = spawn(php, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  after(() => child.kill())
  for await (const line of createInterface({ input: child.stderr })) {
    const found = /\((http:\/\/127\.0\.0\.1:\d+)\) started/.exec(line)
    if (found === null) continue
    child.stderr.resume()
    return found[1] ?? ''
  }
  return assert.fail('the web server of PHP did not start')
}

describe('the PHP library', { skip }, () => {
  test('every file can be read by PHP', async () => {
    const files = globSync('{*.php,src/**/*.php,tests/*.php,examples/**/*.php}', { cwd: root })
    assert.ok(files.length > 40)
    const wrong = await run([
      '-r',
      `foreach (array_slice($argv, 1) as $file) {
        $said = shell_exec(escapeshellarg(PHP_BINARY) . ' -l ' . escapeshellarg($file) . ' 2>&1');
        if (!str_starts_with($said, 'No syntax errors')) echo $said;
      }`,
      ...files,
    ])
    assert.equal(wrong.out, '')
  })

  test('its own tests', async () => {
    const { code, out } = await run(['tests/run.php'])
    assert.equal(code, 0, out)
    assert.match(out, /^\d{3,} passed, 0 failed\n$/)
  })
})

const server = await testApp()
const { clock } = server
const baseUrl = await server.listen()
const business = await newBusiness(server)
const [amina, juma] = [await register(server), await register(server)]
await fund(server, amina, { amount: '50000' })
const env = {
  MFUKO_URL: baseUrl,
  MFUKO_MERCHANT_ID: String(business.id),
  MFUKO_API_KEY: business.testKey,
  MFUKO_CLIENT_SECRET: business.testSecret,
  MFUKO_NEXT_SECRET: business.testSecret,
  MFUKO_HANDLE: amina.handle,
  MFUKO_PASSWORD: testPassword,
}

describe('README', { skip }, () => {
  mkdirSync(join(folder, 'vendor'))
  writeFileSync(
    join(folder, 'vendor/autoload.php'),
    `<?php require ${JSON.stringify(join(root, 'autoload.php'))};`,
  )
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const examples = [...readme.matchAll(/^```php\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  const said = [
    /^Send the customer to http.*\nThe payment is pending\n$/,
    /^PY-\S+ pending\n$/,
    'a receiver',
    /^$/,
    /^\{"ipn_url":"https:\\\/\\\/duka\.example\\\/ipn","amount":1250\.5\}\n$/,
    /^validation_failed 422 \{"amount":".*"\}\nTell us req_\S+; try again with \S{36}\n$/,
    /^1250 12\.5 KES 1,250\.50\n$/,
    /^UGX 50000\n$/,
  ]
  test('every example is tried', () => assert.equal(examples.length, said.length))
  for (const [at, code] of examples.entries()) {
    const path = join(folder, `example-${at}.php`)
    writeFileSync(path, code)
    const expected = said[at]
    test(`example ${at + 1} runs`, async (t) => {
      if (expected === 'a receiver') return tryReceiver(path)
      if (code.includes('PdoSeen') && !(await run(['-m'])).out.includes('pdo_sqlite'))
        return t.skip('this PHP has no pdo_sqlite')
      const { code: exit, out } = await run([path], { env, cwd: folder })
      assert.equal(exit, 0, out)
      assert.match(out, expected as RegExp)
    })
  }
})

/** Posts one notification, as often as it is called. */
function openPost(url: string) {
  const data = { ref_trx: 'ORDER-1001', amount: 56_000, currency_code: 'UGX', ipn_url: `${url}/ipn` }
  const body = JSON.stringify({ data, message: 'Payment Completed', status: 'completed', timestamp: 1 })
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.from(business.testSecret.slice('whsec_'.length), 'base64')
  const sign = (text: string) =>
    `v1,${createHmac('sha256', key).update(`msg_1.${timestamp}.${text}`).digest('base64')}`
  return async ({ isForged = false } = {}) => {
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': sign(isForged ? `${body} ` : body),
    }
    const reply = await fetch(`${url}/ipn`, { method: 'POST', headers, body })
    return `${reply.status} ${await reply.text()}`
  }
}

async function tryReceiver(script: string): Promise<void> {
  const post = openPost(await serve(script, { env, cwd: folder }))
  assert.equal(
    await post({ isForged: true }),
    '403 {"message":"The signature of the notification is not good"}',
  )
  assert.equal(await post(), '200 {"message":"Received"}')
  assert.equal(await post(), '200 {"message":"Received before"}')
}

describe('the receiver of the guide that needs no library', { skip }, () => {
  const guide = readFileSync(join(root, '../../docs/guides/receive-notifications.md'), 'utf8')
  const [, code = ''] = /^```php file=plain\.php\n([\s\S]*?)^```$/m.exec(guide) ?? []

  /** In a folder of its own, with what it has said so far. */
  const start = async (name: string) => {
    const cwd = join(folder, name)
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'plain.php'), code)
    const said = join(cwd, 'said')
    const worked = () => (existsSync(said) ? readFileSync(said, 'utf8').split('Verified').length - 1 : 0)
    const url = await serve('plain.php', { env, cwd, settings: ['-d', `error_log=${said}`] })
    return { post: openPost(url), worked, marks: join(cwd, 'seen-ids') }
  }

  test('works on the same one once', async () => {
    const { post, worked } = await start('plain')
    assert.equal(await post({ isForged: true }), '403 ')
    assert.equal(await post(), '200 {"message":"Received"}')
    assert.equal(await post(), '200 {"message":"Received"}')
    assert.equal(worked(), 1)
  })

  test('says 500 where it can write nothing down, and takes it when it can', async () => {
    const { post, worked, marks } = await start('unwritable')
    // Nobody can make a file in a file, whoever runs this.
    writeFileSync(marks, '')
    assert.deepEqual([await post(), worked()], ['500 ', 0])
    rmSync(marks)
    assert.deepEqual([await post(), worked()], ['200 {"message":"Received"}', 1])
  })
})

describe('against the service', { skip }, () => {
  test('a shop takes payments and hears of them, a person sends money', async () => {
    const receiverFolder = join(folder, 'receiver')
    mkdirSync(receiverFolder)
    const now = String(Math.floor(clock.now().getTime() / 1_000))
    const receiverEnv = { ...env, RECEIVER_FOLDER: receiverFolder, RECEIVER_NOW: now }
    const receiverUrl = await serve(join(root, 'tests/live-receiver.php'), { env: receiverEnv })
    const delivery = deliveryOf(server)
    after(() => delivery.stop())
    const walkEnv = { ...env, RECEIVER_URL: receiverUrl, MFUKO_RECIPIENT: juma.handle, MFUKO_PIN: amina.pin }
    assert.deepEqual(await walk(walkEnv), expectedFacts)
    await eventually(() => {
      delivery.wake()
      const worked = readFileSync(join(receiverFolder, 'worked'), 'utf8').trim().split('\n').sort()
      assert.deepEqual(worked, [
        '["callback","payment.completed",2,56000]',
        '["callback","payment.pending",1,56000]',
        '["callback","payment.refunded",3,56000]',
        '["gateway","payment.completed",1,"1250.5"]',
      ])
    })
    await reconcile(server)
  })
})

const expectedFacts = {
  initiated: ['PHP-1', '1250.5', 'pending'],
  verified: ['completed', '1250.5', 'test'],
  'the same again': true,
  refunded: ['completed', 6_000, 1],
  // Two of the walk, and the one of the README.
  listed: 3,
  profile: true,
  volume: 1,
  earned: ['KES', 'UGX'],
  told: true,
  'wrong fields': ['validation_failed', 422, ['amount'], null, 'zero'],
  conflict: ['idempotency_conflict', 422, [], null, 'php-order-2'],
  'not found': 'not_found',
  stranger: 'unauthenticated',
  'signed in': amina.handle,
  preview: [100, 9_900],
  'sent once': true,
  wallet: 40_000,
  history: true,
  csv: true,
  recipient: true,
  'wrong pin': ['pin_incorrect', 403, [], 4],
  'one group': true,
  'one campaign': true,
  'nothing to take': 'invalid_state',
  'no provider here': ['method'],
  'ended from here': 'unauthenticated',
  resumed: amina.handle,
  'in the next request': amina.handle,
  'after the log-out': 'unauthenticated',
}

/** Runs the walk, and is the customer in it. */
async function walk(walkEnv: NodeJS.ProcessEnv): Promise<unknown> {
  const child: ChildProcess = spawn(php, [...strict, 'tests/live.php'], {
    cwd: root,
    env: { ...process.env, ...walkEnv },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  after(() => child.kill())
  assert.ok(child.stdout !== null && child.stdin !== null)
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('pay ')) return JSON.parse(line)
    await openVisit(baseUrl, line.slice('pay '.length)).pay()
    child.stdin.write('paid\n')
  }
  return assert.fail('the walk did not come to its end')
}
