// Idempotency: under one key at most one posting succeeds, and everybody who repeats it gets the answer of that one,
// byte for byte. A refusal leaves the key free. What is stored of a request gives nothing away.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, afterEach, describe, test } from 'node:test'
import { reconcile, testClock, testDatabase } from '../../test/helpers.ts'
import { checkLedger } from '../../test/ledger-checker.ts'
import { fund, send, userName } from '../../test/ledger-orders.ts'
import { AppError } from '../base/errors.ts'
import { Secret } from '../base/secret.ts'
import { openDb, type Tx } from '../db/db.ts'
import { type Answer, type Outcome, openLedger, type Posting, type RequestKey, requestKey } from './ledger.ts'

const { url } = await testDatabase()
const clock = testClock()
const open = () => openLedger({ url, clock })
const [ledger, second] = [open(), open()]
const db = openDb({ url, connectionsMax: 6, name: 'ledger tests' })
after(() => Promise.all([ledger.close(), second.close(), db.close()]))
afterEach(async () => {
  await checkLedger(url)
  await reconcile({ url })
})

const secret = new Secret(Buffer.alloc(32, 7))
const amina = { kind: 'user', id: 'usr_amina' }
const request = {
  principal: amina,
  mode: 'live',
  route: 'POST /api/send',
  key: 'k-1',
  body: { to: 'juma', amount: '5' },
}
let keys = 0
const newKey = (body: object = {}): RequestKey => {
  keys += 1
  return requestKey(secret, { ...request, key: `key ${keys}`, body })
}
/** The same key, asked with another body. */
const other = (key: RequestKey): RequestKey => ({ ...key, fingerprint: newKey({ other: keys }).fingerprint })

let answersMade = 0
/** Never the same answer twice: equal ones are the same one. */
const keyed = (key: RequestKey, posting: Posting): Posting => ({
  ...posting,
  once: {
    key,
    answer: ({ id }) => {
      answersMade += 1
      return { status: 201, body: `{"id":"${id}","made":${answersMade},"text":"ä \\" ’ 😀"}` }
    },
  },
})

const wordOf = (outcome: Outcome | undefined): string => {
  if (outcome === undefined) return 'no outcome'
  if (!outcome.ok) return outcome.refusal
  return outcome.replayed ? 'replayed' : 'ok'
}
const answerOf = (outcome: Outcome | undefined): Answer | undefined =>
  outcome?.ok ? outcome.answer : undefined
const postOne = async (tx: Tx, posting: Posting) => (await ledger.post(tx, [posting]))[0]
const joined = (posting: Posting) => db.inTransaction((tx) => postOne(tx, posting))

const balanceOf = async (owner: string) => (await ledger.balances(db, [userName(owner)]))[0]?.balance

/** The ways a posting can come in: two ledgers know nothing of each other, like two processes. */
const ways: Record<string, (posting: Posting) => Promise<Outcome | undefined>> = {
  'the same ledger': ledger.submit,
  'another ledger': second.submit,
  'a transaction of the caller': joined,
}

