// Codes in mails promise: one is in the database no longer than it is needed, sealed all the while, and in its own mail
// only; and a mail of the release before, or read by it, is neither lost nor left.
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { testClock, testConfig, testDatabase, testLog, testSecrets } from '../../test/helpers.ts'
import { type MailServer, startMailServer } from '../../test/mail-server.ts'
import { openSeal } from '../base/seal.ts'
import { openDb } from '../db/db.ts'
import { mailJobs } from './jobs.ts'
import * as mail from './mail.ts'

const { url, adminUrl } = await testDatabase()
const db = openDb({ url, connectionsMax: 4, name: 'mfuko tests' })
const admin = openDb({ url: adminUrl, connectionsMax: 1, name: 'mfuko tests' })
after(() => Promise.all([db.close(), admin.close()]))

const clock = testClock()
const amina = { address: 'amina@example.com', name: 'Amina Wanjiku', locale: 'en' } as const
const seal = openSeal(testSecrets.enc)
const codeMail: mail.NewMail = { to: amina, template: 'confirm_email', data: { code: '482913' }, seal }
const receipt: mail.NewMail = {
  to: amina,
  template: 'money_in',
  data: {
    amountText: 'UGX 10,000',
    from: 'Juma',
    reference: 'TR-7K3MQ-9WD2X-PB4',
    balanceText: 'UGX 25,500',
    time: new Date('2026-03-14T09:00:00Z'),
  },
  about: { kind: 'transfer', id: 'TR-7K3MQ-9WD2X-PB4' },
}

let server: MailServer
beforeEach(async () => {
  server = await startMailServer()
  await admin.rows('delete from mail.messages')
  await admin.rows('delete from graphile_worker._private_jobs')
})
afterEach(() => server.stop())

/** The tasks as the worker has them. */
function tasksWith(environment: Record<string, string> = {}) {
  const { log, seen } = testLog()
  const config = testConfig({ SMTP_URL: server.url, ...environment })
  const { tasks } = mailJobs({ db, clock, log, secrets: testSecrets, config, baseUrl: 'http://x' })
  const context = { signal: undefined, attempt: 1 }
  const run = async (task: string, payload: object = {}) => tasks[task]?.(payload, context)
  return { seen, run }
}

/** Puts it in the queue, and returns its id. */
async function queued(wanted: mail.NewMail): Promise<string> {
  await db.inTransaction((tx) => mail.queue(tx, wanted))
  const [row] = await mail.search(db, { limit: 1 })
  return row?.id ?? ''
}

const now = async (id: string) => {
  const row = await mail.read({ db, seal }, id)
  assert.ok(row)
  return row
}

