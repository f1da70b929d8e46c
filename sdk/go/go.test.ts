// The Go library: in the form of gofmt, without a word of go vet, its own tests, every example of its README, and a walk
// through the running service in test mode: a shop takes payments and hears of them, a person sends money.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findCommand, usualFolders } from '../../scripts/system-package.ts'
import type { Delivery } from '../../server/src/notifications/notifications.ts'
import { newBusiness } from '../../server/test/businesses.ts'
import { reconcile, testApp } from '../../server/test/helpers.ts'
import { deliveryOf, eventually } from '../../server/test/notifications.ts'
import { fund, register, testPassword } from '../../server/test/people.ts'
import { thorough } from '../../server/test/thorough.ts'
import { openVisit } from '../js/src/cli/checkout.ts'

const root = import.meta.dirname
const go = process.env.TEST_GO ?? ''
const skip = go === '' ? 'Go 1.19 or later is not on this machine' : false
const folder = mkdtempSync(join(tmpdir(), 'mfuko-go-'))
after(() => rmSync(folder, { recursive: true }))

/** Go keeps what it has compiled in the cache of the user: the first run takes a minute, all others seconds. */
const quiet = {
  GOCACHE: process.env.GOCACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'go-build'),
  GOPATH: join(folder, 'path'),
  GOFLAGS: '-mod=mod',
  GOTOOLCHAIN: 'local',
  GOPROXY: 'off',
  GOWORK: 'off',
  // Nothing here is in C; a race detector is.
  CGO_ENABLED: '0',
}
const gcc = findCommand('gcc', usualFolders())
const race = thorough && gcc !== undefined

interface RunOptions {
  env?: NodeJS.ProcessEnv
  cwd?: string
}

const run = (program: string, args: string[], { env = {}, cwd = root }: RunOptions = {}) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    const options = { cwd, env: { ...process.env, ...quiet, ...env }, maxBuffer: 16 * 1024 * 1024 }
    execFile(program, args, options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: out + err }),
    )
  })

async function succeeds(program: string, args: string[], options: RunOptions = {}): Promise<string> {
  const { code, out } = await run(program, args, options)
  assert.equal(code, 0, `${args.join(' ')}\n${out}`)
  return out
}

/** Beside go, wherever that is really. */
async function gofmt(...paths: string[]): Promise<string> {
  const home = (await succeeds(go, ['env', 'GOROOT'])).trim()
  return succeeds(join(home, 'bin/gofmt'), ['-l', ...paths])
}

const tests = join(folder, 'mfuko.test')

describe('the library', { skip }, () => {
  test('has the form of gofmt', async () => assert.equal(await gofmt(root), ''))
  test('go vet has nothing to say', async () => assert.equal(await succeeds(go, ['vet', './...']), ''))
  test('its own tests', async () => {
    const args = ['test', '-vet=off', ...(race ? ['-race'] : []), '-c', '-o', tests, '.']
    await succeeds(go, args, { env: race ? { CGO_ENABLED: '1' } : {} })
    assert.match(await succeeds(tests, []), /^PASS$/m)
  })
})

const server = await testApp()
const baseUrl = await server.listen()
const business = await newBusiness(server)
const [amina, juma] = [await register(server), await register(server)]
await fund(server, amina, { amount: '50000' })
const env = {
  MFUKO_URL: baseUrl,
  MFUKO_MERCHANT_ID: String(business.id),
  MFUKO_API_KEY: business.testKey,
  MFUKO_CLIENT_SECRET: business.testSecret,
  MFUKO_HANDLE: amina.handle,
  MFUKO_PASSWORD: testPassword,
}

describe('README', { skip }, () => {
  const said = [
    /^Send the customer to http.*\nThe payment is pending\n$/,
    /^ORDER-1001 pending UGX 56,000\nBalances: \d\n$/,
    'listens',
    'is a package',
    /^validation_failed 422 map\[amount:.*\]\nTell us req_\S+ and try again with [0-9a-f-]{36}\n$/,
    /^1250 37\.5 USD 37\.50 true\n$/,
    /^UGX 50000\n$/,
  ]
  const place = join(folder, 'readme')
  const codes = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```go\n([\s\S]*?)^```$/gm)]
  before(async () => {
    assert.equal(codes.length, said.length)
    mkdirSync(join(place, 'bin'), { recursive: true })
    const needs = 'require github.com/mfuko/mfuko-go v1.0.0'
    const here = `replace github.com/mfuko/mfuko-go => ${root}`
    writeFileSync(join(place, 'go.mod'), `module readme\n\ngo 1.19\n\n${needs}\n\n${here}\n`)
    for (const [at, [, code = '']] of codes.entries()) {
      mkdirSync(join(place, `example${at}`))
      writeFileSync(join(place, `example${at}/example.go`), code)
    }
    // Without what only a debugger needs: that is most of what a linker does.
    await succeeds(go, ['build', '-ldflags=-s -w', '-o', 'bin/', './...'], { cwd: place })
  })

  test('its examples have the form of gofmt, and go vet has nothing to say', async () => {
    assert.equal(await gofmt(place), '')
    assert.equal(await succeeds(go, ['vet', './...'], { cwd: place }), '')
  })

  for (const [at, expected] of said.entries())
    test(`example ${at + 1} ${expected instanceof RegExp ? 'runs' : expected}`, async () => {
      const program = join(place, `bin/example${at}`)
      if (expected instanceof RegExp) assert.match(await succeeds(program, [], { env }), expected)
      else if (expected === 'listens') await tryReceiver(program)
      // That it was built is all there is to see.
      else assert.match(codes[at]?.[1] ?? '', /^package shop$/m)
    })
})