describe('a key', () => {
  for (const [firstName, first] of Object.entries(ways)) {
    for (const [nextName, next] of Object.entries(ways)) {
      test(`used by ${firstName} is known to ${nextName}`, async () => {
        const [owner, key] = [`a-${firstName}-${nextName}`, newKey()]
        const posting = keyed(key, send(owner, 'shop', 60n))
        assert.equal(wordOf(await first(posting)), 'insufficient_funds')
        assert.equal(wordOf(await next(keyed(other(key), send(owner, 'shop', 61n)))), 'insufficient_funds')
        await ledger.submit(fund(owner, 100n))
        const made = await first(posting)
        const again = await next(posting)
        assert.deepEqual([wordOf(made), wordOf(again)], ['ok', 'replayed'])
        assert.deepEqual(answerOf(again), answerOf(made))
        assert.equal(wordOf(await next(keyed(other(key), send(owner, 'shop', 1n)))), 'idempotency_conflict')
        assert.equal(
          wordOf(await next(keyed(other(key), send(owner, 'shop', 1_000n)))),
          'idempotency_conflict',
        )
        assert.equal(await balanceOf(owner), 40n)
      })
    }
  }

  test('twenty times in one batch is one effect and one answer', async () => {
    await ledger.submit(fund('batch', 100n))
    const posting = keyed(newKey(), send('batch', 'shop', 30n))
    for (const run of [
      () => Promise.all(Array.from({ length: 20 }, () => ledger.submit(posting))),
      () =>
        db.inTransaction((tx) =>
          ledger.post(
            tx,
            Array.from({ length: 20 }, () => posting),
          ),
        ),
    ]) {
      const outcomes = await run()
      assert.equal(new Set(outcomes.map((outcome) => answerOf(outcome)?.body)).size, 1)
    }
    assert.equal(await balanceOf('batch'), 70n)
    const fresh = keyed(newKey(), send('batch', 'shop', 30n))
    const words = await db.inTransaction(async (tx) =>
      (await ledger.post(tx, [fresh, fresh, fresh])).map(wordOf),
    )
    assert.deepEqual(words, ['ok', 'replayed', 'replayed'])
    assert.equal(await balanceOf('batch'), 40n)
  })

  test('with different bodies in one batch: one succeeds, the others conflict', async () => {
    await ledger.submit(fund('clash', 1_000n))
    for (const run of [
      (postings: Posting[]) => Promise.all(postings.map((posting) => ledger.submit(posting))),
      (postings: Posting[]) =>
        Promise.all(postings.map((posting, at) => (at % 2 ? ledger : second).submit(posting))),
      (postings: Posting[]) => db.inTransaction((tx) => ledger.post(tx, postings)),
    ]) {
      const key = newKey()
      const before = (await balanceOf('clash')) ?? 0n
      const outcomes = await run(
        Array.from({ length: 10 }, () => keyed(other(key), send('clash', 'shop', 1n))),
      )
      assert.deepEqual(outcomes.map(wordOf).toSorted(), [...Array(9).fill('idempotency_conflict'), 'ok'])
      assert.equal(await balanceOf('clash'), before - 1n)
    }
  })

  test('whose first try is refused in the same batch is free for the second', async () => {
    const posting = keyed(newKey(), send('poor', 'shop', 50n))
    const outcomes = await Promise.all([
      ledger.submit(posting),
      ledger.submit(fund('poor', 50n)),
      ledger.submit(posting),
    ])
    const last = await ledger.submit(posting)
    assert.equal(wordOf(outcomes[1]), 'ok')
    assert.ok(
      [wordOf(outcomes[0]), wordOf(outcomes[2]), wordOf(last)].filter((word) => word === 'ok').length === 1,
    )
    assert.equal(await balanceOf('poor'), 0n)
  })

  test('is answered after the ledger was closed and opened again', async () => {
    await ledger.submit(fund('restart', 100n))
    const before = open()
    const posting = keyed(newKey(), send('restart', 'shop', 10n))
    const made = await before.submit(posting)
    await before.close()
    const afterwards = open()
    assert.deepEqual(answerOf(await afterwards.submit(posting)), answerOf(made))
    await afterwards.close()
    assert.equal(await balanceOf('restart'), 90n)
  })
})

