// Settings: safe defaults, every wrong one named at once, nothing guessed in production; and the documents that
// are generated from the code are up to date.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { StartError } from '../src/base/errors.ts'
import { loadConfig, secretNames, secretVariable, settingsForFork } from '../src/config.ts'
import { catalogue } from '../src/http/error-reply.ts'
import type { Http } from '../src/http/http.ts'
import { openScope } from '../src/http/scope.ts'
import { loadPrices } from '../src/prices-file.ts'
import { loadSecrets } from '../src/secrets.ts'
import { generatedDocuments } from './documents.ts'
import { testApp } from './helpers.ts'

const folder = mkdtempSync(join(tmpdir(), 'mfuko-config-'))
after(() => rmSync(folder, { recursive: true }))

const sentence = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof StartError, String(error))
    return error.message
  }
  return assert.fail('nothing was refused')
}

test('without any setting everything has a safe value', () => {
  const config = loadConfig({})
  assert.equal(config.PORT, 8080)
  assert.equal(config.HOST, '127.0.0.1')
  assert.equal(config.ROLE, 'all')
  assert.equal(config.WEB_CONCURRENCY, 1)
  assert.equal(config.production, false)
  assert.equal(config.DATABASE_URL, undefined)
  assert.equal(loadConfig({ PORT: '' }).PORT, 8080)
})

// What is set → what the sentence must say.
const wrong: [environment: Record<string, string>, says: RegExp][] = [
  [{ PORT: 'abc' }, /^PORT must be a whole number from 0 to 65535, not "abc"\.$/],
  [{ PORT: '70000' }, /PORT/],
  [{ PORT: '-1' }, /PORT/],
  [{ ROLE: 'boss' }, /^ROLE must be one of all, api, worker, not "boss"\.$/],
  [{ WEB_CONCURRENCY: '0' }, /WEB_CONCURRENCY/],
  [{ BASE_URL: 'mfuko.example' }, /BASE_URL must be an address that starts with http:\/\/ or https:\/\//],
  [{ NODE_ENV: 'prod' }, /NODE_ENV must be one of development, test, production/],
  [
    { DATABASE_URL: 'mysql://root:hunter2@x/y' },
    /^DATABASE_URL must be an address that starts with postgres:\/\/ or postgresql:\/\/\.$/,
  ],
  [{ PORT: 'x', ROLE: 'y' }, /PORT.*\nROLE/],
  [
    { NODE_ENV: 'production' },
    /BASE_URL must be set in production.*\nDATABASE_URL must be set in production/,
  ],
  [
    { TRUSTED_PROXIES: '10.0.0.1,load-balancer' },
    /^TRUSTED_PROXIES must be a list of addresses or networks, like .*, not "10\.0\.0\.1,load-balancer"\.$/,
  ],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /TRUSTED_PROXIES/],
  [{ TRUSTED_PROXIES: 'fd00::/129' }, /TRUSTED_PROXIES/],
  [{ TRUSTED_PROXIES: '10.0.0' }, /TRUSTED_PROXIES/],
  [{ TRUSTED_PROXIES: '10.0.0.0/' }, /TRUSTED_PROXIES/],
  [{ TRUSTED_PROXIES: 'fe80::1%eth0' }, /TRUSTED_PROXIES/],
  [{ NOTIFY_SCHEDULE: '5,x' }, /^NOTIFY_SCHEDULE must be at most 30 whole numbers of seconds, like 5,30,120/],
  [{ NOTIFY_SCHEDULE: '0' }, /NOTIFY_SCHEDULE/],
  [{ NOTIFY_SCHEDULE: '5,,6' }, /NOTIFY_SCHEDULE/],
  [{ HEADER_PREFIX: 'Bad Prefix' }, /^HEADER_PREFIX must be a word of at most 20 letters and digits/],
  [{ HEADER_PREFIX: 'X:' }, /HEADER_PREFIX/],
  [{ ALLOW_PRIVATE_CALLBACKS: 'yes' }, /ALLOW_PRIVATE_CALLBACKS must be one of on, off/],
  [{ CALLBACK_ALLOW_CIDRS: '10.0.0.0/40' }, /CALLBACK_ALLOW_CIDRS/],
  [{ NOTIFY_DNS: 'dns.example.com' }, /^NOTIFY_DNS must be a list of addresses, with or without a port/],
  [{ NOTIFY_DNS: '10.0.0.2:0' }, /NOTIFY_DNS/],
  [{ NOTIFY_DNS: '[10.0.0.2]:53' }, /NOTIFY_DNS/],
  [
    { NODE_ENV: 'production', BASE_URL: 'https://pay.example', DATABASE_URL: 'embedded', DEMO: 'on' },
    /^DEMO must be off in production: .* Leave it out/,
  ],
  [
    { NODE_ENV: 'production', BASE_URL: 'http://pay.example', DATABASE_URL: 'embedded' },
    /^BASE_URL must start with https:\/\/ in production/,
  ],
  [
    { NODE_ENV: 'production', BASE_URL: 'http://localhost.pay.example', DATABASE_URL: 'x' },
    /BASE_URL must start/,
  ],
  [{ REQUESTS_MAX: '0' }, /REQUESTS_MAX/],
  [{ DATABASE_WAIT_SECONDS: '0' }, /DATABASE_WAIT_SECONDS/],
]
for (const [environment, says] of wrong) {
  test(`refuses ${JSON.stringify(environment)}`, () =>
    assert.match(
      sentence(() => loadConfig(environment)),
      says,
    ))
}

