// Passwords: argon2id with a pepper, made anew when parameters or keys have changed; a bounded queue.
import assert from 'node:assert/strict'
import { argon2Sync, createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { AppError } from '../base/errors.ts'
import { Secret } from '../base/secret.ts'
import { type HashThreads, openHashThreads } from './hash-threads.ts'
import { type Cost, costsUpTo, openPasswords } from './passwords.ts'

const secretOf = (word: string, older: Secret[] = []) =>
  new Secret(createHash('sha256').update(word).digest(), older)
const opened: { close(): Promise<void> }[] = []
const open = (...parameters: Parameters<typeof openPasswords>) => {
  const passwords = openPasswords(...parameters)
  opened.push(passwords)
  return passwords
}
after(() => Promise.all(opened.map((one) => one.close())))

const cheap = { cost: { memory: 1_024, passes: 1, parallelism: 1 }, threads: 1 }

test('a hash is argon2id with the parameters of today, in PHC form, and peppered', async () => {
  const passwords = open(secretOf('pepper'))
  const stored = await passwords.hash('kahawa tatu za asubuhi')
  const found = /^\$argon2id\$v=19\$m=19456,t=2,p=1,keyid=[\w-]{8}\$([^$]{22})\$([^$]{43})$/.exec(stored)
  assert.ok(found, stored)
  const plain = argon2Sync('argon2id', {
    message: 'kahawa tatu za asubuhi',
    nonce: Buffer.from(found[1] ?? '', 'base64'),
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  })
  assert.notEqual(plain.toString('base64').replace(/=/, ''), found[2])
  assert.notEqual(await passwords.hash('kahawa tatu za asubuhi'), stored)
  assert.deepEqual(await passwords.verify('kahawa tatu za asubuhi', stored), { right: true, outdated: false })
  for (const other of ['kahawa tatu za asubuhi ', 'Kahawa tatu za asubuhi', '', 'x'])
    assert.deepEqual(await passwords.verify(other, stored), { right: false, outdated: false })
})

test('the exact characters count, whatever their script', async () => {
  const passwords = open(secretOf('pepper'), cheap)
  const stored = await passwords.hash('nywi\u0301la ya 🐘')
  assert.equal((await passwords.verify('nywi\u0301la ya 🐘', stored)).right, true)
  assert.equal((await passwords.verify('nyw\u00edla ya 🐘', stored)).right, false)
})

test('where nothing is kept a hash is made all the same', async () => {
  const passwords = open(secretOf('pepper'), cheap)
  assert.deepEqual(await passwords.verify('anything at all', undefined), { right: false, outdated: false })
  assert.equal(passwords.made(), 1)
})

describe('the work is the same, whatever is compared with what', () => {
  const [low, middle, high] = [1, 2, 3].map((passes) => ({ ...cheap.cost, passes })) as [Cost, Cost, Cost]
  const asked: string[] = []
  const threads = openHashThreads(1)
  const counted: HashThreads = {
    argon2id: (parameters) => {
      asked.push(`m=${parameters.memory} t=${parameters.passes}`)
      return threads.argon2id(parameters)
    },
    close: threads.close,
  }
  /** The hashes that are made for each, in their order. */
  const rows: [what: string, past: Cost[], work: string[]][] = [
    ['one cost', [], ['m=1024 t=3']],
    ['raised once', [low], ['m=1024 t=1', 'm=1024 t=3']],
    ['raised twice', [low, middle], ['m=1024 t=1', 'm=1024 t=2', 'm=1024 t=3']],
  ]
  for (const [what, outgrown, work] of rows) {
    test(what, async () => {
      const passwords = open(secretOf('pepper'), { cost: high, outgrown, threads: counted })
      const kept: Record<string, string | undefined> = { nobody: undefined }
      for (const cost of [...outgrown, high])
        kept[`t=${cost.passes}`] = await open(secretOf('pepper'), { cost, threads: 1 }).hash('some password')
      kept['a key that is gone'] = await open(secretOf('lost'), { cost: low, threads: 1 }).hash(
        'some password',
      )
      for (const [whose, stored] of Object.entries(kept)) {
        for (const password of ['some password', 'another one']) {
          asked.length = 0
          const { right, outdated, better } = await passwords.verify(password, stored)
          assert.deepEqual(asked, work, `${password} for ${whose}`)
          assert.equal(right, password === 'some password' && whose.startsWith('t='))
          assert.deepEqual([outdated, better !== undefined], Array(2).fill(right && whose !== 't=3'), whose)
          if (better !== undefined)
            assert.deepEqual(await passwords.verify(password, better), { right: true, outdated: false })
        }
      }
    })
  }

  test('in a service: standard is one hash, high is both', () => {
    const costs = (name: 'standard' | 'high') => {
      const { cost, outgrown } = costsUpTo(name)
      return [...outgrown, cost].map(({ memory, passes }) => `m=${memory} t=${passes}`)
    }
    assert.deepEqual(costs('standard'), ['m=19456 t=2'])
    assert.deepEqual(costs('high'), ['m=19456 t=2', 'm=65536 t=3'])
  })

  test('lowered: what was made before is still right', async () => {
    const stored = await open(secretOf('pepper'), { cost: high, threads: 1 }).hash('some password')
    const passwords = open(secretOf('pepper'), { cost: low, threads: 1 })
    assert.deepEqual(await passwords.verify('some password', stored), { right: true, outdated: false })
    assert.deepEqual(await passwords.verify('another one', stored), { right: false, outdated: false })
  })
})

test('outdated: other parameters, or another pepper; without the pepper nothing is right', async () => {
  const stored = await open(secretOf('one'), cheap).hash('some password')
  const grown = open(secretOf('one'), { cost: { ...cheap.cost, passes: 2 }, threads: 1 })
  assert.deepEqual(await grown.verify('some password', stored), { right: true, outdated: true })
  assert.deepEqual(await grown.verify('another one', stored), { right: false, outdated: false })
  const replaced = open(secretOf('two', [secretOf('one')]), cheap)
  assert.deepEqual(await replaced.verify('some password', stored), { right: true, outdated: true })
  assert.equal((await open(secretOf('two'), cheap).verify('some password', stored)).right, false)
})

test('64 wait, the next is sent away before any work; closing sends all away', async () => {
  const threads = openHashThreads(1)
  const parameters = {
    message: 'x'.repeat(10),
    nonce: Buffer.alloc(16),
    memory: 8_192,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  }
  const running = Array.from({ length: 65 }, () => threads.argon2id(parameters))
  await assert.rejects(threads.argon2id(parameters), (error) => {
    assert.ok(error instanceof AppError)
    assert.deepEqual(
      { code: error.code, retryAfter: error.retryAfter },
      { code: 'rate_limited', retryAfter: 1 },
    )
    return true
  })
  assert.equal((await running[0])?.length, 32)
  const ended = Promise.allSettled(running)
  await threads.close()
  const outcomes = await ended
  assert.ok(outcomes.some(({ status }) => status === 'rejected'))
  await assert.rejects(threads.argon2id(parameters), { code: 'unavailable' })
})

test('hashes leave the event loop free, and Node’s own threads too', async () => {
  const passwords = open(secretOf('pepper'))
  await passwords.hash('warm up the threads')
  const flood = Promise.all(Array.from({ length: 20 }, () => passwords.hash('a flood of logins')))
  const { readFile } = await import('node:fs/promises')
  const times: number[] = []
  for (let n = 0; n < 21; n++) {
    const begun = performance.now()
    await readFile(import.meta.filename)
    times.push(performance.now() - begun)
  }
  await flood
  // A hash takes 50 ms: if files waited for one, most would show it.
  const median = times.toSorted((a, b) => a - b)[10] ?? 0
  assert.ok(median < 25, `half of the files were read within ${median.toFixed(1)} ms`)
})