describe('a key that is still being worked on', () => {
  for (const [name, next] of Object.entries(ways)) {
    for (const end of ['commits', 'rolls back'] as const) {
      test(`waits, in ${name}, until the first ${end}`, async () => {
        const [owner, rival, key] = [`w-${name}-${end}`, `r-${name}-${end}`, newKey()]
        await Promise.all([ledger.submit(fund(owner, 100n)), ledger.submit(fund(rival, 100n))])
        const posting = keyed(key, send(owner, 'shop', 10n))
        const waiting: Promise<Outcome | undefined>[] = []
        let made: Outcome | undefined
        const work = db.inTransaction(async (tx) => {
          made = await postOne(tx, posting)
          // The rival's accounts are other ones: nothing but the key stands between them.
          waiting.push(next(posting), next(keyed(other(key), send(rival, `${rival}-shop`, 10n))))
          await tx.rows('select pg_sleep(0.15)')
          if (end === 'rolls back') throw new Error('no')
        })
        await work.catch((error: Error) => assert.equal(error.message, 'no'))
        const [same, changed] = await Promise.all(waiting)
        const words = [wordOf(same), wordOf(changed)]
        if (end === 'commits') {
          assert.deepEqual(words, ['replayed', 'idempotency_conflict'])
          assert.deepEqual(answerOf(same), answerOf(made))
        } else assert.deepEqual(words.toSorted(), ['idempotency_conflict', 'ok'])
        const spent = 200n - ((await balanceOf(owner)) ?? 0n) - ((await balanceOf(rival)) ?? 0n)
        assert.equal(spent, 10n)
      })
    }
  }

  test('with another body that is refused: the right one gets its answer all the same', async () => {
    await ledger.submit(fund('honest', 100n))
    const posting = keyed(newKey(), send('honest', 'shop', 10n))
    const key = posting.once?.key
    assert.ok(key)
    const made = await second.submit(posting)
    // Another process has answered it, so this one knows nothing of the key yet.
    const [wrong, right] = await Promise.all([
      ledger.submit(keyed(other(key), send('honest', 'shop', 11n))),
      ledger.submit(posting),
    ])
    assert.deepEqual([wordOf(wrong), wordOf(right)], ['idempotency_conflict', 'replayed'])
    assert.deepEqual(answerOf(right), answerOf(made))
  })

  test('with another body that can not be paid: the key is free for the one that can', async () => {
    await ledger.submit(fund('modest', 20n))
    const key = newKey()
    const outcomes = await Promise.all([
      ledger.submit(keyed(other(key), send('modest', 'shop', 21n))),
      ledger.submit(keyed(key, send('modest', 'shop', 20n))),
    ])
    assert.deepEqual(outcomes.map(wordOf), ['insufficient_funds', 'ok'])
  })

  test('in parallel, from everywhere: one effect', async () => {
    await ledger.submit(fund('busy', 1_000n))
    for (let round = 0; round < 20; round++) {
      const posting = keyed(newKey(), send('busy', 'shop', 1n))
      const outcomes = await Promise.all(
        Object.values(ways).flatMap((way) => Array.from({ length: 5 }, () => way(posting))),
      )
      assert.equal(outcomes.filter((outcome) => wordOf(outcome) === 'ok').length, 1)
      assert.equal(outcomes.filter((outcome) => wordOf(outcome) === 'replayed').length, 14)
      assert.equal(new Set(outcomes.map((outcome) => answerOf(outcome)?.body)).size, 1)
    }
    assert.equal(await balanceOf('busy'), 980n)
  })
})

