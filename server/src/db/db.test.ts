// Transactions are whole or nothing, conflicts are tried again, and a database that is away is told as such.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { getHeapSpaceStatistics } from 'node:v8'
import { testDatabase } from '../../test/helpers.ts'
import { AppError } from '../base/errors.ts'
import { type Db, openDb, openForeignPool, openWriter, shareOf, violatedConstraint } from './db.ts'

const { url, adminUrl } = await testDatabase()
const open = (to = url) => openDb({ url: to, connectionsMax: 4, name: 'db test' })
const db = open()
const admin = openDb({ url: adminUrl, connectionsMax: 2, name: 'db test' })
after(() => Promise.all([db.close(), admin.close()]))
await db.rows('create schema probe')
await db.rows(
  'create table probe.things (id int primary key, amount int8 not null constraint amount_is_positive check (amount > 0))',
)

const amounts = async () =>
  (await db.rows<{ amount: bigint }>('select amount from probe.things order by id')).map((row) => row.amount)
const isUnavailable = (error: unknown) => error instanceof AppError && error.code === 'unavailable'

test('64-bit integers are exact', async () => {
  const row = await db.row<{ big: bigint }>('select 9007199254740993::int8 as big')
  assert.equal(row?.big, 9007199254740993n)
})

test('a connection plans as it is told, and what it sends first PgBouncer takes, too', async () => {
  const told = { url, name: 'db test', plannedOnce: true, byIndex: true }
  const [planned, writer] = [openDb({ ...told, connectionsMax: 1 }), openWriter(told)]
  const settings = `select current_setting('plan_cache_mode') as mode, current_setting('enable_seqscan') as scans,
    (select source from pg_settings where name = 'enable_seqscan') as source`
  const given = [await planned.row(settings), await writer.read(settings, [])]
  await Promise.all([planned.close(), writer.close()])
  for (const each of given)
    assert.deepEqual(each, { mode: 'force_generic_plan', scans: 'off', source: 'session' })
  assert.deepEqual(await db.row(settings), { mode: 'auto', scans: 'on', source: 'default' })
})

test('what is thrown inside undoes all of it, and the connection stays good', async () => {
  for (const thrown of [new Error('bug'), new AppError('forbidden')]) {
    const work = db.inTransaction(async (tx) => {
      await tx.rows('insert into probe.things values (1, 5)')
      throw thrown
    })
    await assert.rejects(work, thrown)
  }
  assert.deepEqual(await amounts(), [])
})

test('a violated constraint is known by its name', async () => {
  const error = await db.rows('insert into probe.things values (1, 0)').catch((thrown: unknown) => thrown)
  assert.equal(violatedConstraint(error), 'amount_is_positive')
})

test('an error that somebody swallowed does not become a silent rollback', async () => {
  const work = db.inTransaction(async (tx) => {
    await tx.rows('insert into probe.things values (1, 5)')
    await tx.rows('select 1 / 0').catch(() => undefined)
  })
  await assert.rejects(work, /commits/)
  assert.deepEqual(await amounts(), [])
})

test('a deadlock is tried again, and both succeed', async () => {
  await db.rows('insert into probe.things values (1, 10), (2, 10)')
  const raise = (tx: Pick<Db, 'rows'>, id: number) =>
    tx.rows('update probe.things set amount = amount + 1 where id = $1', [id])
  const { promise: bothHold, resolve } = Promise.withResolvers<void>()
  let holding = 0
  let attempts = 0
  const crossing = (first: number, second: number) =>
    db.inTransaction(async (tx) => {
      attempts += 1
      await raise(tx, first)
      holding += 1
      if (holding === 2) resolve()
      await bothHold
      await raise(tx, second)
    })
  await Promise.all([crossing(1, 2), crossing(2, 1)])
  assert.deepEqual(await amounts(), [12n, 12n])
  assert.ok(attempts > 2)
})

