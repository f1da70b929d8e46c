// Time is the database's, whatever the machine says, and it does not stop while the database is away.
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '../../test/helpers.ts'
import { systemClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { openDatabaseClock } from './clock.ts'
import { openDb } from './db.ts'

const { url } = await testDatabase()
const db = openDb({ url, connectionsMax: 2, name: 'clock test' })
after(() => db.close())

const hourMs = 3_600_000
const farMs = 60_000

interface Said {
  seconds: number
  message: string
}

function openLog(): { said: Said[]; log: Log } {
  const said: Said[] = []
  const warn = (fields: object, message: string) =>
    void said.push({ seconds: 0, ...fields, message } satisfies Said)
  const quiet = () => undefined
  return { said, log: { warn, error: quiet, info: quiet, debug: quiet, fatal: quiet } }
}

const offOf = (clock: { now(): Date }): number => clock.now().getTime() - systemClock.now().getTime()

test('a machine whose clock is wrong from the start goes by the database', async () => {
  const wrong = mock.method(systemClock, 'now', () => new Date(performance.timeOrigin + 2 * hourMs))
  const clock = openDatabaseClock()
  wrong.mock.restore()
  assert.ok(offOf(clock) > hourMs)
  await clock.set(db)
  assert.ok(Math.abs(offOf(clock)) < farMs)
})

test('a clock that is set while the service runs moves nothing, and is told once', async () => {
  const { said, log } = openLog()
  const clock = openDatabaseClock()
  await clock.set(db)
  const following = clock.follow(db, log)
  const before = clock.now().getTime()
  const right = systemClock.now
  const moved = mock.method(systemClock, 'now', () => new Date(right().getTime() - 2 * hourMs))
  await sleep(2_300)
  const passed = clock.now().getTime() - before
  moved.mock.restore()
  await sleep(1_300)
  await following.stop()
  assert.ok(passed >= 2_000 && passed < farMs, `${passed} ms have passed`)
  assert.deepEqual(
    said.map(({ seconds, message }) => [seconds, /right again/.test(message)]),
    [
      [-7200, false],
      [0, true],
    ],
  )
})

test('a database whose clock is put right is followed', async () => {
  const clock = openDatabaseClock()
  let aheadMs = hourMs
  const shifted = {
    ...db,
    row: async () => ({ ms: systemClock.now().getTime() + aheadMs }) as never,
  }
  await clock.set(shifted)
  assert.ok(offOf(clock) > hourMs - farMs)
  aheadMs = 0
  await clock.set(shifted)
  assert.ok(Math.abs(offOf(clock)) < farMs)
})

test('while the database is away time goes on', async () => {
  const clock = openDatabaseClock()
  await clock.set(db)
  const away = { ...db, row: async () => Promise.reject(new Error('away')) }
  const { log } = openLog()
  const following = clock.follow(away, log)
  const before = clock.now().getTime()
  await sleep(2_200)
  assert.ok(clock.now().getTime() - before >= 2_000)
  assert.ok(Math.abs(offOf(clock)) < farMs)
  await following.stop()
})

test('what is as right as a look can tell is left as it is', async () => {
  const clock = openDatabaseClock()
  await clock.set(db)
  let last = clock.now().getTime()
  for (let looks = 0; looks < 200; looks++) {
    await clock.set(db)
    const now = clock.now().getTime()
    assert.ok(now >= last, 'time went back')
    last = now
  }
})