describe('a code', () => {
  const anywhere = async (code: string) => {
    const rows = await admin.rows<{ text: string }>(
      `select m::text as text from mail.messages m union all
       select j.payload::text from graphile_worker._private_jobs j`,
    )
    const asBytes = Buffer.from(code).toString('hex')
    return rows.some(({ text }) => text.includes(code) || text.includes(asBytes))
  }
  const isThere = async (id: string) =>
    (
      await admin.row<{ there: boolean }>(
        'select sealed is not null as there from mail.messages where id = $1',
        [id],
      )
    )?.there

  test('can be read by nobody who has only the database, as long as it is there', async () => {
    const { run } = tasksWith({ SMTP_URL: '' })
    const id = await queued(codeMail)
    assert.deepEqual([await isThere(id), await anywhere('482913')], [true, false])
    await run('send_mail', { id })
    assert.deepEqual([await isThere(id), await anywhere('482913')], [true, false])
    assert.match((await now(id)).text ?? '', /482913/)
    assert.match((await now(id)).html ?? '', /482913/)
  })

  test('that somebody moves to another mail can not be read there', async () => {
    const [one, other] = [await queued(codeMail), await queued(codeMail)]
    await admin.rows(
      `update mail.messages set sealed = (select sealed from mail.messages where id = $1) where id = $2`,
      [one, other],
    )
    await assert.rejects(mail.read({ db, seal }, other))
    await assert.rejects(tasksWith().run('send_mail', { id: other }))
    assert.equal(server.received.length, 0)
  })

  test('that is sealed is never readable beside it: the database refuses', async () => {
    const id = await queued(codeMail)
    for (const change of [`data = '{"code":"1"}'`, `body_text = 'x'`, `body_html = 'x'`])
      await assert.rejects(
        admin.rows(`update mail.messages set ${change} where id = $1`, [id]),
        /message_code_sealed/,
      )
  })

  describe('of the release before, which knows nothing of sealing', () => {
    /** As it queues one. */
    const plain = async () => {
      const id = await queued(codeMail)
      await admin.rows(`update mail.messages set sealed = null, data = '{"code":"482913"}' where id = $1`, [
        id,
      ])
      assert.equal(await anywhere('482913'), true)
      return id
    }

    test('is sent, and gone', async () => {
      await tasksWith().run('send_mail', { id: await plain() })
      assert.match(server.received[0]?.mail.text ?? '', /482913/)
      assert.equal(await anywhere('482913'), false)
    })

    test('is sealed when it is kept', async () => {
      const id = await plain()
      await tasksWith({ SMTP_URL: '' }).run('send_mail', { id })
      assert.deepEqual([await isThere(id), await anywhere('482913')], [true, false])
      assert.match((await now(id)).text ?? '', /482913/)
    })

    test('is gone after a day', async () => {
      const { queuedAt } = await now(await plain())
      await mail.wipeCodes(db, { now: new Date(queuedAt.getTime() + 25 * 3_600_000) })
      assert.equal(await anywhere('482913'), false)
    })
  })

  test('that is sealed is not given up by the release before, which wipes it all the same when it is old', async () => {
    const id = await queued(codeMail)
    const wipe = 'data = null, body_text = null, body_html = null, wiped_at = now()'
    await assert.rejects(
      admin.rows(`update mail.messages set state = 'failed', ${wipe} where id = $1`, [id]),
      /message_sealed_wiped/,
    )
    assert.deepEqual([(await now(id)).state, await isThere(id)], ['queued', true])
    await admin.rows(`update mail.messages set ${wipe} where id = $1`, [id])
    assert.equal(await isThere(id), false)
  })

  test('is gone from the database when it is sent; the rest of a mail stays', async () => {
    const { run, seen } = tasksWith()
    const id = await queued(codeMail)
    await run('send_mail', { id })
    assert.match(server.received[0]?.mail.text ?? '', /482913/)
    assert.equal(await isThere(id), false)
    const { state, subject, wipedAt } = await now(id)
    assert.deepEqual(
      [state, subject, wipedAt],
      ['sent', 'Confirm your e-mail address for Mfuko', clock.now()],
    )
    assert.doesNotMatch(seen.text(), /482913/)
  })

  test('is gone when the server refuses it for good', async () => {
    server.refuse.recipients = [550]
    const id = await queued(codeMail)
    await tasksWith().run('send_mail', { id })
    assert.equal((await now(id)).state, 'failed')
    assert.equal(await isThere(id), false)
  })

  test('that was kept is gone after a day, and no receipt with it', async () => {
    const { run } = tasksWith({ SMTP_URL: '' })
    const id = await queued(codeMail)
    for (const one of [id, await queued(receipt)]) await run('send_mail', { id: one })
    const { queuedAt } = (await mail.search(db, { limit: 1 }))[0] ?? assert.fail()
    const after = (hours: number) =>
      mail.wipeCodes(db, { now: new Date(queuedAt.getTime() + hours * 3_600_000) })
    assert.equal(await after(23.9), 0)
    assert.equal(await isThere(id), true)
    assert.equal(await after(24.1), 1)
    assert.equal(await isThere(id), false)
    assert.equal(await after(24.1), 0)
    assert.equal(await anywhere('TR-7K3MQ-9WD2X-PB4'), true)
  })

  test('that expired before it could be sent is not sent', async () => {
    const { run } = tasksWith()
    const id = await queued(codeMail)
    const { queuedAt } = await now(id)
    await mail.wipeCodes(db, { now: new Date(queuedAt.getTime() + 25 * 3_600_000) })
    await run('send_mail', { id })
    const { state, problem } = await now(id)
    assert.deepEqual([state, problem], ['failed', 'Its code expired before it could be sent.'])
    assert.equal(server.received.length, 0)
  })

  test('the schedule wipes', async () => {
    const { run } = tasksWith()
    const id = await queued(codeMail)
    clock.set(new Date((await now(id)).queuedAt.getTime() + 25 * 3_600_000).toISOString())
    await run('wipe_mails')
    clock.set('2026-03-14T09:00:00.000Z')
    assert.equal(await isThere(id), false)
  })
})
