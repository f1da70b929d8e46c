// The feed of changes: nothing is missed, with notifications or without, in whatever order transactions commit.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testClock, testDatabase, testLog } from '../../test/helpers.ts'
import { openDb } from '../db/db.ts'
import { openFeed } from './feed.ts'
import { noGeneration } from './sessions/sql.ts'

const { url, adminUrl } = await testDatabase()
const db = openDb({ url, connectionsMax: 4, name: 'mfuko tests' })
const admin = openDb({ url: adminUrl, connectionsMax: 1, name: 'mfuko tests' })
const clock = testClock()
const people: string[] = []
let gaps = 0
const feed = await openFeed({
  url,
  clock,
  log: testLog().log,
  onPerson: (id) => people.push(id),
  onGap: () => {
    gaps += 1
  },
})
after(async () => {
  await feed.close()
  await Promise.all([db.close(), admin.close()])
})

const until = new Date(clock.now().getTime() + 3_600_000)
const change = (subject: string, generation: number | null = null, into: Pick<typeof db, 'rows'> = db) =>
  into.rows(
    `insert into users.changes (kind, subject, generation, refuses_until)
     values ($1, $2, $3, case when $3::int is null then null else $4::timestamptz end)`,
    [generation === null ? 'person' : 'session', subject, generation, until],
  )

async function soon(condition: () => boolean): Promise<number> {
  const begun = performance.now()
  while (!condition() && performance.now() - begun < 3_000) await sleep(5)
  return performance.now() - begun
}

test('a change is heard, and once', async () => {
  await change('usr_first')
  await change('ses_first', 3)
  assert.ok((await soon(() => feed.refuses('ses_first', 2))) < 2_000)
  assert.deepEqual([feed.refuses('ses_first', 3), feed.refuses('ses_other', 1)], [false, false])
  await sleep(1_100)
  assert.deepEqual(people, ['usr_first'])
})

test('the later number counts, in whatever order they come', async () => {
  await change('ses_second', noGeneration)
  await change('ses_second', 2)
  await change('usr_second')
  await soon(() => people.includes('usr_second'))
  assert.equal(feed.refuses('ses_second', 100), true)
})

test('a transaction that began early and commits late is not missed', async () => {
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const { promise: written, resolve: wrote } = Promise.withResolvers<void>()
  const early = db.inTransaction(async (tx) => {
    await change('usr_early', null, tx)
    wrote()
    await mayCommit
  })
  await written
  await change('usr_late')
  await soon(() => people.includes('usr_late'))
  // Several polls go by.
  await sleep(2_200)
  assert.ok(!people.includes('usr_early'))
  commit()
  await early
  assert.ok((await soon(() => people.includes('usr_early'))) < 2_000)
  assert.equal(people.filter((id) => id === 'usr_late').length, 1)
})

test('without notifications it takes a second, not two', async () => {
  await admin.rows('alter table users.changes disable trigger changes_told')
  await sleep(300)
  await change('usr_unannounced')
  assert.ok((await soon(() => people.includes('usr_unannounced'))) < 2_000)
  await admin.rows('alter table users.changes enable trigger changes_told')
})

test('with them it takes no time to speak of', async () => {
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    await change(`usr_quick_${n}`)
    times.push(await soon(() => people.includes(`usr_quick_${n}`)))
  }
  assert.ok((times.toSorted((a, b) => a - b)[2] ?? 0) < 500, times.join())
})

test('hearing is not disturbed by the connection it listens on being ended', async () => {
  await admin.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'mfuko changes' and datname = current_database()`,
  )
  await change('usr_after_the_cut')
  assert.ok((await soon(() => people.includes('usr_after_the_cut'))) < 3_000)
  assert.deepEqual([feed.staleReasons(), gaps], [[], 0])
})

test('of very many sessions, all that refuse a token are known at the start', async () => {
  await db.rows(
    `insert into users.people (id, handle, name, phone, country, locale, wants_receipts, password, created_at)
     values ('usr_many', 'many', 'Many', '+254700000001', 'KE', 'sw', false, '-', $1)`,
    [clock.now()],
  )
  // Most of them end in the same moment: the first page ends between two of these.
  await db.rows(
    `insert into users.sessions (id, user_id, generation, issued_at, device, address, created_at, refuses_until)
     select 'ses_' || lpad(n::text, 6, '0'), 'usr_many', 2, $1, '-', '-', $1, $2::timestamptz + greatest(0, n - 15000) * interval '1 ms'
     from generate_series(1, 20001) n`,
    [clock.now(), until],
  )
  const other = await openFeed({ url, clock, log: testLog().log, onPerson: () => {}, onGap: () => {} })
  const refused = Array.from({ length: 20_001 }, (_, n) => `ses_${String(n + 1).padStart(6, '0')}`).filter(
    (id) => other.refuses(id, 1),
  )
  await other.close()
  assert.equal(refused.length, 20_001)
})
