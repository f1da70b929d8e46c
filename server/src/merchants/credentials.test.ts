// Credentials: rotated with a grace, at most two at a time; a Client Secret shown again for the password; the one answer
// that shows a value repeatable for ten minutes; and nothing of them in the database that opens anything.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { application, keyed, newBusiness, type TestBusiness, theOperator } from '../../test/businesses.ts'
import { testApp } from '../../test/helpers.ts'
import { type Reply, register, testPassword } from '../../test/people.ts'
import { merchantJobs } from './jobs.ts'

const server = await testApp()
const { clock, merchants, db } = server
const password = testPassword

const check = (reply: Reply, [status, code]: [number, string?]) => {
  assert.equal(reply.status, status, reply.text)
  if (code !== undefined) assert.equal(reply.body.code, code, reply.text)
}

const rotate = async ({ owner }: TestBusiness, body: object = {}, headers: Record<string, string> = {}) => {
  const reply = await owner.call('POST', '/api/merchant/rotate-key', { password, ...body }, headers)
  check(reply, [200])
  return reply.body.data as { value: string; previous_valid_until: string | null; mode: string; what: string }
}

const opens = async (key: string) => (await keyed(server, key)('GET', '/api/merchant')).status === 200

describe('rotating an API key', () => {
  test('the old one works until the grace ends', async () => {
    const business = await newBusiness(server)
    const made = await rotate(business)
    assert.deepEqual([made.mode, made.what], ['live', 'api_key'])
    assert.match(made.value, /^svc_live_/)
    assert.equal(made.previous_valid_until, new Date(clock.now().getTime() + 24 * 3_600_000).toISOString())
    assert.deepEqual([await opens(business.liveKey), await opens(made.value)], [true, true])
    const seen = await business.callLive('GET', '/api/merchant')
    assert.equal(seen.body.data.credentials.live.api_key_prefix, made.value.slice(0, 21))
    assert.equal(seen.body.data.credentials.live.api_key_previous_valid_until, made.previous_valid_until)
    clock.advance(24 * 3_600 - 1)
    assert.deepEqual([await opens(business.liveKey), await opens(made.value)], [true, true])
    clock.advance(1)
    assert.deepEqual([await opens(business.liveKey), await opens(made.value)], [false, true])
    assert.equal(await opens(business.testKey), true, 'the other mode is untouched')
  })

  test('a third drops the oldest', async () => {
    const business = await newBusiness(server)
    const second = await rotate(business)
    const third = await rotate(business)
    assert.deepEqual(
      [await opens(business.liveKey), await opens(second.value), await opens(third.value)],
      [false, true, true],
    )
  })

  test('without a grace it ends at once', async () => {
    const business = await newBusiness(server)
    const made = await rotate(business, { mode: 'test', grace_hours: 0 })
    assert.equal(made.previous_valid_until, clock.now().toISOString())
    assert.deepEqual([await opens(business.testKey), await opens(made.value)], [false, true])
    assert.equal(await opens(business.liveKey), true)
  })

  test('before the live pair was ever shown: the Client Secret is made too, so that notifications leave', async () => {
    const business = await newBusiness(server, { approved: false })
    await (await theOperator(server)).call('POST', `/api/operator/applications/${business.id}/approve`)
    const made = await rotate(business, { mode: 'live' })
    assert.equal(made.previous_valid_until, null)
    const keys = await merchants.keysOf(business.id, 'live')
    const url = '/api/merchant/credentials/reveal'
    const shown = await business.owner.call('POST', url, { mode: 'live', password })
    check(shown, [200])
    assert.deepEqual(keys?.all, [shown.body.data.client_secret])
    assert.equal(await opens(made.value), true)
  })

  test('many at once: two work in the end', async () => {
    const business = await newBusiness(server)
    const made = await Promise.all(Array.from({ length: 5 }, () => rotate(business)))
    const all = [business.liveKey, ...made.map(({ value }) => value)]
    const open = await Promise.all(all.map(opens))
    assert.equal(open.filter(Boolean).length, 2)
    const current = await db.rows(
      'select 1 from merchants.api_keys where merchant_id = $1 and expires_at is null',
      [business.id],
    )
    assert.equal(current.length, 2, 'one a mode is there to stay')
  })

  const rows: [what: string, body: object, expected: [number, string], field?: string][] = [
    ['no password', { password: undefined }, [422, 'validation_failed'], 'password'],
    ['a wrong password', { password: 'not this one' }, [422, 'validation_failed'], 'password'],
    ['too long a grace', { grace_hours: 73 }, [422, 'validation_failed'], 'grace_hours'],
    ['a negative grace', { grace_hours: -1 }, [422, 'validation_failed'], 'grace_hours'],
    ['half an hour', { grace_hours: 0.5 }, [422, 'validation_failed'], 'grace_hours'],
    ['another mode', { mode: 'prod' }, [422, 'validation_failed'], 'mode'],
    ['another thing', { what: 'merchant_id' }, [422, 'validation_failed'], 'what'],
    ['live before the approval', {}, [403, 'forbidden']],
  ]
  test('what is refused', async () => {
    const { owner } = await newBusiness(server, { approved: false })
    for (const [what, body, expected, field] of rows) {
      const reply = await owner.call('POST', '/api/merchant/rotate-key', { password, ...body })
      check(reply, expected)
      if (field !== undefined) assert.deepEqual(Object.keys(reply.body.errors), [field], what)
    }
    const nobody = await register(server)
    check(await nobody.call('POST', '/api/merchant/rotate-key', { password }), [404, 'not_found'])
  })
})

