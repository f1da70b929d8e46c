// Who an API key lets in: by which headers, in which mode, from where; what is refused looks alike; what other processes
// decide counts here within two seconds; and a key in the wrong place is refused and written down.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { keyed, newBusiness, theOperator } from '../../test/businesses.ts'
import { testApp, testDatabase, testLog, testSecrets } from '../../test/helpers.ts'
import { eventually } from '../../test/notifications.ts'
import { call, type Reply, testPassword } from '../../test/people.ts'
import { newApiKey } from '../base/api-key.ts'
import { toBase62 } from '../base/ids.ts'
import { openSeal } from '../base/seal.ts'
import { Secret } from '../base/secret.ts'
import { openDb, sealAnew } from '../db/db.ts'
import { clientSecrets, openMerchants } from './merchants.ts'

const database = await testDatabase()
const server = await testApp({ database })
const { db, clock } = server
const business = await newBusiness(server)
const other = await newBusiness(server)
const pending = await newBusiness(server, { approved: false })

const check = (reply: Reply, [status, code]: [number, string?]) => {
  assert.equal(reply.status, status, reply.text)
  if (code !== undefined) assert.equal(reply.body.code, code, reply.text)
}

const verify = '/api/v1/verify-payment/none'
const ask = (url: string, headers: Record<string, string>, to = server) =>
  call(to, { method: 'GET', url, headers })
const gateway = (id: number | string, key: string) => ({ 'svc-merchant-key': String(id), 'svc-api-key': key })
const legacy = (id: number | string, key: string) => ({ 'x-merchant-key': String(id), 'x-api-key': key })

describe('the gateway headers', () => {
  const { id, liveKey, testKey } = business
  const wrongKey = newApiKey('live').text
  const slip = `${liveKey.slice(0, -1)}${liveKey.endsWith('a') ? 'b' : 'a'}`
  // 404: it was let in, and there is no such payment.
  const rows: [what: string, headers: Record<string, string>, status: number][] = [
    ['both, live', gateway(id, liveKey), 404],
    ['both, test', gateway(id, testKey), 404],
    ['a test key before the approval', gateway(pending.id, pending.testKey), 404],
    ['the old names', legacy(id, liveKey), 404],
    ['none', {}, 401],
    ['the key alone', { 'svc-api-key': liveKey }, 401],
    ['the id alone', { 'svc-merchant-key': String(id) }, 401],
    ['the key of X-SVC-Key', { 'x-svc-key': liveKey }, 401],
    ['a mixture of old and new', { 'svc-merchant-key': String(id), 'x-api-key': liveKey }, 401],
    ['the id of somebody else', gateway(other.id, liveKey), 401],
    ['the id with a zero in front', gateway(`0${id}`, liveKey), 401],
    ['no number for an id', gateway('abc', liveKey), 401],
    ['a key that was never given out', gateway(id, wrongKey), 401],
    ['a key with a slip', gateway(id, slip), 401],
    ['a known beginning with another end', gateway(id, liveKey.slice(0, 21) + wrongKey.slice(21)), 401],
    ['something else', gateway(id, 'x'.repeat(5_000)), 401],
    ['a token', { authorization: `Bearer ${business.owner.token}` }, 401],
  ]
  for (const [what, headers, status] of rows)
    test(`${what}: ${status}`, async () => {
      const reply = await ask(verify, headers)
      assert.equal(reply.status, status, reply.text)
    })

  test('wrong ones of every kind get the same answer', async () => {
    const replies = await Promise.all(
      [gateway(id, wrongKey), gateway(id, slip), gateway(other.id, liveKey), gateway('abc', liveKey)].map(
        (headers) => ask(verify, headers),
      ),
    )
    const bodies = replies.map(({ body }) => JSON.stringify({ ...body, request_id: '' }))
    assert.equal(new Set(bodies).size, 1)
  })

  test('answers to the old names say that they are deprecated, wrong or right', async () => {
    for (const [headers, status] of [
      [legacy(id, liveKey), 404],
      [legacy(id, wrongKey), 401],
    ] as const) {
      const reply = await ask(verify, headers)
      assert.equal(reply.status, status)
      assert.equal(reply.headers.deprecation, '@1782864000')
      assert.equal(new Date(1_782_864_000_000).toISOString(), '2026-07-01T00:00:00.000Z')
      assert.match(String(reply.headers.link), /^<http.*\/docs\/guides\/legacy-headers>; rel="deprecation"/)
    }
    const current = await ask(verify, { ...legacy(id, liveKey), ...gateway(id, liveKey) })
    assert.deepEqual([current.status, current.headers.deprecation], [404, undefined])
  })

  test('with LEGACY_HEADERS=off they are refused; another prefix is another name', async () => {
    const strict = await testApp({ database, environment: { LEGACY_HEADERS: 'off', HEADER_PREFIX: 'Pesa' } })
    const reply = await ask(verify, legacy(id, liveKey), strict)
    check(reply, [401, 'unauthenticated'])
    assert.match(reply.body.message, /Pesa-Merchant-Key/)
    check(await ask(verify, gateway(id, liveKey), strict), [401])
    const renamed = { 'pesa-merchant-key': String(id), 'pesa-api-key': liveKey }
    check(await ask(verify, renamed, strict), [404])
    const own = await ask('/api/merchant', { 'x-pesa-key': liveKey }, strict)
    assert.deepEqual([own.status, own.body.data?.header_prefix], [200, 'Pesa'])
    const document = JSON.stringify((await ask('/openapi.json', {}, strict)).body)
    assert.ok(document.includes('X-Pesa-Key') && !document.includes('X-SVC-Key'))
  })
})

