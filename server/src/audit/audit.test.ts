// The audit log promises: what is recorded commits with what it tells and can be found again; no writer waits for
// another; and whatever is altered, removed or slipped in afterwards, by someone with all rights on the database but
// without the secret, is found and named.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, beforeEach, describe, test } from 'node:test'
import { testClock, testDatabase, testSecrets } from '../../test/helpers.ts'
import { Secret } from '../base/secret.ts'
import { openDb, type Tx, violatedConstraint } from '../db/db.ts'
import * as audit from './audit.ts'
import { linkHash, openSigner } from './chain.ts'

const database = await testDatabase()
const db = openDb({ url: database.url, connectionsMax: 8, name: 'mfuko tests' })
const admin = openDb({ url: database.adminUrl, connectionsMax: 1, name: 'mfuko tests' })
after(() => Promise.all([db.close(), admin.close()]))

const clock = testClock()
const secret = testSecrets.audit
const otherSecret = new Secret(createHash('sha256').update('another').digest())

const login = (changes: Partial<audit.AuditEvent> = {}): audit.AuditEvent => ({
  actor: { kind: 'user', id: 'usr_amina' },
  action: 'login',
  object: 'ses_1',
  result: 'ok',
  address: '197.248.1.2',
  userAgent: 'Mozilla/5.0 (KaiOS)',
  session: 'ses_1',
  requestId: 'req_1',
  details: { before: null, after: { locale: 'sw' } },
  at: clock.now(),
  ...changes,
})

const record = (changes: Partial<audit.AuditEvent> = {}) =>
  db.inTransaction((tx) => audit.record(tx, login(changes)))
const verify = (options: { secret?: Secret } = {}) => audit.verify(db, { secret, clock, ...options })

/** As superuser, with the triggers out of the way. */
const tamper = (statements: string) =>
  admin.inTransaction(async (tx) => {
    await tx.rows('set local session_replication_role = replica')
    for (const statement of statements.split(';')) await tx.rows(statement)
  })

const tables = ['events', 'waiting', 'chain', 'heads', 'tip']
const empty = () => tamper(tables.map((table) => `delete from audit.${table}`).join(';'))

beforeEach(async () => {
  await empty()
  clock.set('2026-03-14T09:00:00.123Z')
})