describe('after seven days', () => {
  const dayMs = 86_400_000
  const start = clock.now().getTime()
  const at = (ms: number) => clock.set(new Date(start + ms).toISOString())
  after(() => at(0))

  test('a key is free again, and not a moment before, wherever it was used and repeated', async () => {
    await ledger.submit(fund('week', 100n))
    for (const [firstName, first] of Object.entries(ways)) {
      for (const [name, next] of Object.entries(ways)) {
        at(0)
        const [key, before] = [newKey({ name }), (await balanceOf('week')) ?? 0n]
        const posting = keyed(key, send('week', 'shop', 1n))
        const made = await first(posting)
        at(7 * dayMs - 1)
        assert.equal(wordOf(await next(posting)), 'replayed', `${firstName}, ${name}`)
        at(7 * dayMs)
        const anew = await next(keyed(other(key), send('week', 'shop', 1n)))
        assert.equal(wordOf(anew), 'ok', `${firstName}, ${name}`)
        assert.notDeepEqual(answerOf(anew), answerOf(made))
        assert.equal(wordOf(await first(posting)), 'idempotency_conflict', `${firstName}, ${name}`)
        assert.equal(await balanceOf('week'), before - 2n)
      }
    }
  })

  test('a key that many use again at once has one effect', async () => {
    await ledger.submit(fund('again', 100n))
    for (let round = 0; round < 10; round++) {
      at(0)
      const posting = keyed(newKey(), send('again', 'shop', 1n))
      await ledger.submit(posting)
      at(8 * dayMs)
      const outcomes = await Promise.all(
        Object.values(ways).flatMap((way) => Array.from({ length: 4 }, () => way(posting))),
      )
      assert.deepEqual(outcomes.map(wordOf).toSorted(), ['ok', ...Array(11).fill('replayed')])
      assert.equal(new Set(outcomes.map((outcome) => answerOf(outcome)?.body)).size, 1)
    }
    assert.equal(await balanceOf('again'), 80n)
  })

  test('the sweep removes what has expired, however much it is, and nothing else', async () => {
    at(0)
    await ledger.sweep()
    await db.rows('delete from ledger.answers')
    await db.rows(
      `insert into ledger.answers (key, fingerprint, status, body, created_at)
       select gen_random_uuid(), gen_random_uuid(), 201, repeat('.', 1500), $1::timestamptz - interval '7 days 1 second'
       from generate_series(1, 2500)`,
      [clock.now()],
    )
    await ledger.submit(fund('swept', 100n))
    const posting = keyed(newKey(), send('swept', 'shop', 1n))
    await ledger.submit(posting)
    assert.equal(await ledger.sweep(), 2_500)
    assert.equal(await ledger.sweep(), 0)
    assert.equal(wordOf(await second.submit(posting)), 'replayed')
    at(7 * dayMs + 1)
    assert.equal(await ledger.sweep(), 1)
    assert.equal((await db.rows('select key from ledger.answers')).length, 0)
  })
})

test('who is refused while the first request is on its way hears what comes of it', async () => {
  await ledger.submit(fund('hurried', 100n))
  const key = newKey()
  const first = ledger.submit(keyed(key, send('hurried', 'shop', 30n)))
  const problem = new AppError('account_frozen')
  const told = await ledger.answeredOr(db, { key, problem })
  assert.deepEqual(told, { answer: answerOf(await first), replayed: true })
  await assert.rejects(ledger.answeredOr(db, { key: newKey(), problem }), problem)
  await assert.rejects(ledger.answeredOr(db, { key: other(key), problem }), { code: 'idempotency_conflict' })
})