describe("the key in X-SVC-Key, or the owner's token", () => {
  const rows: [what: string, headers: Record<string, string>, status: number][] = [
    ['a live key', { 'x-svc-key': business.liveKey }, 200],
    ['a test key', { 'x-svc-key': business.testKey }, 200],
    ['a token', { authorization: `Bearer ${business.owner.token}` }, 200],
    ['neither', {}, 401],
    ['a key as a token', { authorization: `Bearer ${business.liveKey}` }, 401],
    ['a token as a key', { 'x-svc-key': business.owner.token }, 401],
    [
      'a wrong key beside a good token',
      { 'x-svc-key': 'x', authorization: `Bearer ${business.owner.token}` },
      401,
    ],
  ]
  for (const [what, headers, status] of rows)
    test(`${what}: ${status}`, async () => {
      const reply = await ask('/api/merchant', headers)
      assert.equal(reply.status, status, reply.text)
      if (status === 200) assert.equal(reply.body.data.merchant_id, business.id)
    })

  test('a key can not do what needs the owner', async () => {
    for (const [method, url] of [
      ['PATCH', '/api/merchant'],
      ['POST', '/api/merchant/rotate-key'],
      ['POST', '/api/merchant/credentials/reveal'],
      ['POST', '/api/merchant/register'],
    ] as const)
      check(await business.callLive(method, url, { password: testPassword }), [401])
  })
})

describe('networks', () => {
  test('a key is good only where it may be used from', async () => {
    const { owner, liveKey } = await newBusiness(server)
    const from = async (address: string) => {
      const answer = await server.app.inject({
        url: '/api/merchant',
        headers: { 'x-svc-key': liveKey },
        remoteAddress: address,
      })
      return answer.statusCode
    }
    assert.equal(await from('8.8.8.8'), 200)
    const allowed = ['203.0.113.0/24', '198.51.100.7', '2001:db8::/32']
    await owner.call('PATCH', '/api/merchant', { allowed_addresses: allowed, password: testPassword })
    const rows: [string, number][] = [
      ['203.0.113.9', 200],
      ['::ffff:203.0.113.9', 200],
      ['198.51.100.7', 200],
      ['2001:db8::5', 200],
      ['198.51.100.8', 403],
      ['127.0.0.1', 403],
      ['::1', 403],
    ]
    for (const [address, status] of rows) assert.equal(await from(address), status, address)
  })
})

/** Another key that begins like this one, with a checksum that fits. */
function likeIt(key: string): string {
  const start = key.slice(0, 21) + newApiKey('live').text.slice(21, -6)
  return start + toBase62(crc32(start), 6)
}

