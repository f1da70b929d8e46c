// A service that answers requests does not end because the database was slow to let it write down that it has started.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemClock } from '../src/base/clock.ts'
import { AppError } from '../src/base/errors.ts'
import { openDb } from '../src/db/db.ts'
import { noteStart } from '../src/started.ts'
import { testDatabase } from './helpers.ts'

const { url } = await testDatabase()
const db = openDb({ url, connectionsMax: 1, name: 'started test', connectMs: 200 })
after(() => db.close())
const started = {
  version: '0.0.0',
  config: { ROLE: 'all', WEB_CONCURRENCY: 1, production: false },
} as const

test('it waits for a connection, and writes it down once', async () => {
  const busy = db.rows('select pg_sleep(1.5)')
  await assert.rejects(
    db.rows('select 1'),
    (error) => error instanceof AppError && error.code === 'unavailable',
  )
  await noteStart({ db, clock: systemClock }, started)
  await busy
  const events = await db.rows(`select object from audit.events where action = 'service.started'`)
  assert.deepEqual(events, [{ object: '0.0.0' }])
})

test('what waiting does not mend is told at once', async () => {
  let tries = 0
  const now = () => {
    tries += 1
    throw new Error('no clock')
  }
  await assert.rejects(noteStart({ db, clock: { now } }, started), /no clock/)
  assert.equal(tries, 1)
})