describe('rotating a Client Secret', () => {
  test('during the grace the old one signs, and both are there', async () => {
    const business = await newBusiness(server)
    const { id, liveSecret } = business
    assert.deepEqual(await merchants.keysOf(id, 'live'), { current: liveSecret, all: [liveSecret] })
    const made = await rotate(business, { what: 'client_secret', grace_hours: 2 })
    assert.match(made.value, /^whsec_/)
    assert.deepEqual(await merchants.keysOf(id, 'live'), {
      current: liveSecret,
      all: [liveSecret, made.value],
    })
    const third = await rotate(business, { what: 'client_secret', grace_hours: 2 })
    assert.deepEqual(await merchants.keysOf(id, 'live'), {
      current: made.value,
      all: [made.value, third.value],
    })
    clock.advance(2 * 3_600)
    assert.deepEqual(await merchants.keysOf(id, 'live'), { current: third.value, all: [third.value] })
    const last = await rotate(business, { what: 'client_secret', grace_hours: 0 })
    assert.deepEqual(await merchants.keysOf(id, 'live'), { current: last.value, all: [last.value] })
    assert.deepEqual((await merchants.keysOf(id, 'test'))?.all, [business.testSecret])
    assert.equal(await merchants.keysOf(12_345_678, 'live'), undefined)
  })
})

describe('showing a Client Secret again', () => {
  const reveal = (business: TestBusiness, body: object) =>
    business.owner.call('POST', '/api/merchant/credentials/reveal', body)

  test('for the password, the one that is there to stay', async () => {
    const business = await newBusiness(server)
    const shown = await reveal(business, { mode: 'live', password })
    assert.deepEqual(shown.body.data, { mode: 'live', client_secret: business.liveSecret })
    assert.equal(
      (await reveal(business, { mode: 'test', password })).body.data.client_secret,
      business.testSecret,
    )
    const made = await rotate(business, { what: 'client_secret' })
    assert.equal((await reveal(business, { mode: 'live', password })).body.data.client_secret, made.value)
  })

  test('not without, not before the approval, and not the API key', async () => {
    const business = await newBusiness(server, { approved: false })
    check(await reveal(business, { mode: 'test' }), [422, 'validation_failed'])
    const wrong = await reveal(business, { mode: 'test', password: 'not this one' })
    check(wrong, [422, 'validation_failed'])
    assert.ok(!wrong.text.includes('whsec_'))
    check(await reveal(business, { mode: 'live', password }), [403, 'forbidden'])
    assert.ok(!(await reveal(business, { mode: 'test', password })).text.includes('svc_'))
  })

  test('guessing the password ends soon, also with the right one', async () => {
    const business = await newBusiness(server, { approved: false })
    const guesses = Array.from({ length: 12 }, (_, at) => `guess number ${at}`)
    const statuses: number[] = []
    for (const guess of guesses)
      statuses.push((await reveal(business, { mode: 'test', password: guess })).status)
    assert.deepEqual([...new Set(statuses)], [422, 429])
    check(await reveal(business, { mode: 'test', password }), [429, 'rate_limited'])
  })
})

