// What is published works: on the oldest Node that is promised, in a browser without anything of Node or anything secret,
// and as its README says.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newBusiness, type TestBusiness } from '../../../server/test/businesses.ts'
import { reconcile, testApp } from '../../../server/test/helpers.ts'
import { register, type TestPerson, testPassword } from '../../../server/test/people.ts'

const root = resolve(import.meta.dirname, '..')
const modules = resolve(root, '../../node_modules')
const tsc = join(modules, 'typescript/bin/tsc')
const folder = mkdtempSync(join(tmpdir(), 'mfuko-sdk-'))
after(() => rmSync(folder, { recursive: true }))

/** As `npm pack` would put it there. */
const installed = join(folder, 'node_modules/@mfuko/sdk')
execFileSync(process.execPath, [
  tsc,
  '-p',
  join(root, 'tsconfig.build.json'),
  '--outDir',
  join(installed, 'dist'),
])
for (const name of ['package.json', 'README.md', 'bin'])
  cpSync(join(root, name), join(installed, name), { recursive: true })

for (const name of ['express', '@types']) symlinkSync(join(modules, name), join(folder, 'node_modules', name))

const start = (node: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    execFile(node, args, { cwd: folder, env: { ...process.env, ...env } }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: out + err }),
    )
  })

/** The oldest Node of this machine that the package promises to work on; the one that runs this, if there is no other. */
function otherNode(): { path: string; version: string } {
  const found = (process.env.PATH ?? '')
    .split(':')
    .map((place) => join(place, 'node'))
    .flatMap((path) => {
      try {
        const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()
        return Number(/^v(\d+)/.exec(version)?.[1]) >= 20 ? [{ path, version }] : []
      } catch {
        return []
      }
    })
  const own = { path: process.execPath, version: process.version }
  return (
    [...found, own].sort((one, other) =>
      one.version.localeCompare(other.version, 'en', { numeric: true }),
    )[0] ?? own
  )
}

const server = await testApp()
const baseUrl = await server.listen()
let business: TestBusiness
let person: TestPerson
let env: NodeJS.ProcessEnv
before(async () => {
  business = await newBusiness(server)
  person = await register(server)
  env = {
    MFUKO_URL: baseUrl,
    MFUKO_MERCHANT_ID: String(business.id),
    MFUKO_API_KEY: business.testKey,
    MFUKO_CLIENT_SECRET: business.testSecret,
    MFUKO_HANDLE: person.handle,
    MFUKO_PASSWORD: testPassword,
  }
})

describe('the package', () => {
  const node = otherNode()
  test(`its command line runs as it was built, on ${node.version}`, async () => {
    const { code, out } = await start(
      node.path,
      [join(installed, 'bin/mfuko.js'), 'trigger', 'payment.completed'],
      env,
    )
    assert.deepEqual([code, /^payment\.completed {2}PY-/.test(out)], [0, true], out)
  })

  test('every entry can be imported, and nothing else', async () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const names = Object.keys(exports).map((name) => `@mfuko/sdk${name.slice(1)}`)
    const script = `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(await import(name)).length > 0)
      console.log(await import('@mfuko/sdk/dist/transport.js').catch((error) => error.code))`
    const { out } = await start(node.path, ['--input-type=module', '-e', script])
    assert.equal(out, `${names.map((name) => `${name} true`).join('\n')}\nERR_PACKAGE_PATH_NOT_EXPORTED\n`)
  })
})

/** Every file that an entry needs. */
function reached(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen
  seen.add(entry)
  const code = readFileSync(entry, 'utf8')
  for (const [, name = ''] of code.matchAll(/\bfrom '([^']+)'/g)) {
    assert.ok(name.startsWith('.'), `${entry} imports ${name}`)
    reached(resolve(dirname(entry), name), seen)
  }
  return seen
}