test('a share has so many connections at a time, in the order of who came; the others stay free', async () => {
  const share = shareOf(db, 2)
  const { promise: end, resolve: letGo } = Promise.withResolvers<void>()
  const begun: number[] = []
  let [atOnce, mostAtOnce] = [0, 0]
  const works = Array.from({ length: 6 }, (_, place) =>
    share.inTransaction(async (tx) => {
      begun.push(place)
      atOnce += 1
      mostAtOnce = Math.max(mostAtOnce, atOnce)
      await end
      await tx.rows('select 1')
      atOnce -= 1
      if (place === 3) throw new Error('bug')
    }),
  )
  const settled = Promise.allSettled([...works, share.rows('select 1'), share.row('select 1')])
  await db
    .inTransaction(async (tx) => {
      assert.deepEqual(await db.rows('select 1 as one'), [{ one: 1 }])
      await tx.rows('select 1')
    })
    .finally(letGo)
  const failed = (await settled).map(({ status }) => status === 'rejected')
  assert.deepEqual(failed, [false, false, false, true, false, false, false, false])
  assert.deepEqual(
    [mostAtOnce, begun.slice(0, 2).toSorted(), begun.slice(2).toSorted()],
    [2, [0, 1], [2, 3, 4, 5]],
    'what fails gives its place back',
  )
})

test('a library that gives a connection back twice does no harm', async () => {
  const pool = openForeignPool({ url, connectionsMax: 2, name: 'db test' })
  const client = await pool.connect()
  client.release()
  client.release()
  await new Promise<void>((resolve, reject) =>
    pool.connect((error, other, release) => {
      if (error !== undefined || other === undefined) return reject(error)
      release()
      other.release(true)
      resolve()
    }),
  )
  assert.deepEqual((await pool.query('select 1 as one')).rows, [{ one: 1 }])
  assert.deepEqual([pool.totalCount, pool.idleCount], [1, 1])
  await pool.end()
  await assert.rejects(pool.connect())
})

test('a connection that is killed is told as unavailable, and the next use works', async () => {
  const work = db.inTransaction(async (tx) => {
    const me = await tx.row<{ pid: number }>('select pg_backend_pid() as pid')
    await admin.rows('select pg_terminate_backend($1)', [me?.pid])
    await tx.rows('select 1')
  })
  await assert.rejects(work, isUnavailable)
  assert.equal((await db.rows('select 1')).length, 1)
})

test('a server that is not there is unavailable, with a time to try again', async () => {
  const nowhere = open('postgres://nobody:x@127.0.0.1:1/none')
  await assert.rejects(
    nowhere.rows('select 1'),
    (error) => isUnavailable(error) && (error as AppError).retryAfter === 1,
  )
  await nowhere.close()
})

test('a statement that takes too long is ended', { timeout: 240_000 }, async () => {
  await assert.rejects(db.rows('select pg_sleep(60)'), isUnavailable)
})

test('a read-only database is unavailable', async () => {
  const readOnly = open(`${url}?options=-c%20default_transaction_read_only%3Don`)
  await assert.rejects(readOnly.rows('insert into probe.things values (9, 9)'), isUnavailable)
  await readOnly.close()
})

test('what was sent with a statement does not live until the next full collection', async () => {
  const oldBytes = () =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0
  const ask = async (times: number) => {
    let most = 0
    for (let at = 0; at < times; at++) {
      const values = Array.from({ length: 2_000 }, (_, place) => `${at} ${place}`)
      const text = { toPostgres: () => String(values.length) }
      await db.row('select $1::text as text', [text])
      most = Math.max(most, oldBytes())
    }
    return most
  }
  await ask(100)
  const grown: number[] = []
  // A busy machine may take its time over compiled code and the like, once; what is kept is kept every time.
  for (let round = 0; round < 3; round++) {
    const before = oldBytes()
    grown.push(((await ask(500)) - before) / 1e6)
  }
  assert.ok(Math.min(...grown) < 5, `${grown.map((mb) => mb.toFixed(1))} MB of what was sent are still there`)
})