describe('an answer that got lost', () => {
  const key = (name: string) => ({ 'idempotency-key': name })

  test('of registering is given again, byte for byte, for ten minutes', async () => {
    const owner = await register(server)
    const send = (fields: object = {}) =>
      owner.call('POST', '/api/merchant/register', { ...application, ...fields }, key('one'))
    const first = await send()
    check(first, [201])
    const second = await send()
    check(second, [201])
    assert.equal(second.text, first.text)
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal(first.headers['idempotency-replayed'], undefined)
    check(await send({ business_name: 'Another' }), [422, 'idempotency_conflict'])
    clock.advance(601)
    const late = await send()
    check(late, [422, 'invalid_state'])
    assert.match(late.body.message, /done already/)
    clock.advance(7 * 86_400)
  })

  test('of rotating too, with the password, and only to the same caller', async () => {
    const one = await newBusiness(server)
    const other = await newBusiness(server)
    const first = await rotate(one, {}, key('same'))
    const again = await rotate(one, {}, key('same'))
    assert.deepEqual(again, first)
    assert.notEqual((await rotate(other, {}, key('same'))).value, first.value)
    const wrong = await one.owner.call('POST', '/api/merchant/rotate-key', { password: 'x' }, key('same'))
    check(wrong, [422, 'validation_failed'])
    const elsewhere = await one.owner.call(
      'POST',
      '/api/merchant/rotate-key',
      { password, mode: 'test' },
      key('same'),
    )
    check(elsewhere, [422, 'idempotency_conflict'])
  })

  test('equal ones at the same moment rotate once', async () => {
    const business = await newBusiness(server)
    const made = await Promise.all(Array.from({ length: 6 }, () => rotate(business, {}, key('at-once'))))
    assert.equal(new Set(made.map(({ value }) => value)).size, 1)
    const rows = await db.rows(`select 1 from merchants.api_keys where merchant_id = $1 and mode = 'live'`, [
      business.id,
    ])
    assert.equal(rows.length, 2)
  })

  test('what was refused leaves the key to the next', async () => {
    const { owner } = await newBusiness(server, { approved: false })
    const send = (body: object) =>
      owner.call('POST', '/api/merchant/rotate-key', { password, ...body }, key('again'))
    check(await send({ mode: 'live' }), [403])
    check(await send({ mode: 'test' }), [200])
  })

  test('what it showed is wiped when nobody can ask for it any more', async () => {
    const business = await newBusiness(server)
    await rotate(business, {}, key('wiped'))
    const sealed = async () =>
      (await db.rows('select 1 from merchants.answers where sealed is not null')).length
    assert.ok((await sealed()) > 0)
    const { tasks } = merchantJobs({
      db,
      clock,
      log: { ...console, fatal: console.error, debug: () => undefined },
    })
    const context = { signal: undefined, attempt: 1 }
    clock.advance(601)
    await tasks.wipe_shown_secrets?.({}, context)
    assert.equal(await sealed(), 0)
    assert.ok(
      (await db.rows('select 1 from merchants.answers')).length > 0,
      'that it was done is still known',
    )
    clock.advance(8 * 86_400)
    await tasks.sweep_merchants?.({}, context)
    assert.equal((await db.rows('select 1 from merchants.answers')).length, 0)
  })

  for (const bad of ['', 'with space', 'x'.repeat(256), 'é'])
    test(`a key of another form is refused: ${JSON.stringify(bad.slice(0, 20))}`, async () => {
      const { owner } = await newBusiness(server, { approved: false })
      const reply = await owner.call('POST', '/api/merchant/rotate-key', { password, mode: 'test' }, key(bad))
      check(reply, [422, 'validation_failed'])
      assert.deepEqual(Object.keys(reply.body.errors), ['Idempotency-Key'])
    })
})