test('what runs in a browser needs nothing of Node, and knows neither API keys nor Client Secrets', () => {
  const files = [...reached(join(installed, 'dist/browser.js'))]
  assert.ok(files.length > 4)
  for (const file of files) {
    const code = readFileSync(file, 'utf8')
    assert.doesNotMatch(code, /\bprocess\.|\bBuffer\b|node:/, file)
    assert.doesNotMatch(code, /apiKey|clientSecret|localStorage|sessionStorage/, file)
  }
})

test('receivers and merchants need nothing of Node either: they run at the edge', () => {
  for (const entry of ['mfuko', 'express', 'fastify', 'next']) reached(join(installed, `dist/${entry}.js`))
})

describe('README', () => {
  const examples = [
    ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm),
  ].map(([, code = '']) => code)
  const place = join(folder, 'examples')
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(root, 'test/express-module.d.ts'), join(place, 'express.d.ts'))
  const files = examples.map((code, at) => {
    const path = join(place, `example-${at}.js`)
    writeFileSync(path, code)
    return path
  })

  test('its examples have the right types', async () => {
    const flags =
      '--ignoreConfig --noEmit --strict --allowJs --checkJs --target esnext --module nodenext --types node --skipLibCheck'
    const { code, out } = await start(process.execPath, [
      tsc,
      ...flags.split(' '),
      ...files,
      join(place, 'express.d.ts'),
    ])
    assert.equal(code, 0, out)
  })

  const said = [
    /Send the customer to http.*\nThe payment is pending/,
    /^$/,
    /^$/,
    /^validation_failed 422 \{ amount: '.*' \}\nTell us req_/,
    /^UGX 0/,
  ]
  for (const [at, path] of files.entries())
    test(`example ${at + 1} runs`, async () => {
      const { code, out } = await start(process.execPath, [path], env)
      assert.equal(code, 0, out)
      assert.match(out, said[at] ?? /nothing is expected/)
    })
})

test('the table of the README: what somebody died over is taken by the next after five minutes', async () => {
  const path = join(folder, 'examples/example-2.js')
  const [table = ''] = /create table seen [\s\S]*?\n\/\/ \)/.exec(readFileSync(path, 'utf8')) ?? []
  await server.db.rows(table.replaceAll('//', ''))
  const query = async (sql: string, values: string[]) => ({ rows: await server.db.rows(sql, values) })
  process.env.MFUKO_CLIENT_SECRET = business.testSecret
  const receiver = (await import(path)).openReceiver({ query })
  delete process.env.MFUKO_CLIENT_SECRET
  const delivery = signedBy(business.testSecret)
  const receive = async () => (await receiver.receive(delivery, () => {})).body.message
  const minutesPass = (minutes: number) =>
    server.db.rows(`update seen set begun_at = begun_at - make_interval(mins => $1)`, [minutes])
  const fail = () => Promise.reject(new Error('the database is away'))
  assert.equal((await receiver.receive(delivery, fail)).status, 500)
  await server.db.rows(`insert into seen (id) values ('msg_1')`)
  assert.equal(await receive(), 'Being worked on')
  await minutesPass(4)
  assert.equal(await receive(), 'Being worked on')
  await minutesPass(2)
  assert.deepEqual([await receive(), await receive()], ['Received', 'Received before'])
  await minutesPass(6)
  assert.equal(await receive(), 'Received before')
})

/** A notification, as the service sends it. */
function signedBy(secret: string) {
  const body = JSON.stringify({
    data: { ref_trx: 'ORDER-1' },
    message: 'm',
    status: 'completed',
    timestamp: 1,
  })
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  return { headers, body: Buffer.from(body) }
}

test('every library carries the licence of the project', () => {
  const licence = readFileSync(resolve(root, '../../LICENSE'), 'utf8')
  for (const language of ['js', 'php', 'python', 'go'])
    assert.equal(readFileSync(resolve(root, '..', language, 'LICENSE'), 'utf8'), licence, language)
})

test('the books are right', async () => {
  await reconcile(server)
})