describe('requestKey', () => {
  const base = requestKey(secret, request)
  for (const [what, changed] of Object.entries({
    'another principal': { principal: { kind: 'user', id: 'usr_juma' } },
    'another kind of principal': { principal: { kind: 'merchant', id: 'usr_amina' } },
    'parts that run together otherwise': { principal: { kind: 'use', id: 'rusr_amina' } },
    'another mode': { mode: 'test' },
    'another route': { route: 'POST /api/withdraw' },
    'another key': { key: 'k-2' },
    'a key that differs in case': { key: 'K-1' },
  })) {
    test(`${what} is another key, and independent`, async () => {
      const key = requestKey(secret, { ...request, ...changed })
      assert.notEqual(key.id, base.id)
      const owner = `i-${what}`
      await ledger.submit(fund(owner, 10n))
      const postings = [base, key].map((each) => keyed({ ...each, id: each.id }, send(owner, 'shop', 1n)))
      const outcomes = await Promise.all(postings.map((posting) => ledger.submit(posting)))
      assert.equal(wordOf(outcomes[1]), 'ok')
    })
  }

  const print = (body: object) => requestKey(secret, { ...request, body }).fingerprint
  for (const [what, one, two, equal] of [
    ['the PIN', { to: 'a', pin: '4827' }, { to: 'a', pin: '1111' }, true],
    ['a PIN that is missing', { to: 'a', pin: '4827' }, { to: 'a' }, true],
    ['the password', { to: 'a', password: 'x' }, { to: 'a', password: 'y' }, true],
    ['a PIN further down', { to: { pin: '1' } }, { to: { pin: '2' } }, true],
    ['the order of fields', { to: 'a', amount: '5' }, { amount: '5', to: 'a' }, true],
    ['the order of fields further down', { a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, true],
    ['a field that is undefined', { to: 'a', note: undefined }, { to: 'a' }, true],
    ['the recipient', { to: 'a' }, { to: 'b' }, false],
    ['the name of a field', { to: 'a' }, { from: 'a' }, false],
    ['a field more', { to: 'a' }, { to: 'a', note: '' }, false],
    ['null', { to: 'a', note: null }, { to: 'a' }, false],
    ['a number and its text', { amount: 5 }, { amount: '5' }, false],
    ['the order of a list', { to: ['a', 'b'] }, { to: ['b', 'a'] }, false],
    ['a list that runs together', { to: ['a', 'b'] }, { to: ['a,b'] }, false],
    ['quotes that run together', { a: '","b":"' }, { a: '', b: '' }, false],
    ['nesting', { a: { b: 'c' } }, { a: 'b', b: 'c' }, false],
  ] as const) {
    test(`${what} ${equal ? 'makes no difference' : 'makes another fingerprint'}`, () => {
      assert.equal(print(one) === print(two), equal)
    })
  }

  // Answers are kept for a week, over upgrades too: a request that is repeated after one must be known again.
  for (const [body, fingerprint] of [
    [
      { recipient: 'amina', amount: '5000', currency: 'UGX', note: undefined },
      '79130efb-9912-ba97-9f4c-b9c796d22e22',
    ],
    [
      { amount: '5000', currency: 'UGX', note: undefined, recipient: 'amina' },
      '79130efb-9912-ba97-9f4c-b9c796d22e22',
    ],
    [
      { amount: '5', list: [1, { b: 2, a: null }], 10: 'x', 9: 'y', note: 'Chai ☕ "', pin: '1' },
      '7fd2d422-a4ab-f8e7-c7fd-1ff44b8ebf2c',
    ],
  ] as const) {
    test(`is the same in every version: ${JSON.stringify(body)}`, () => {
      const key = requestKey(secret, { ...request, principal: { kind: 'user', id: 'usr_1' }, body })
      assert.deepEqual(key, { id: '14d707f0-c167-f4b3-4dbe-9f7098e4a67e', fingerprint })
    })
  }

  test('depends on the secret', () => {
    const guess = requestKey(new Secret(Buffer.alloc(32, 8)), request)
    assert.notEqual(guess.id, base.id)
    assert.notEqual(guess.fingerprint, base.fingerprint)
  })

  test('what is stored has no PIN in it, and nothing that a PIN could be tried against', async () => {
    const [pin, password] = ['4827', 'karibu-mfuko']
    const bodyOf = (guess: string) => ({ to: 'juma', amount: '5', pin: guess, password })
    const keyOf = (guess: string) => requestKey(secret, { ...request, key: 'pin-test', body: bodyOf(guess) })
    await ledger.submit(fund('pin', 10n))
    assert.equal(wordOf(await ledger.submit(keyed(keyOf(pin), send('pin', 'shop', 1n)))), 'ok')
    const dump = (await db.rows<{ row: string }>('select a::text as row from ledger.answers a')).map(
      ({ row }) => row,
    )
    const stored = dump.join('\n').toLowerCase()
    assert.ok(stored.includes(keyOf(pin).fingerprint), 'the dump is of the right table')
    assert.ok(!stored.includes(password))
    assert.doesNotMatch(stored, new RegExp(`pin|(?<![0-9a-f:.+-])${pin}(?![0-9a-f:.+-])`))
    // Whatever the PIN, the same is stored: a PIN leaves no trace to be found by trying.
    const guesses = Array.from({ length: 10_000 }, (_, at) => at.toString().padStart(4, '0'))
    assert.equal(new Set(guesses.map((guess) => keyOf(guess).fingerprint)).size, 1)
    // And without the secret not even the rest of the body can be tried.
    for (const guess of guesses) {
      const { pin: _, password: __, ...rest } = bodyOf(guess)
      for (const text of [
        guess,
        JSON.stringify(bodyOf(guess)),
        JSON.stringify(rest),
        JSON.stringify(['body', JSON.stringify(rest)]),
      ]) {
        const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
        assert.ok(!stored.replaceAll('-', '').includes(digest), `a digest of ${text} is stored`)
      }
    }
  })
})