describe('the live pair, shown again because the answer may have got lost', () => {
  const look = async ({ owner }: TestBusiness) => {
    const reply = await owner.call('GET', '/api/merchant')
    check(reply, [200])
    const { api_key: key, client_secret: secret } = reply.body.data.credentials.live
    return [key, secret]
  }
  const nothing = [undefined, undefined]

  test('to its owner, for ten minutes, and audited each time', async () => {
    const business = await newBusiness(server)
    const pair = [business.liveKey, business.liveSecret]
    clock.advance(599)
    assert.deepEqual([await look(business), await look(business)], [pair, pair])
    const other = await business.callTest('GET', '/api/merchant')
    assert.equal(other.body.data.credentials.live.api_key, undefined, 'a key shows nothing')
    clock.advance(2)
    assert.deepEqual(await look(business), nothing)
    const shown = await db.rows<{ details: { mode: string; made: boolean } }>(
      `select details from audit.events where action = 'credential.shown' and object = $1 order by id`,
      [String(business.id)],
    )
    assert.deepEqual(
      shown.filter(({ details }) => details.mode === 'live').map(({ details }) => details.made),
      [true, false, false],
    )
  })

  test('not after it was used, replaced or suspended', async () => {
    const [used, replaced, suspended] = [
      await newBusiness(server),
      await newBusiness(server),
      await newBusiness(server),
    ]
    check(await used.callLive('GET', '/api/merchant'), [200])
    await merchants.flushUses()
    assert.deepEqual(await look(used), nothing)
    await rotate(replaced)
    assert.deepEqual(await look(replaced), nothing)
    const operator = await theOperator(server)
    const url = `/api/operator/merchants/${suspended.id}/suspend`
    check(await operator.call('POST', url, { reason: 'Complaints' }), [200])
    assert.deepEqual(await look(suspended), nothing)
  })

  test('a Client Secret that was replaced meanwhile is not what the first look showed', async () => {
    const business = await newBusiness(server)
    clock.advance(1)
    await rotate(business, { what: 'client_secret' })
    assert.deepEqual(await look(business), [business.liveKey, undefined])
  })

  test('sealed in its row, opens in no other, and is wiped', async () => {
    const [one, other] = [await newBusiness(server), await newBusiness(server)]
    const where = `merchant_id = $1 and mode = 'live'`
    const sealedOf = async ({ id }: TestBusiness) =>
      (await db.row<{ sealed: Buffer | null }>(`select sealed from merchants.api_keys where ${where}`, [id]))
        ?.sealed
    await db.rows(`update merchants.api_keys set sealed = $2 where ${where}`, [one.id, await sealedOf(other)])
    const reply = await one.owner.call('GET', '/api/merchant')
    check(reply, [500, 'internal_error'])
    assert.ok(!reply.text.includes(other.liveKey))
    const log = { ...console, fatal: console.error, debug: () => undefined }
    const { tasks } = merchantJobs({ db, clock, log })
    clock.advance(601)
    await tasks.wipe_shown_secrets?.({}, { signal: undefined, attempt: 1 })
    assert.deepEqual([await sealedOf(one), await sealedOf(other)], [null, null])
  })
})

describe('at rest', () => {
  test('no row of any table has a value that opens something', async () => {
    const business = await newBusiness(server)
    const rotated = await rotate(business, { what: 'client_secret' }, { 'idempotency-key': 'at-rest' })
    const planted = [
      business.testKey,
      business.liveKey,
      business.testSecret,
      business.liveSecret,
      rotated.value,
    ]
    const forms = planted.flatMap((value) => {
      const bytes = value.startsWith('whsec_')
        ? Buffer.from(value.slice(6), 'base64')
        : Buffer.from(value.slice(9))
      return [
        value,
        Buffer.from(value).toString('base64'),
        Buffer.from(value).toString('hex'),
        bytes.toString('hex'),
        bytes.toString('base64').replace(/=+$/, ''),
        createHash('sha256').update(value).digest('hex'),
      ]
    })
    const tables = await db.rows<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema in ('merchants', 'audit', 'mail', 'users', 'notifications')`,
    )
    assert.ok(tables.length > 10)
    for (const { name } of tables) {
      const [{ dump = '' } = {}] = await db.rows<{ dump: string }>(
        `select coalesce(string_agg(t::text, E'\\n'), '') as dump from ${name} t`,
      )
      for (const form of forms) assert.ok(!dump.includes(form), `${name} has ${form.slice(0, 12)}…`)
    }
    assert.ok(!server.log.text().includes(business.liveKey.slice(21)))
    assert.ok(!server.log.text().includes(business.liveSecret.slice(6)))
  })

  test('a Client Secret that was moved to another row opens nothing', async () => {
    const one = await newBusiness(server)
    const other = await newBusiness(server)
    const sealedOf = (id: number) =>
      db.row<{ id: string; sealed: Buffer }>(
        `select id, sealed from merchants.client_secrets where merchant_id = $1 and mode = 'live'`,
        [id],
      )
    const [mine, theirs] = [await sealedOf(one.id), await sealedOf(other.id)]
    await db.rows('update merchants.client_secrets set sealed = $2 where id = $1', [mine?.id, theirs?.sealed])
    await db.rows('insert into merchants.changes (merchant_id) values ($1)', [one.id])
    const { owner } = one
    const reply = await owner.call('POST', '/api/merchant/credentials/reveal', { mode: 'live', password })
    check(reply, [500, 'internal_error'])
    assert.ok(!reply.text.includes(other.liveSecret))
  })
})
