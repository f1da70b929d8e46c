// Settings: safe defaults, every wrong one named at once, nothing guessed in production; and the documents that
// are generated from the code are up to date.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { StartError } from '../src/base/errors.ts'
import { loadConfig, secretNames, secretVariable } from '../src/config.ts'
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
  [{ NODE_ENV: 'production' }, /BASE_URL must be set in production/],
]
for (const [environment, says] of wrong) {
  test(`refuses ${JSON.stringify(environment)}`, () =>
    assert.match(
      sentence(() => loadConfig(environment)),
      says,
    ))
}

const random = (seed: number) =>
  Buffer.from(Array.from({ length: 32 }, (_, n) => (seed * 37 + n * 11) % 256)).toString('base64')
const goodSecrets = Object.fromEntries(
  secretNames.map((name, index) => [secretVariable(name), random(index)]),
)
const production = { NODE_ENV: 'production', BASE_URL: 'https://pay.example' }
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

test('the generated documents are up to date', async () => {
  const { app } = await testApp({ environment: { BRAND_NAME: 'Mfuko' } })
  for (const { path, text } of generatedDocuments(app)) {
    assert.equal(readFileSync(path, 'utf8'), text, `${path} is stale. Run: npm run docs`)
  }
})

test('the OpenAPI document is 3.1, and every operation is described, named once and can fail in documented ways', async () => {
  const { app } = await testApp()
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
      for (const status of ['429', '500', '503']) assert.ok(operation.responses[status], `${where} ${status}`)
      const success = operation.responses['200'] ?? operation.responses['201']
      assert.ok(JSON.stringify(success).includes('"example'), `${where} has an example`)
    }
  }
  assert.ok(document.components.schemas.ErrorReply)
})

interface Operation {
  summary: string
  operationId: string
  tags: string[]
  responses: Record<string, object>
}