test('proxies are addresses and networks; a comma too many is no proxy', async () => {
  const proxies = (text: string) => loadConfig({ TRUSTED_PROXIES: text }).TRUSTED_PROXIES
  assert.deepEqual(proxies('10.0.0.1,'), ['10.0.0.1'])
  assert.deepEqual(proxies(' , '), [])
  const all = ['10.0.0.1', '192.168.0.0/16', '::1', 'fd00::/8', '::ffff:10.0.0.1']
  assert.deepEqual(proxies(all.join(', ')), all)
  await testApp({ environment: { TRUSTED_PROXIES: all.join() } })
})

test('notifications may go to this machine, but not in production', () => {
  assert.equal(loadConfig({}).ALLOW_PRIVATE_CALLBACKS, 'on')
  assert.equal(loadConfig(production).ALLOW_PRIVATE_CALLBACKS, 'off')
  assert.deepEqual(loadConfig({ NOTIFY_SCHEDULE: '1, 1,2' }).NOTIFY_SCHEDULE, [1, 1, 2])
  const servers = ['10.0.0.2', '10.0.0.3:5353', 'fd00::2', '[fd00::3]:53']
  assert.deepEqual(loadConfig({ NOTIFY_DNS: servers.join(', ') }).NOTIFY_DNS, servers)
})

