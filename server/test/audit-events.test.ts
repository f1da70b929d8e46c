// What the service tells the audit log of itself, and of those who are refused over and over.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buildTasks } from '../src/app.ts'
import { type Db, openDb } from '../src/db/db.ts'
import { updateDatabase } from '../src/migrate.ts'
import { type TestApp, testApp, testDatabase } from './helpers.ts'
import { register } from './people.ts'

const server = await testApp()

interface Event {
  actor_kind: string
  actor_id: string
  object: string
  result: string
  details: object
}

const eventsOf = (db: Db, action: string) =>
  db.rows<Event>(
    'select actor_kind, actor_id, object, result, details from audit.events where action = $1 order by id',
    [action],
  )

/** Those of one action; what is written behind an answer may take a moment. */
async function soon(db: Db, action: string, count: number): Promise<Event[]> {
  for (let tries = 0; tries < 100 && (await eventsOf(db, action)).length < count; tries++)
    await new Promise((resolve) => setTimeout(resolve, 20))
  return eventsOf(db, action)
}

const times = async (count: number, work: () => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) statuses.push((await work()).status)
  return statuses
}

describe('who is refused over and over', () => {
  test('asks for what is others’ five times in a minute: one event a minute', async () => {
    const [nosy, honest] = [await register(server), await register(server)]
    const look = () => nosy.call('GET', '/api/requests/mrq_0000000000000000000000')
    assert.deepEqual(new Set(await times(4, look)), new Set([404]))
    await times(4, () => honest.call('GET', '/api/requests/mrq_0000000000000000000000'))
    assert.deepEqual(await eventsOf(server.db, 'access.refused'), [])
    await times(4, look)
    const told = {
      actor_kind: 'user',
      actor_id: nosy.id,
      object: 'GET /api/requests/:id',
      result: 'refused',
      details: { times: 5, seconds: 60 },
    }
    assert.deepEqual(await soon(server.db, 'access.refused', 1), [told])
    server.clock.advance(60)
    await times(5, look)
    assert.deepEqual(await soon(server.db, 'access.refused', 2), [told, told])
    await times(5, () => nosy.call('POST', '/api/send', { to: 'nobody', amount: 1, currency: 'UGX' }))
    assert.equal((await eventsOf(server.db, 'access.refused')).length, 2, 'a wrong form is no such thing')
  })

  test('goes on ten times after a limit', async () => {
    const limited: TestApp = await testApp({ database: server, environment: { RATE_LIMITS: 'on' } })
    const eager = await register(limited)
    const statuses = await times(16, () => eager.call('POST', '/api/deposit/initiate', {}))
    assert.deepEqual(statuses, [...Array(5).fill(422), ...Array(11).fill(429)])
    const [told, ...others] = await soon(server.db, 'limit.hit', 1)
    assert.deepEqual([told?.actor_id, told?.object], [eager.id, 'POST /api/deposit/initiate'])
    assert.deepEqual([told?.details, others], [{ times: 10, seconds: 60 }, []])
  })
})

test('each check of the books, with what it found', async () => {
  await buildTasks(server.dependencies).tasks.check_books?.({}, { signal: undefined, attempt: 1 })
  const [checked, ...others] = await eventsOf(server.db, 'ledger.checked')
  assert.deepEqual([checked?.actor_id, checked?.result, others], ['ledger', 'ok', []])
  assert.deepEqual(Object.keys(checked?.details ?? {}), ['accounts', 'entries', 'postings', 'wrong'])
})

test('an update of the database, and no event when there was none', async () => {
  const { url } = await testDatabase({ empty: true })
  const applied = await updateDatabase({ url, say: () => undefined })
  assert.deepEqual(await updateDatabase({ url, say: () => undefined }), [])
  const db = openDb({ url, connectionsMax: 1, name: 'mfuko tests' })
  try {
    const [told, ...others] = await eventsOf(db, 'database.migrated')
    assert.deepEqual([told?.object, others], [applied.at(-1), []])
    assert.deepEqual(told?.details, { first: '0001-background-beats.sql', files: applied.length })
  } finally {
    await db.close()
  }
})