test('the table of the README: what somebody died over is taken by the next after five minutes', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, table = ''] = /^\/\/ seen is a table: (create table seen [\s\S]*?)\.$/m.exec(readme) ?? []
  const [, begin = ''] = /^const begin = `([^`]+)`$/m.exec(readme) ?? []
  await server.db.rows(table.replaceAll('//', ''))
  const taken = async () => (await server.db.rows(`${begin} returning id`, ['msg_1'])).length
  const minutesPass = (minutes: number) =>
    server.db.rows('update seen set begun_at = begun_at - make_interval(mins => $1)', [minutes])
  assert.deepEqual([await taken(), await taken()], [1, 0])
  await minutesPass(4)
  assert.equal(await taken(), 0)
  await minutesPass(2)
  assert.deepEqual([await taken(), await taken()], [1, 0])
  await server.db.rows('update seen set done = true')
  await minutesPass(6)
  assert.equal(await taken(), 0)
})

/** It takes a notification that is signed, once. */
async function tryReceiver(program: string): Promise<void> {
  const free = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => free.once('listening', resolve))
  const { port } = free.address() as AddressInfo
  await new Promise((resolve) => free.close(resolve))
  const child = spawn(program, { env: { ...process.env, ...env, LISTEN: `127.0.0.1:${port}` } })
  const ended = new Promise((resolve) => child.once('close', resolve))
  let out = ''
  child.stderr.on('data', (chunk: Buffer) => {
    out += chunk
  })
  try {
    const post = () =>
      fetch(`http://127.0.0.1:${port}/ipn`, { method: 'POST', ...signed(business.testSecret) })
    const first = await eventually(post)
    assert.deepEqual([first.status, await first.text()], [200, '{"message":"Received"}'])
    assert.equal(await (await post()).text(), '{"message":"Received before"}')
    const forged = await fetch(`http://127.0.0.1:${port}/ipn`, { method: 'POST', body: '{}' })
    assert.equal(forged.status, 403)
  } finally {
    child.kill()
    await ended
  }
  assert.match(out, /payment\.completed ORDER-1 56000 UGX\n/)
  assert.equal(out.match(/ORDER-1/g)?.length, 1)
  assert.match(out, /signature_missing/)
}

function signed(secret: string): { headers: Record<string, string>; body: string } {
  const data = { ref_trx: 'ORDER-1', amount: 56_000, currency_code: 'UGX' }
  const body = JSON.stringify({ data, message: 'Payment Completed', status: 'completed', timestamp: 1 })
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  }
}

test('a walk through the service', { skip }, async () => {
  const delivery = deliveryOf(server)
  const helper = createServer((request, response) => {
    help(new URL(request.url ?? '/', baseUrl), delivery).then(
      (answer) => response.end(answer),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => helper.listen(0, '127.0.0.1', resolve))
  try {
    const walk = {
      ...env,
      MFUKO_HELP: `http://127.0.0.1:${(helper.address() as AddressInfo).port}`,
      MFUKO_PIN: amina.pin,
      MFUKO_OTHER: juma.handle,
    }
    const out = await succeeds(tests, ['-test.v', '-test.run', '^TestLive'], { env: walk })
    assert.ok((out.match(/^--- PASS: TestLive/gm) ?? []).length >= 5, out)
    assert.doesNotMatch(out, /SKIP/)
  } finally {
    helper.closeAllConnections()
    helper.close()
    await delivery.stop()
  }
})

/** What the walk can't do from its side. */
async function help(wish: URL, delivery: Delivery): Promise<string> {
  const about = wish.searchParams.get('about') ?? ''
  if (wish.pathname === '/pay') await openVisit(baseUrl, about).pay()
  else if (wish.pathname === '/advance') server.clock.advance(Number(about))
  else if (wish.pathname === '/deliver') delivery.wake()
  else if (wish.pathname === '/now') return String(Math.floor(server.clock.now().getTime() / 1_000))
  else throw new Error(`nobody knows how to ${wish.pathname}`)
  return 'done'
}

test('the books are right', async () => {
  await reconcile(server)
})