test('what production refuses is good elsewhere, and an address of this machine in production too', () => {
  assert.equal(loadConfig({ DEMO: 'on', BASE_URL: 'http://pay.example' }).DEMO, 'on')
  assert.equal(loadConfig({ ...production, DEMO: 'off' }).DEMO, 'off')
  for (const BASE_URL of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
    assert.equal(loadConfig({ ...production, BASE_URL }).BASE_URL, BASE_URL)
})

test('the embedded database is the default, and has a word for production', () => {
  const { DATABASE_URL } = loadConfig(production)
  assert.equal(DATABASE_URL, undefined)
  assert.equal(loadConfig({ DATABASE_URL: 'postgres://a@b/c' }).DATABASE_URL, 'postgres://a@b/c')
})

test('a fork knows where the files of the embedded database are', () => {
  assert.equal(loadConfig(settingsForFork({}, { embeddedDir: '/data' })).embeddedDir, '/data')
  assert.equal(loadConfig(settingsForFork({}, { embeddedDir: undefined })).embeddedDir, undefined)
})

const random = (seed: number) =>
  Buffer.from(Array.from({ length: 32 }, (_, n) => (seed * 37 + n * 11) % 256)).toString('base64')
const goodSecrets = Object.fromEntries(
  secretNames.map((name, index) => [secretVariable(name), random(index)]),
)
const production = { NODE_ENV: 'production', BASE_URL: 'https://pay.example', DATABASE_URL: 'embedded' }
const load = (environment: Record<string, string>) => loadSecrets(loadConfig(environment), folder)

test('in production every missing secret is named, and nothing is generated', () => {
  const said = sentence(() => load(production))
  for (const name of secretNames) assert.match(said, new RegExp(`SECRET_${name.toUpperCase()}`))
  assert.throws(() => statSync(join(folder, 'secrets.json')))
})

test('in production weak secrets are refused, and never printed', () => {
  const judge = (change: Record<string, string>) =>
    sentence(() => load({ ...production, ...goodSecrets, ...change }))
  assert.match(judge({ SECRET_JWT: 'c2hvcnQ=' }), /"jwt" is too short/)
  assert.match(judge({ SECRET_PIN: goodSecrets.SECRET_JWT ?? '' }), /"jwt" and "pin" are equal/)
  assert.match(judge({ SECRET_ENC: Buffer.alloc(32, 7).toString('base64') }), /"enc" is not random/)
  assert.doesNotMatch(judge({ SECRET_JWT: 'c2hvcnQ=' }), /c2hvcnQ/)
})

test('in production good secrets are taken, from variables or a file, a variable before the file', () => {
  assert.equal(
    load({ ...production, ...goodSecrets })
      .jwt.reveal()
      .toString('base64'),
    goodSecrets.SECRET_JWT,
  )
  const file = join(folder, 'keys.json')
  writeFileSync(
    file,
    JSON.stringify(Object.fromEntries(secretNames.map((name, index) => [name, random(index + 20)]))),
  )
  const secrets = load({ ...production, SECRET_KEYS_FILE: file, SECRET_PIN: random(99) })
  assert.equal(secrets.jwt.reveal().toString('base64'), random(20))
  assert.equal(secrets.pin.reveal().toString('base64'), random(99))
  assert.match(
    sentence(() => load({ ...production, SECRET_KEYS_FILE: join(folder, 'none') })),
    /can't be read/,
  )
  writeFileSync(file, '[]')
  assert.match(
    sentence(() => load({ ...production, SECRET_KEYS_FILE: file })),
    /not a JSON object/,
  )
})

test('a secret is replaced by putting the new one in front; the old ones are judged too', () => {
  const change = (name: string, value: string) => ({ ...production, ...goodSecrets, [name]: value })
  const { jwt } = load(change('SECRET_JWT', `${random(50)}, ${random(51)}`))
  assert.equal(jwt.reveal().toString('base64'), random(50))
  assert.deepEqual(
    jwt.older.map((secret) => secret.reveal().toString('base64')),
    [random(51)],
  )
  const judge = (name: string, value: string) => sentence(() => load(change(name, value)))
  assert.match(judge('SECRET_AUDIT', `${random(50)},${random(51)}`), /"audit" takes one value/)
  assert.match(judge('SECRET_PIN', `${random(50)},c2hvcnQ=`), /"pin" is too short/)
  assert.match(judge('SECRET_PIN', `${random(50)},${goodSecrets.SECRET_JWT}`), /"jwt" and "pin" are equal/)
})

test('elsewhere secrets are made once, for this user alone, and kept', () => {
  const first = load({})
  const path = join(folder, 'secrets.json')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const again = load({})
  for (const name of secretNames) assert.ok(first[name].equals(again[name]))
  assert.equal(
    new Set(secretNames.map((name) => first[name].reveal().toString('hex'))).size,
    secretNames.length,
  )
})

test('a data folder that can not be used is a sentence', () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  for (const place of [file, join(file, 'below')]) {
    const said = sentence(() => loadSecrets(loadConfig({}), place))
    assert.match(said, /^The generated secrets can't be kept in .*secrets\.json \(ENOTDIR\)\. Set DATA_DIR/)
  }
})

const pricesFile = (content: string | Buffer) => {
  const path = join(folder, 'prices.json')
  writeFileSync(path, content)
  return loadConfig({ PRICES_FILE: path })
}

test('prices are the defaults, or what a file says', () => {
  const usual = loadPrices(loadConfig({}))
  assert.equal(usual.least.UGX, 500n)
  const changed = loadPrices(pricesFile('{ "least": { "UGX": "1000" } }'))
  assert.deepEqual(changed, { ...usual, least: { ...usual.least, UGX: 1_000n } })
  // Some editors put a mark at the beginning.
  assert.deepEqual(loadPrices(pricesFile('\ufeff{}\n')), usual)
})

// What is in the file → what the sentence must say after naming the file.
const wrongPrices: [content: string | Buffer, says: string][] = [
  ['', "PRICES_FILE (FILE) can't be read as JSON: it ends too early."],
  ['{"least":{}', "PRICES_FILE (FILE) can't be read as JSON: it ends too early."],
  [Buffer.from([0xff]), "PRICES_FILE (FILE) can't be read as JSON: it is not UTF-8."],
  [
    '{"paymentPercent":"1","paymentPercent":"2"}',
    `PRICES_FILE (FILE) can't be read as JSON: the key "paymentPercent" appears twice.`,
  ],
  [
    '{"paymentPercent":2}',
    `PRICES_FILE can't be used: FILE. Compare it with docs/reference/prices.md.\npaymentPercent must be text, like "2".`,
  ],
]
for (const [content, says] of wrongPrices) {
  test(`refuses a prices file with ${JSON.stringify(String(content))}`, () => {
    const config = pricesFile(content)
    assert.equal(
      sentence(() => loadPrices(config)),
      says.replace('FILE)', `${config.PRICES_FILE})`).replace(' FILE.', ` ${config.PRICES_FILE}.`),
    )
  })
}

test('refuses a prices file that is not there, or is a folder', () => {
  for (const path of [join(folder, 'none'), folder]) {
    assert.equal(
      sentence(() => loadPrices(loadConfig({ PRICES_FILE: path }))),
      `PRICES_FILE can't be read: ${path}. Check the path and its permissions.`,
    )
  }
})

test('the generated documents are up to date', async () => {
  const { app } = await testApp({ environment: { BRAND_NAME: 'Mfuko' } })
  for (const { path, text } of generatedDocuments(app)) {
    assert.equal(readFileSync(path, 'utf8'), text, `${path} is stale. Run: npm run docs`)
  }
})

test('the OpenAPI document is 3.1, and every operation is described, named once and can fail in documented ways', async () => {
  const more = (http: Http) =>
    openScope(http, {
      limit: 'anonymous',
      routes: (scope) => {
        const told = { summary: 'x', tags: ['x'], operationId: 'probe' }
        const answer = Type.Object({ a: Type.String() }, { description: 'x', examples: [{ a: 'b' }] })
        const schema = { ...told, body: answer, response: { 200: answer } }
        scope.post('/probe', { schema }, async (request) => request.body)
      },
    })
  const { app } = await testApp({ more })
  const document = JSON.parse((await app.inject('/openapi.json')).body)
  assert.equal(document.openapi, '3.1.0')
  const names = new Set<string>()
  for (const [path, operations] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const where = `${method} ${path}`
      assert.ok(operation.summary && operation.operationId && operation.tags?.length, where)
      assert.ok(!names.has(operation.operationId), where)
      names.add(operation.operationId)
      assert.doesNotMatch(JSON.stringify(operation.responses), /Default Response/, where)
      const statuses = ['400', '429', '500', '503', ...(operation.requestBody ? ['413', '415', '422'] : [])]
      for (const status of statuses) assert.ok(operation.responses[status], `${where} ${status}`)
      const takesKey = operation.parameters?.some(({ name }) => name === 'idempotency-key')
      for (const [status, { headers }] of Object.entries(operation.responses)) {
        const named = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
        if (status === '429' || status === '503') named.push('Retry-After')
        if (takesKey && status.startsWith('2')) named.push('Idempotency-Replayed')
        assert.deepEqual(Object.keys(headers ?? {}), named, `${where} ${status}`)
        for (const name of named) assert.ok(document.components.headers[name].description, name)
      }
      // The one route that is content without a body: its token may be in a header, or in the cookie.
      assert.equal(operation.requestBody?.required ?? true, path !== '/api/auth/refresh', where)
      const success = operation.responses['200'] ?? operation.responses['201']
      assert.ok(JSON.stringify(success).includes('"example'), `${where} has an example`)
    }
  }
  assert.deepEqual(
    document.components.schemas.ErrorReply.properties.code.enum,
    Object.keys(catalogue),
    'every code of the catalogue, and no other',
  )
})

interface Operation {
  summary: string
  operationId: string
  tags: string[]
  parameters?: { name: string }[]
  requestBody?: { required: boolean }
  responses: Record<string, { headers?: object }>
}