describe('record', () => {
  test('what was recorded is found, with everything but the user agent', async () => {
    await record()
    const [row] = await audit.search(db, { limit: 10 })
    assert.ok(row)
    const { id, ...rest } = row
    assert.equal(typeof id, 'bigint')
    assert.deepEqual(rest, {
      at: new Date('2026-03-14T09:00:00.123Z'),
      actor: { kind: 'user', id: 'usr_amina' },
      action: 'login',
      object: 'ses_1',
      result: 'ok',
      address: '197.248.1.2',
      session: 'ses_1',
      requestId: 'req_1',
      details: { before: null, after: { locale: 'sw' } },
      sealed: false,
    })
    const [stored] = await db.rows<{ text: string }>('select e::text as text from audit.events e')
    assert.doesNotMatch(stored?.text ?? '', /KaiOS/)
    assert.match(
      stored?.text ?? '',
      new RegExp(createHash('sha256').update('Mozilla/5.0 (KaiOS)').digest('hex')),
    )
  })

  test('the least an event can have', async () => {
    await db.inTransaction((tx) =>
      audit.record(tx, {
        actor: { kind: 'system', id: 'x' },
        action: 'start',
        result: 'refused',
        at: clock.now(),
      }),
    )
    const [row] = await audit.search(db, { limit: 1 })
    assert.deepEqual(
      [row?.object, row?.address, row?.session, row?.details],
      [undefined, undefined, undefined, {}],
    )
    assert.equal((await verify()).ok, true)
  })

  test('nothing stays of a transaction that is rolled back', async () => {
    const undone = db.inTransaction(async (tx) => {
      await audit.record(tx, login())
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    assert.deepEqual(await audit.search(db, { limit: 1 }), [])
    assert.equal((await audit.seal(db, { secret, clock })).sealed, 0)
  })

  test('what a stranger typed makes nothing fail', async () => {
    const typed = `\u0000\n\ud800"';--<b>${'x'.repeat(5_000)}`
    await record({
      actor: { kind: 'login', id: typed },
      object: typed,
      address: typed,
      userAgent: typed,
      session: typed,
      requestId: typed,
      details: { typed },
    })
    const [row] = await audit.search(db, { limit: 1 })
    assert.equal(row?.actor.id.length, 200)
    assert.match(row?.actor.id ?? '', /^\ufffd{3}"';--<b>x+$/)
    assert.equal((await verify()).ok, true)
  })

  const secrets = [{ pin: '4821' }, { after: { password: 'x' } }, { list: [{ token: 'x' }] }, { apiKey: 'x' }]
  for (const details of secrets) {
    test(`details with a secret are a bug: ${JSON.stringify(details)}`, async () => {
      await assert.rejects(record({ details }), /broken promise: the details of an event have no/)
    })
  }

  test('what is written can be neither changed nor removed, by nobody', async () => {
    await record()
    await audit.seal(db, { secret, clock })
    for (const table of ['events', 'chain', 'heads']) {
      for (const change of [`delete from audit.${table}`, `truncate audit.${table}`]) {
        await assert.rejects(db.rows(change), { code: '42501' }, change)
        await assert.rejects(admin.rows(change), (error) => violatedConstraint(error) === 'audit_append_only')
      }
    }
    await assert.rejects(db.rows(`update audit.events set actor_id = 'usr_b'`), { code: '42501' })
    await assert.rejects(
      admin.rows(`update audit.events set actor_id = 'usr_b'`),
      (error) => violatedConstraint(error) === 'audit_append_only',
    )
  })
})

describe('sealing', () => {
  const links = () =>
    db.rows<{ day: string; position: bigint; actor: string }>(
      `select to_char(c.day, 'YYYY-MM-DD') as day, c.position, e.actor_id as actor
       from audit.chain c join audit.events e on e.id = c.event_id order by c.day, c.position`,
    )

  test('no writer waits for another, and one that commits late is sealed late', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let began = () => {}
    const begun = new Promise<void>((resolve) => {
      began = resolve
    })
    const slow = db.inTransaction(async (tx: Tx) => {
      await audit.record(tx, login({ actor: { kind: 'user', id: 'slow' } }))
      began()
      await held
    })
    await begun
    await Promise.all(Array.from({ length: 50 }, () => record({ actor: { kind: 'user', id: 'quick' } })))
    assert.equal((await audit.seal(db, { secret, clock })).sealed, 50)
    letGo()
    await slow
    assert.equal((await audit.seal(db, { secret, clock })).sealed, 1)
    assert.equal((await links()).at(-1)?.actor, 'slow')
    const { ok, events } = await verify()
    assert.deepEqual({ ok, events }, { ok: true, events: 51 })
  })

  test('several sealers and writers at once make one chain without gaps', async () => {
    const work = Array.from({ length: 120 }, (_, n) =>
      n % 6 === 0 ? audit.seal(db, { secret, clock }).then(() => undefined) : record(),
    )
    await Promise.all(work)
    await audit.seal(db, { secret, clock })
    assert.deepEqual(
      (await links()).map(({ position }) => position),
      Array.from({ length: 100 }, (_, n) => BigInt(n + 1)),
    )
    assert.equal((await verify()).ok, true)
  })

  test('more than a batch, and than a page of the walk: each is looked at', async () => {
    await admin.rows(
      `with written as (
         insert into audit.events (at, actor_kind, actor_id, action, result, details)
         select '2026-03-14T09:00:00Z', 'user', 'usr_' || n, 'login', 'ok', '{}' from generate_series(1, 10500) n
         returning id
       ) insert into audit.waiting (event_id) select id from written`,
    )
    assert.equal((await audit.seal(db, { secret, clock })).sealed, 10_500)
    const { ok, events, days } = await verify()
    assert.deepEqual({ ok, events, days }, { ok: true, events: 10_500, days: 1 })
    const positions = [1, 5_000, 5_001, 7_321, 10_500]
    await admin.inTransaction(async (tx) => {
      await tx.rows('set local session_replication_role = replica')
      await tx.rows(
        `update audit.events set action = 'logout' where id in
           (select event_id from audit.chain where position = any($1::bigint[]))`,
        [positions],
      )
    })
    const { problems } = await verify()
    assert.deepEqual(
      problems.map((problem) =>
        Number(/position (\d+)\): the event or its hash was altered/.exec(problem)?.[1]),
      ),
      positions,
    )
  })

  test('each day has its chain and its signed head, also a day without events', async () => {
    await record()
    await audit.seal(db, { secret, clock })
    // Recorded before midnight, sealed after it: a day that is over does not grow.
    clock.set('2026-03-14T23:59:59.999Z')
    await record({ actor: { kind: 'user', id: 'late' } })
    clock.set('2026-03-17T00:00:00.000Z')
    const { heads } = await audit.seal(db, { secret, clock })
    assert.deepEqual(
      heads.map(({ day, events }) => [day, events]),
      [
        ['2026-03-14', 1n],
        ['2026-03-15', 0n],
        ['2026-03-16', 0n],
      ],
    )
    assert.deepEqual(
      (await links()).map(({ day, position, actor }) => [day, position, actor]),
      [
        ['2026-03-14', 1n, 'usr_amina'],
        ['2026-03-17', 1n, 'late'],
      ],
    )
    const { ok, days, tip } = await verify()
    assert.deepEqual({ ok, days, day: tip?.day }, { ok: true, days: 4, day: '2026-03-17' })
  })

  test('a clock that is behind seals into the day that has begun', async () => {
    clock.set('2026-03-15T00:00:00.000Z')
    await record()
    await audit.seal(db, { secret, clock })
    clock.set('2026-03-14T23:59:59.000Z')
    await record()
    assert.deepEqual((await audit.seal(db, { secret, clock })).heads, [])
    assert.equal((await verify()).ok, true)
  })

  test('nothing is built on a tip that was altered, or signed with another secret', async () => {
    await record()
    await audit.seal(db, { secret, clock })
    await record()
    assert.match(
      (await audit.seal(db, { secret: otherSecret, clock })).refused ?? '',
      /another secret.*--new-secret/,
    )
    await tamper('update audit.tip set events = 0')
    const { refused, sealed } = await audit.seal(db, { secret, clock })
    assert.match(refused ?? '', /was altered/)
    assert.equal(sealed, 0)
  })

  test('after a change of the secret the heads are signed anew', async () => {
    await record()
    await audit.seal(db, { secret, clock })
    clock.advance(86_400)
    await record()
    await audit.seal(db, { secret, clock })
    const before = await verify({ secret: otherSecret })
    assert.deepEqual(before.problems, [
      'the head of 2026-03-14: it is missing, or signed with another secret than SECRET_AUDIT',
      'the tip of the chain: it is signed with another secret than SECRET_AUDIT',
    ])
    const anew = await audit.signAnew(db, { secret: otherSecret, clock })
    assert.deepEqual([anew.ok, anew.heads.length], [true, 1])
    const now = await verify({ secret: otherSecret })
    assert.deepEqual([now.problems, now.events], [[], 3])
    const [latest] = await audit.search(db, { limit: 1 })
    assert.equal(latest?.action, 'audit.signed_anew')
  })

  test('what was altered is not signed anew', async () => {
    await record()
    await audit.seal(db, { secret, clock })
    await tamper(`update audit.events set actor_id = 'usr_b'`)
    const anew = await audit.signAnew(db, { secret: otherSecret, clock })
    assert.deepEqual([anew.ok, anew.heads], [false, []])
    assert.match((await audit.seal(db, { secret: otherSecret, clock })).refused ?? '', /another secret/)
  })
})

test('the worked example of the guide is right', () => {
  const guide = readFileSync(new URL('../../../docs/guides/audit.md', import.meta.url), 'utf8')
  const shown = Object.fromEntries(
    [...guide.matchAll(/^(text|hash|secret|signed|signature) +(.+)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  const [before = '', day = '', position = '', ...rest] = shown.text?.split(' ') ?? []
  const [id, at_us, actor_kind, actor_id, action, object, result, address, ...others] = JSON.parse(
    rest.join(' '),
  )
  const [user_agent_hash, session, request_id, details] = others
  const event = {
    ...{ id, at_us, actor_kind, actor_id, action, object, result, address },
    ...{ user_agent_hash, session, request_id, details },
  }
  const hash = linkHash({ before, day, position: BigInt(position), event })
  assert.deepEqual(
    [
      hash,
      createHash('sha256')
        .update(shown.text ?? '')
        .digest('hex'),
    ],
    [shown.hash, shown.hash],
  )
  const signer = openSigner(new Secret(Buffer.from(shown.secret ?? '')))
  assert.equal(signer.sign('head', { day, events: 1n, hash }), shown.signature)
  assert.equal(shown.signed, `head ${day} 1 ${hash}`)
})

describe('search', () => {
  test('by who, what, to what and when, the newest first, page by page', async () => {
    const rows: [actor: string, action: string, object: string][] = [
      ['a', 'login', 'ses_1'],
      ['a', 'pin.failed', 'usr_a'],
      ['b', 'login', 'ses_2'],
      ['a', 'login', 'ses_3'],
      ['b', 'pin.failed', 'usr_b'],
    ]
    for (const [id, action, object] of rows) {
      await record({ actor: { kind: 'user', id }, action, object, at: clock.now() })
      clock.advance(60)
    }
    const found = async (wanted: Partial<audit.AuditSearch>) =>
      (await audit.search(db, { limit: 10, ...wanted })).map(({ actor, object }) => `${actor.id} ${object}`)
    assert.deepEqual(await found({}), ['b usr_b', 'a ses_3', 'b ses_2', 'a usr_a', 'a ses_1'])
    assert.deepEqual(await found({ actor: 'a' }), ['a ses_3', 'a usr_a', 'a ses_1'])
    assert.deepEqual(await found({ action: 'login', actor: 'b' }), ['b ses_2'])
    assert.deepEqual(await found({ object: 'usr_a' }), ['a usr_a'])
    const from = new Date('2026-03-14T09:01:00.123Z')
    const to = new Date('2026-03-14T09:03:00.123Z')
    assert.deepEqual(await found({ from, to }), ['b ses_2', 'a usr_a'])
    const paged: string[] = []
    let before: audit.AuditRow | undefined
    for (let pages = 0; pages < 5; pages++) {
      const [row] = await audit.search(db, { limit: 1, before })
      before = row
      paged.push(row?.object ?? '')
    }
    assert.deepEqual(paged, ['usr_b', 'ses_3', 'ses_2', 'usr_a', 'ses_1'])
  })

  test('events of the same moment are on one page each, once', async () => {
    for (let n = 0; n < 5; n++) await record({ object: `ses_${n}` })
    const first = await audit.search(db, { limit: 3 })
    const rest = await audit.search(db, { limit: 3, before: first.at(-1) })
    assert.deepEqual(
      [...first, ...rest].map(({ object }) => object),
      ['ses_4', 'ses_3', 'ses_2', 'ses_1', 'ses_0'],
    )
  })
})
