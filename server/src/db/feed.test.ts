// What other processes change is heard: at once when it is notified, within a second when it is not, and also when
// transactions commit in another order than they began. Who has missed too much is told so.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase, testLog } from '../../test/helpers.ts'
import { changesStatement, type FeedRow, openDb, openFeed } from './db.ts'

const { url, adminUrl } = await testDatabase({ empty: true })
const db = openDb({ url, connectionsMax: 4, name: 'mfuko tests' })
const admin = openDb({ url: adminUrl, connectionsMax: 1, name: 'mfuko tests admin' })
const { log } = testLog()
after(() => Promise.all([db.close(), admin.close()]))

before(async () => {
  await db.rows(`create schema probe`)
  await db.rows(`create table probe.changes (
    id bigint generated always as identity primary key, xid xid8 not null default pg_current_xact_id(),
    at timestamptz not null default now(), what text not null)`)
})

// While a transaction of another database is open, the horizon lies far back, and rows of earlier tests would come again.
beforeEach(() => db.rows('delete from probe.changes'))

type Row = FeedRow & { what: string }

async function listening() {
  const heard: string[] = []
  let gaps = 0
  let loads = 0
  const feed = await openFeed<Row>({
    url,
    name: 'mfuko tests feed',
    channel: 'probe_changes',
    log,
    changesSince: (queries, xmin) =>
      queries.prepared<Row>(changesStatement('probe.changes', 'c.what'), [xmin]),
    onChange: ({ what }) => heard.push(what),
    load: async () => {
      loads += 1
    },
    onGap: () => {
      gaps += 1
    },
  })
  after(() => feed.close())
  const until = async (wanted: string[], ms = 3_000) => {
    const began = performance.now()
    while (performance.now() - began < ms && !wanted.every((one) => heard.includes(one))) await sleep(10)
    return performance.now() - began
  }
  return { feed, heard, until, counts: () => ({ gaps, loads }) }
}

const write = (what: string) => db.rows('insert into probe.changes (what) values ($1)', [what])

test('what happens after it began is heard, once, within about a second', async () => {
  await write('before')
  const { heard, until } = await listening()
  await write('a')
  await write('b')
  assert.ok((await until(['a', 'b'])) < 1_900)
  await sleep(1_500)
  // While another database's transaction is open, the horizon lies before 'before', which is then heard too: allowed,
  // because what was loaded at the start may be heard again, but never skipped.
  assert.deepEqual(
    heard.filter((what) => what !== 'before'),
    ['a', 'b'],
  )
})

test('a notification makes it sooner', async () => {
  const { until } = await listening()
  await sleep(300)
  await db.rows(`notify probe_changes`)
  await sleep(100)
  await write('soon')
  await db.rows(`notify probe_changes`)
  assert.ok((await until(['soon'])) < 700)
})

test('one that began early and commits late is not missed', async () => {
  const { heard, until } = await listening()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let begun = () => {}
  const began = new Promise<void>((resolve) => {
    begun = resolve
  })
  const late = db.inTransaction(async (tx) => {
    await tx.rows(`insert into probe.changes (what) values ('late')`)
    begun()
    await held
  })
  await began
  await write('early')
  await until(['early'])
  await sleep(1_200)
  assert.deepEqual(heard, ['early'])
  release()
  await late
  await until(['late'])
  assert.deepEqual(heard, ['early', 'late'])
})

test('a broken connection is opened again, and nothing is missed', async () => {
  const { heard, until, feed } = await listening()
  await write('one')
  await until(['one'])
  await admin.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mfuko tests feed'`,
  )
  await write('two')
  await until(['two'], 5_000)
  // What is kept is read again on a new connection.
  assert.deepEqual([...new Set(heard)], ['one', 'two'])
  assert.equal(feed.isStale(), false)
})

test('a database that can not be reached at the start is told at once', async () => {
  const options = { url: 'postgres://127.0.0.1:1/none', name: 'x', channel: 'x', log }
  await assert.rejects(
    openFeed<Row>({ ...options, changesSince: async () => [], onChange: () => {}, onGap: () => {} }),
  )
})
