// The Python library: its own tests, every example of its README, and a walk through the running service in test mode: a
// shop takes payments and hears of them in a web server of Python, a person sends money.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, test } from 'node:test'
import type { Delivery } from '../../server/src/notifications/notifications.ts'
import { newBusiness } from '../../server/test/businesses.ts'
import { makeCertificate } from '../../server/test/certificate.ts'
import { reconcile, testApp } from '../../server/test/helpers.ts'
import { deliveryOf } from '../../server/test/notifications.ts'
import { fund, register, testPassword } from '../../server/test/people.ts'
import { openVisit } from '../js/src/cli/checkout.ts'

const root = import.meta.dirname
const python = process.env.TEST_PYTHON ?? ''
const skip = python === '' ? 'Python 3.9 or later is not on this machine' : false
const folder = mkdtempSync(join(tmpdir(), 'mfuko-python-'))
after(() => rmSync(folder, { recursive: true }))

/** Warnings are told, and nothing is written beside the sources. */
const strict = ['-W', 'error', '-X', 'utf8']
const quiet = { PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: root }

interface RunOptions {
  env?: NodeJS.ProcessEnv
  cwd?: string
}

const run = (args: string[], { env = {}, cwd = root }: RunOptions = {}) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    const options = { cwd, env: { ...process.env, ...quiet, ...env } }
    execFile(python, [...strict, ...args], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: out + err }),
    )
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
  MFUKO_OTHER_HANDLE: juma.handle,
  MFUKO_PASSWORD: testPassword,
  MFUKO_PIN: amina.pin,
}

// After the set-up: when all tests that are known have ended, the service is closed.
test('the tests that need no service', { skip }, async () => {
  const { code, out } = await run(['-m', 'unittest', 'discover', '-t', '.', '-s', 'tests'])
  assert.equal(code, 0, out)
  assert.match(out, /Ran \d{3,} tests in [\d.]+s\n\nOK\n$/)
})

describe('with the service', { skip }, () => {
  for (const { code, says, more = '' } of readmeExamples())
    test(`the README: ${/^(?:from mfuko|class|import mfuko).*/m.exec(code)?.[0]}`, async () => {
      const path = join(folder, 'example.py')
      writeFileSync(path, code + more)
      const { code: exit, out } = await run([path], { env, cwd: folder })
      assert.equal(exit, 0, out)
      assert.match(out, says)
    })

  test('a walk', async () => {
    const delivery = deliveryOf(server)
    const tls = await startTls()
    try {
      const child = spawn(python, [...strict, '-m', 'unittest', '-v', 'tests.live_walk'], {
        cwd: root,
        env: { ...process.env, ...quiet, ...env, ...tls.env },
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk
      })
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
      for await (const line of createInterface({ input: child.stdout })) {
        const answer = await help(line, delivery).catch((error) => `failed: ${error}`)
        child.stdin.write(`${answer.replaceAll('\n', ' ')}\n`)
      }
      assert.equal(await ended, 0, said)
      assert.match(said, /Ran \d{2} tests in [\d.]+s\n\nOK\n$/)
    } finally {
      tls.close()
      await delivery.stop()
    }
  })
})

/** What the walk can't do from its side. */
async function help(line: string, delivery: Delivery): Promise<string> {
  const [wish, about = ''] = line.split(' ')
  if (wish === 'pay') await openVisit(baseUrl, about).pay()
  else if (wish === 'advance') server.clock.advance(Number(about))
  else if (wish === 'deliver') delivery.wake()
  else if (wish === 'now') return String(server.clock.now().getTime() / 1_000)
  else throw new Error(`nobody knows how to ${line}`)
  return 'done'
}

/** A service of another certificate than the system knows. */
async function startTls() {
  const authority = makeCertificate({ name: 'authority.test' })
  const { key, cert } = makeCertificate({ name: 'localhost', issuer: authority })
  const path = join(folder, 'authority.pem')
  writeFileSync(path, authority.cert)
  const tls = createServer({ key, cert }, (request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ path: request.url }))
  })
  await new Promise<void>((resolve) => tls.listen(0, 'localhost', resolve))
  const url = `https://localhost:${(tls.address() as AddressInfo).port}`
  return { env: { MFUKO_TLS_URL: url, MFUKO_TLS_AUTHORITY: path }, close: () => tls.close() }
}

interface Example {
  code: string
  says: RegExp
  /** What is tried of it when it has run. */
  more?: string
}

function readmeExamples(): Example[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const codes = [...readme.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  const seenWorks = `
with sqlite3.connect("shop.db") as db:
    db.execute("create table seen (id text primary key, done integer not null default 0, begun_at real not null)")
seen = SeenInTable("shop.db")
def minutes_pass(minutes):
    with sqlite3.connect("shop.db") as db:
        db.execute("update seen set begun_at = begun_at - 60 * ?", (minutes,))
states = [seen.begin("a"), seen.begin("a")]
seen.forget("a")
states.append(seen.begin("a"))
minutes_pass(4)
states.append(seen.begin("a"))
minutes_pass(2)
states += [seen.begin("a"), seen.begin("a")]
seen.done("a")
seen.forget("a")
minutes_pass(6)
print(*states, seen.begin("a"))
`
  const applicationWorks = `
application({"PATH_INFO": "/ipn", "REQUEST_METHOD": "POST"}, lambda status, _: print(status))
`
  const expected: Omit<Example, 'code'>[] = [
    { says: /^Send the customer to http.*\nThe payment is pending\n$/ },
    { says: /^PY-\S+ pending 56000 UGX\n0 endpoints\n$/ },
    { says: /^403 Forbidden\n$/, more: applicationWorks },
    { says: /^first busy first busy first busy done\n$/, more: seenWorks },
    {
      says: /^validation_failed 422 \{'amount': '.*'\}\nTell us req_\S+ and try again with [0-9a-f-]{36}\n$/,
    },
    { says: /^1250 12\.5 KES 1,250\.50\n$/ },
    { says: /^UGX 50000\n$/ },
  ]
  assert.equal(codes.length, expected.length)
  return expected.map((one, at) => ({ ...one, code: codes[at] ?? '' }))
}

test('the books are right', async () => {
  await reconcile(server)
})
