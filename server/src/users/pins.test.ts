// The PIN: a try is counted before it is compared, on however many processes; five wrong ones lock it for half an hour,
// ten for good; every counted failure changes the guard that money rests on.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { codeSentTo, goodPassword, mailsTo, newAccount, openAsk } from '../../test/accounts.ts'
import { testApp, testConfig, testDatabase, testLog, testSecrets } from '../../test/helpers.ts'
import type { AppError } from '../base/errors.ts'
import { Secret } from '../base/secret.ts'
import { openDb } from '../db/db.ts'
import { openUsers, type Users } from './users.ts'

const database = await testDatabase()
const { app, db, users, ledger, clock } = await testApp({ database })
const ask = openAsk(app)
const start = clock.now().toISOString()
beforeEach(() => clock.set(start))
const pin = '4821'
const wrongPin = '7305'

async function openOther(secrets = testSecrets): Promise<Users> {
  const otherDb = openDb({ url: database.url, connectionsMax: 4, name: 'mfuko other' })
  const other = await openUsers({
    db: otherDb,
    url: database.url,
    ledger,
    clock,
    log: testLog().log,
    secrets,
    baseUrl: 'http://localhost:8080',
    config: testConfig(),
  })
  after(async () => {
    await other.close()
    await otherDb.close()
  })
  return other
}
const other = await openOther()

/** `ok`, `pin_locked`, or `pin_incorrect 3`. */
const tried = (by: Users, user: string, guess: string): Promise<string> =>
  by.checkPin({ user, pin: guess, origin: {} }).then(
    () => 'ok',
    ({ code, attemptsLeft }: AppError) => (attemptsLeft === undefined ? code : `${code} ${attemptsLeft}`),
  )

const guardOf = async (user: string) => (await ledger.guards(db, [user])).get(user) ?? 0n

describe('tries', () => {
  test('the table: five lock, half an hour later five more disable, a new PIN mends all', async () => {
    const { id, token } = await newAccount(app, { pin })
    const rows: [guess: string, outcome: string, minutes?: number][] = [
      [pin, 'ok'],
      [wrongPin, 'pin_incorrect 4'],
      [wrongPin, 'pin_incorrect 3'],
      [pin, 'ok'],
      [wrongPin, 'pin_incorrect 4'],
      [wrongPin, 'pin_incorrect 3'],
      [wrongPin, 'pin_incorrect 2'],
      [wrongPin, 'pin_incorrect 1'],
      [wrongPin, 'pin_incorrect 0'],
      [wrongPin, 'pin_locked'],
      [pin, 'pin_locked'],
      [pin, 'pin_locked', 29],
      [wrongPin, 'pin_incorrect 4', 2],
      [wrongPin, 'pin_incorrect 3'],
      [wrongPin, 'pin_incorrect 2'],
      [wrongPin, 'pin_incorrect 1'],
      [wrongPin, 'pin_incorrect 0'],
      [pin, 'pin_locked'],
      [pin, 'pin_locked', 600],
    ]
    for (const [place, [guess, outcome, minutes = 0]] of rows.entries()) {
      clock.advance(minutes * 60)
      assert.equal(await tried(place % 2 === 0 ? users : other, id, guess), outcome, `row ${place + 1}`)
      // What the other process has counted is known here when it is looked at again.
      users.forget(id)
      other.forget(id)
    }
    clock.set(start)
    assert.equal(
      (await ask('PUT /api/me/pin', { pin: '9062', password: goodPassword }, { token })).status,
      200,
    )
    assert.equal(await tried(users, id, '9062'), 'ok')
    assert.equal(await tried(users, id, pin), 'pin_incorrect 4')
  })

  test('a right one after the lock is over starts anew', async () => {
    const { id } = await newAccount(app, { pin })
    for (let n = 0; n < 5; n++) await tried(users, id, wrongPin)
    clock.advance(30 * 60)
    assert.equal(await tried(users, id, pin), 'ok')
    assert.equal(await tried(users, id, wrongPin), 'pin_incorrect 4')
  })

  test('each counted failure changes the guard; a right one at ease costs nothing', async () => {
    const { id } = await newAccount(app, { pin })
    const first = await guardOf(id)
    assert.equal((await users.checkPin({ user: id, pin, origin: {} })).person.guard, first)
    assert.equal(await guardOf(id), first)
    await tried(users, id, wrongPin)
    const second = await guardOf(id)
    assert.notEqual(second, first)
    const { person } = await users.checkPin({ user: id, pin, origin: {} })
    assert.notEqual(person.guard, second)
    assert.equal(person.guard, await guardOf(id))
    assert.equal((await users.checkPin({ user: id, pin, origin: {} })).person.guard, person.guard)
  })

  test('what is remembered elsewhere may be old, but then its guard is old too', async () => {
    const { id } = await newAccount(app, { pin })
    const { person } = await other.checkPin({ user: id, pin, origin: {} })
    for (let n = 0; n < 5; n++) await tried(users, id, wrongPin)
    assert.notEqual(person.guard, await guardOf(id))
    other.forget(id)
    assert.equal(await tried(other, id, pin), 'pin_locked')
  })

  for (const [what, by] of [
    ['one process', [users]],
    ['two processes', [users, other]],
  ] as const) {
    test(`200 guesses at once on ${what}: five are evaluated`, async () => {
      const { id } = await newAccount(app, { pin })
      const guesses = Array.from({ length: 200 }, (_, n) => String(5_000 + n))
      const outcomes = await Promise.all(
        guesses.map((guess, n) => tried(by[n % by.length] ?? users, id, guess)),
      )
      const wrong = outcomes.filter((outcome) => outcome.startsWith('pin_incorrect'))
      assert.deepEqual(
        wrong.toSorted(),
        [0, 1, 2, 3, 4].map((left) => `pin_incorrect ${left}`),
      )
      assert.equal(outcomes.filter((outcome) => outcome === 'pin_locked').length, 195)
      const row = await db.row<{ failures: number }>('select failures from users.pins where user_id = $1', [
        id,
      ])
      assert.equal(row?.failures, 5)
    })
  }

  test('the right one among 200 at once, behind the wrong ones: it is never reached', async () => {
    const { id } = await newAccount(app, { pin })
    await users.person(id)
    const guesses = [...Array.from({ length: 199 }, (_, n) => String(5_000 + n)), pin]
    const outcomes = await Promise.all(guesses.map((guess) => tried(users, id, guess)))
    assert.equal(outcomes.filter((outcome) => outcome !== 'pin_locked').length, 5)
    assert.equal(outcomes.at(-1), 'pin_locked')
  })

  test('none set, or nobody: said so', async () => {
    const { id } = await newAccount(app)
    assert.equal(await tried(users, id, pin), 'pin_not_set')
    assert.equal(await tried(users, 'usr_0000000000000000000000', pin), 'unauthenticated')
  })

  test('failures and locks are written down; a lock is mailed', async () => {
    const { id, token, email } = await newAccount(app, { pin })
    await ask('POST /api/auth/email/confirm', { code: await codeSentTo(db, email) }, { token })
    for (let n = 0; n < 7; n++) await tried(users, id, wrongPin)
    const told = await db.rows<{ action: string }>(
      `select action from audit.events where actor_id = $1 and action like 'pin%' order by id`,
      [id],
    )
    assert.deepEqual(
      told.map(({ action }) => action),
      ['pin.failed', 'pin.failed', 'pin.failed', 'pin.failed', 'pin.locked'],
    )
    assert.equal((await mailsTo(db, email))[0]?.template, 'pin_locked')
  })

  test('the lock that no waiting ends is mailed as such', async () => {
    const { id, token, email } = await newAccount(app, { pin })
    await ask('POST /api/auth/email/confirm', { code: await codeSentTo(db, email) }, { token })
    for (let n = 0; n < 5; n++) await tried(users, id, wrongPin)
    clock.advance(30 * 60)
    for (let n = 0; n < 5; n++) await tried(users, id, wrongPin)
    const locks = await db.rows<{ disabled: string | null }>(
      `select data->>'disabled' as disabled from mail.messages
       where to_address = $1 and template = 'pin_locked' order by number`,
      [email],
    )
    assert.deepEqual(locks, [{ disabled: null }, { disabled: 'yes' }])
  })

  test('after the key was replaced a right PIN is kept under the new one', async () => {
    const { id } = await newAccount(app, { pin })
    const keyOf = async () =>
      (await db.row<{ key_id: string }>('select key_id from users.pins where user_id = $1', [id]))?.key_id
    const before = await keyOf()
    const bytes = createHash('sha256').update('another').digest()
    const replaced = await openOther({ ...testSecrets, pin: new Secret(bytes, [testSecrets.pin]) })
    assert.equal(await tried(replaced, id, wrongPin), 'pin_incorrect 4')
    assert.equal(await tried(replaced, id, pin), 'ok')
    assert.notEqual(await keyOf(), before)
    assert.equal(await tried(replaced, id, pin), 'ok')
  })
})