describe('other processes', () => {
  test('take a key from the moment on in which it was shown, whatever they have heard', async () => {
    const elsewhere = await testApp({ database })
    const admin = openDb({ url: database.adminUrl, connectionsMax: 1, name: 'mfuko tests' })
    const shop = await newBusiness(server, { approved: false })
    const list = async (key: string) =>
      (await keyed(elsewhere, key)('GET', '/api/merchant/payments')).body.code ?? 'let in'
    assert.equal(await list(shop.testKey), 'let in')
    // Nothing of what follows is told to anybody.
    await admin.rows(`create function merchants.hush() returns trigger language plpgsql as
      'begin return null; end'`)
    await admin.rows(
      'create trigger hush before insert on merchants.changes for each row execute function merchants.hush()',
    )
    try {
      await (await theOperator(server)).call('POST', `/api/operator/applications/${shop.id}/approve`)
      const shown = await shop.owner.call('GET', '/api/merchant')
      const live = String(shown.body.data.credentials.live.api_key)
      assert.equal(await list(live), 'let in')
      assert.equal(await list(shop.testKey), 'let in')
      const rotation = { password: testPassword, mode: 'test', grace_hours: 1 }
      const rotated = await shop.owner.call('POST', '/api/merchant/rotate-key', rotation)
      const fresh = String(rotated.body.data.value)
      assert.equal(await list(fresh), 'let in')
      assert.equal(await list(likeIt(fresh)), 'unauthenticated')
    } finally {
      await admin.rows('drop function merchants.hush() cascade')
      await admin.close()
    }
  })

  test('look as often for a key that nobody has as for a wrong one that begins like somebody’s', async () => {
    let looks = 0
    let found = 0
    const counting: typeof db = {
      ...db,
      prepared: async (text, parameters) => {
        looks += 1
        const rows = await db.prepared<never>(text, parameters)
        found += rows.length
        return rows
      },
      rows: (text, parameters) => {
        looks += 1
        return db.rows(text, parameters)
      },
    }
    const { log } = testLog()
    const { url, ledger, users } = server
    const options = { db: counting, url, clock, log, ledger, users, secrets: testSecrets, production: false }
    const counted = await openMerchants(options)
    after(() => counted.close())
    const nobodys = newApiKey('live').text
    // The least of a few: what the room does beside it can only add to them.
    const looksFor = async (apiKey: string) => {
      found = 0
      const times: number[] = []
      for (let tries = 0; tries < 3; tries++) {
        looks = 0
        await assert.rejects(async () => counted.authenticate({ apiKey }), { code: 'unauthenticated' })
        times.push(looks)
      }
      return Math.min(...times)
    }
    const wrong = likeIt(business.liveKey)
    // On a busy machine the room may look once more for anybody, and stop to while this counts: then it is counted anew.
    await eventually(async () => {
      const first = await looksFor(wrong)
      for (const again of [wrong, nobodys, wrong, nobodys]) {
        assert.equal(await looksFor(again), first)
        // What is read takes its time too.
        assert.equal(found, 0, again)
      }
    })
  })

  test('hear of rotations and suspensions within two seconds', async () => {
    const elsewhere = await testApp({ database })
    const mine = await newBusiness(server)
    const there = async (key: string) => (await keyed(elsewhere, key)('GET', '/api/merchant')).status
    assert.equal(await there(mine.liveKey), 200)
    const rotated = await mine.owner.call('POST', '/api/merchant/rotate-key', {
      password: testPassword,
      grace_hours: 0,
    })
    const began = performance.now()
    while ((await there(mine.liveKey)) === 200) {
      assert.ok(performance.now() - began < 2_000, 'the old key still works after two seconds')
      await sleep(20)
    }
    const fresh = rotated.body.data.value
    assert.equal(await there(fresh), 200)
    const operator = await theOperator(server)
    await operator.call('POST', `/api/operator/merchants/${mine.id}/suspend`, { reason: 'Test' })
    const suspended = performance.now()
    while ((await there(fresh)) === 200) {
      assert.ok(performance.now() - suspended < 2_000, 'a suspended merchant is let in after two seconds')
      await sleep(20)
    }
    assert.equal(await there(fresh), 403)
  })
})

describe('when a key was last used', () => {
  test('is kept to the minute, and not written at every request', async () => {
    const { callTest, id } = await newBusiness(server, { approved: false })
    const used = async () =>
      (
        await db.row<{ at: Date | null }>(
          'select last_used_at as at from merchants.api_keys where merchant_id = $1',
          [id],
        )
      )?.at?.toISOString()
    clock.set('2027-01-05T10:30:59.900Z')
    await callTest('GET', '/api/merchant')
    await callTest('GET', '/api/merchant')
    assert.equal(await used(), undefined)
    await server.merchants.flushUses()
    assert.equal(await used(), '2027-01-05T10:30:00.000Z')
    clock.set('2027-01-05T10:33:10.000Z')
    const reply = await callTest('GET', '/api/merchant')
    assert.equal(reply.body.data.credentials.test.api_key_last_used_at, '2027-01-05T10:30:00.000Z')
    await server.merchants.flushUses()
    assert.equal(await used(), '2027-01-05T10:33:00.000Z')
    clock.set('2026-03-14T09:00:00.000Z')
  })
})

