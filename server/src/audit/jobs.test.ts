// The background job seals within seconds, asks for its next run, and tells the log each day that is closed.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testClock, testDatabase, testLog, testSecrets } from '../../test/helpers.ts'
import * as background from '../background/background.ts'
import { openDb } from '../db/db.ts'
import * as audit from './audit.ts'
import { auditJobs } from './jobs.ts'

const { url, adminUrl } = await testDatabase()
const db = openDb({ url, connectionsMax: 4, name: 'mfuko tests' })
after(() => db.close())
const clock = testClock()
const { log, seen } = testLog()
const jobs = auditJobs({ db, clock, log, secrets: testSecrets })
const run = () => jobs.tasks.seal_audit?.({}, { signal: undefined, attempt: 1 })

const record = (count: number) =>
  db.inTransaction(async (tx) => {
    for (let n = 0; n < count; n++) {
      const actor = { kind: 'user', id: `usr_${n}` }
      await audit.record(tx, { actor, action: 'login', result: 'ok', at: clock.now() })
    }
  })

test('a worker seals within seconds, and each run asks for the next', async () => {
  await record(3)
  const worker = await background.startWorker({ url, concurrency: 2, ...jobs, log })
  try {
    // What the schedule does when the next minute begins.
    await db.inTransaction((tx) => background.add(tx, { task: 'seal_audit', payload: {} }))
    const sealed = async () => (await audit.search(db, { limit: 10 })).every((row) => row.sealed)
    const soon = async () => {
      for (let tries = 0; tries < 200 && !(await sealed()); tries++) await sleep(50)
      assert.ok(await sealed())
    }
    await soon()
    await record(2)
    await soon()
  } finally {
    await worker.stop()
  }
  const waiting = await db.rows<{ key: string }>(
    `select key from graphile_worker.jobs where task_identifier = 'seal_audit'`,
  )
  assert.deepEqual(waiting, [{ key: 'seal_audit' }], 'never more than one')
})

test('the head of a day that is over is told to the log', async () => {
  clock.advance(86_400)
  await run()
  const [head] = await db.rows<{ hash: string; signature: string }>(
    `select encode(hash, 'hex') as hash, encode(signature, 'hex') as signature from audit.heads`,
  )
  const line = seen.lines.find(({ msg }) => msg === 'a day of the audit log is closed')
  assert.ok(head && line)
  assert.deepEqual(
    { day: line.day, events: line.events, hash: line.hash, signature: line.signature },
    { day: '2026-03-14', events: 5, ...head },
  )
})

test('a tip that was altered is told as loudly as can be, and nothing is sealed', async () => {
  const admin = openDb({ url: adminUrl, connectionsMax: 1, name: 'mfuko tests' })
  await admin.rows('update audit.tip set events = 7')
  await admin.close()
  await record(1)
  await run()
  const line = seen.lines.at(-1)
  assert.deepEqual(
    [line?.level, line?.msg],
    ['fatal', 'The tip of the audit log was altered. Run `npm run audit:verify`.'],
  )
  assert.equal((await audit.search(db, { limit: 1 }))[0]?.sealed, false)
})