describe('PUT /api/me/pin', () => {
  const rows: [what: string, body: object, fields: string[]][] = [
    ['nothing', {}, ['password', 'pin']],
    ['a number', { pin: 4821, password: goodPassword }, ['pin']],
    ['a weak one and no password', { pin: '1234' }, ['password', 'pin']],
    ['digits of another script', { pin: '٤٨٢١', password: goodPassword }, ['pin']],
    ['digits of the own phone', { pin: '1938', password: goodPassword }, ['pin']],
    ['the wrong password', { pin: '9062', password: 'not this one' }, ['password']],
  ]
  test('the table of refusals', async () => {
    const { token } = await newAccount(app, { pin, phone: '+256700193847' })
    for (const [what, body, fields] of rows) {
      const { status, body: answer } = await ask('PUT /api/me/pin', body, { token })
      assert.deepEqual([status, Object.keys(answer.errors ?? {}).toSorted()], [422, fields], what)
    }
  })

  test('the first ends no session, a change ends the others; the mail says so', async () => {
    const { token, handle, email } = await newAccount(app)
    await ask('POST /api/auth/email/confirm', { code: await codeSentTo(db, email) }, { token })
    const second = (await ask('POST /api/auth/login', { handle, password: goodPassword })).data.token
    const status = async (of: string) => (await ask('GET /api/me', undefined, { token: of })).status
    const set = (value: string) => ask('PUT /api/me/pin', { pin: value, password: goodPassword }, { token })
    assert.equal((await set(pin)).status, 200)
    assert.equal((await ask('GET /api/me', undefined, { token: second })).data.has_pin, true)
    assert.equal((await set('9062')).status, 200)
    assert.deepEqual([await status(token), await status(second)], [200, 401])
    assert.equal((await mailsTo(db, email))[0]?.template, 'pin_changed')
  })
})