describe('a key in the wrong place', () => {
  const leaks = () =>
    db.rows<{ actor_kind: string; actor_id: string; object: string; details: { place: string } }>(
      `select actor_kind, actor_id, object, details from audit.events where action = 'credential.in_url' order by id`,
    )

  test('is refused even if it is right, and written down by its beginning', async () => {
    const { liveKey, testKey, id } = business
    const prefix = liveKey.slice(0, 21)
    const headers = { 'x-svc-key': liveKey }
    const before = (await leaks()).length
    const replies = [
      await ask(`/api/merchant?key=${liveKey}`, headers),
      await ask(`/api/merchant?key=${liveKey.replaceAll('_', '%5F')}`, headers),
      await ask(`/api/pay/${liveKey}`, headers),
      await ask(`/nowhere/${liveKey}`, {}),
      await business.callLive('POST', '/api/pay', {
        amount: 5,
        currency: 'UGX',
        description: `my key: ${testKey}`,
      }),
    ]
    for (const reply of replies) check(reply, [401, 'unauthenticated'])
    assert.ok(replies.every(({ text }) => !text.includes(liveKey.slice(21))))
    const found = (await leaks()).slice(before)
    assert.deepEqual(
      found.map(({ object, details }) => [object, details.place]),
      [
        [prefix, 'address'],
        [prefix, 'address'],
        [prefix, 'address'],
        [prefix, 'address'],
        [testKey.slice(0, 21), 'body'],
      ],
    )
    assert.ok(found.every(({ actor_kind, actor_id }) => actor_kind === 'merchant' && actor_id === String(id)))
    assert.ok(!server.log.text().includes(liveKey.slice(21)))
  })

  test('what only looks like one is nothing special', async () => {
    const before = (await leaks()).length
    const headers = { 'x-svc-key': business.liveKey }
    check(await ask(`/api/merchant?key=svc_live_${'x'.repeat(49)}`, headers), [200])
    check(await ask('/api/merchant?key=svc_live_', headers), [200])
    assert.equal((await leaks()).length, before)
  })

  test('one that nobody has is refused too', async () => {
    check(await ask(`/api/merchant?key=${newApiKey('live').text}`, {}), [401])
    assert.equal((await leaks()).at(-1)?.actor_kind, 'address')
  })
})

describe("replacing the service's own keys", () => {
  test('both work while it lasts, and what the old ones made is made anew', async () => {
    const mine = await newBusiness(server)
    const { log } = testLog()
    const { ledger, users } = server
    const options = { db, url: database.url, clock, log, ledger, users, production: false }
    const fresh = () => new Secret(randomBytes(32))
    const [apikey, enc] = [fresh(), fresh()]
    const both = await openMerchants({
      ...options,
      secrets: {
        apikey: new Secret(apikey.reveal(), [testSecrets.apikey]),
        enc: new Secret(enc.reveal(), [testSecrets.enc]),
      },
    })
    after(() => both.close())
    assert.equal((await both.authenticate({ apiKey: mine.liveKey })).mode, 'live')
    await both.flushUses()
    assert.deepEqual((await both.keysOf(mine.id, 'live'))?.all, [mine.liveSecret])
    const seal = openSeal(new Secret(enc.reveal(), [testSecrets.enc]))
    assert.ok((await sealAnew(db, clientSecrets, seal)).sealed > 0)
    assert.deepEqual(await sealAnew(db, clientSecrets, seal), { sealed: 0, closed: [] })

    const onlyNew = await openMerchants({ ...options, secrets: { apikey, enc } })
    after(() => onlyNew.close())
    assert.equal((await onlyNew.authenticate({ apiKey: mine.liveKey })).merchant, mine.id)
    assert.deepEqual((await onlyNew.keysOf(mine.id, 'live'))?.all, [mine.liveSecret])
    await assert.rejects(async () => onlyNew.authenticate({ apiKey: mine.testKey }), /valid API key/)
  })
})
