// Mails promise: one exists exactly when what it tells does; it is sent at least once, under one Message-ID, through a
// server that is down or busy, and given up when the server says never; without a server it is kept. Nothing a person
// chose reaches a header. What becomes of codes is in contents.test.ts.
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testClock, testConfig, testDatabase, testLog, testSecrets } from '../../test/helpers.ts'
import { type MailServer, startMailServer } from '../../test/mail-server.ts'
import * as background from '../background/background.ts'
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

const production = {
  NODE_ENV: 'production',
  BASE_URL: 'https://pay.example',
  DATABASE_URL: 'embedded',
}

/** The tasks as the worker has them. */
function tasksWith(environment: Record<string, string> = {}) {
  const { log, seen } = testLog()
  const config = testConfig({ SMTP_URL: server.url, ...environment })
  const baseUrl = config.BASE_URL ?? 'http://localhost:8080'
  const { tasks } = mailJobs({ db, clock, log, secrets: testSecrets, config, baseUrl })
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

/** The jobs that will send it, in how many seconds, and whether they let others go before them. */
const jobs = () =>
  db.rows<{ seconds: number; patient: boolean }>(
    `select extract(epoch from run_at - now())::float8 as seconds, priority > 0 as patient from graphile_worker.jobs
     where task_identifier = 'send_mail' order by run_at`,
  )

describe('by SMTP', () => {
  test('what was queued arrives, whole', async () => {
    const { run } = tasksWith({ MAIL_FROM: 'hello@pay.example', BRAND_NAME: 'Pochi "Yetu" é' })
    const id = await queued({ ...receipt, to: { ...amina, locale: 'sw' } })
    await run('send_mail', { id })
    assert.equal(server.received.length, 1)
    const [{ from, to, mail: parsed, raw } = assert.fail()] = server.received
    assert.deepEqual([from, to], ['hello@pay.example', ['amina@example.com']])
    assert.deepEqual(parsed.from, { name: 'Pochi "Yetu" é', address: 'hello@pay.example' })
    assert.deepEqual(parsed.to, [{ name: 'Amina Wanjiku', address: 'amina@example.com' }])
    assert.equal(parsed.subject, 'Umepokea UGX 10,000')
    assert.equal(parsed.messageId, `<${id}@pay.example>`)
    const { text, html, state, attempts, doneAt, subject } = await now(id)
    assert.deepEqual([state, attempts, doneAt, subject], ['sent', 1, clock.now(), 'Umepokea UGX 10,000'])
    assert.equal(parsed.text?.replaceAll('\r\n', '\n').trim(), text?.trim())
    assert.equal(parsed.html?.replaceAll('\r\n', '\n').trim(), html?.trim())
    assert.match(raw, /^Auto-Submitted: auto-generated\r$/m)
    assert.match(raw, /^Content-Language: sw\r$/m)
    assert.match(raw, /multipart\/alternative/)
  })

  test('a job that runs again sends nothing again', async () => {
    const { run } = tasksWith()
    const id = await queued(receipt)
    await run('send_mail', { id })
    await run('send_mail', { id })
    assert.equal(server.received.length, 1)
  })

  test('a transaction that is undone sends nothing', async () => {
    const undone = db.inTransaction(async (tx) => {
      await mail.queue(tx, receipt)
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    assert.deepEqual(await mail.search(db, { limit: 1 }), [])
    assert.deepEqual(await jobs(), [])
  })

  test('a worker sends what is queued', async () => {
    const { log } = testLog()
    const parts = mailJobs({
      db,
      clock,
      log,
      secrets: testSecrets,
      config: testConfig({ SMTP_URL: server.url }),
      baseUrl: 'http://x',
    })
    const worker = await background.startWorker({ url, concurrency: 2, ...parts, log })
    try {
      await queued(receipt)
      await queued(codeMail)
      for (let tries = 0; tries < 100 && server.received.length < 2; tries++) await sleep(50)
      assert.equal(server.received.length, 2)
    } finally {
      await worker.stop()
    }
    assert.deepEqual(
      (await mail.search(db, { limit: 10 })).map(({ state }) => state),
      ['sent', 'sent'],
    )
  })

  test('server down, then up: the same mail, under the same Message-ID', async () => {
    const { run, seen } = tasksWith()
    const id = await queued(receipt)
    await server.stop()
    await run('send_mail', { id })
    const failed = await now(id)
    assert.deepEqual([failed.state, failed.attempts], ['queued', 1])
    assert.match(failed.problem ?? '', /ESOCKET|ECONNREFUSED/)
    const [first, next] = await jobs()
    assert.deepEqual([first?.patient, next?.patient], [true, true])
    assert.ok(next && next.seconds > 6 && next.seconds < 13, `the next attempt is in ${next?.seconds} s`)
    assert.match(seen.text(), /"problem":"E[A-Z]+".*the next attempt comes later/)
    assert.doesNotMatch(seen.text(), /amina/)
    server = await startMailServer({ port: Number(new URL(server.url).port) })
    // A change of the words, or of the brand, in between: what was written stays.
    await tasksWith({ BRAND_NAME: 'Another' }).run('send_mail', { id })
    assert.equal(server.received[0]?.mail.text?.replaceAll('\r\n', '\n').trim(), failed.text?.trim())
    assert.equal(server.received[0]?.mail.messageId, `<${id}@localhost>`)
    assert.deepEqual([(await now(id)).state, (await now(id)).attempts], ['sent', 2])
  })

  // What the server says → what becomes of the mail.
  const answers: [
    what: string,
    refuse: Partial<MailServer['refuse']>,
    state: string,
    problem: RegExp | undefined,
  ][] = [
    ['450 to the recipient: later', { recipients: [450] }, 'queued', /^EENVELOPE: .*450/],
    ['451 to the mail: later', { mails: [451] }, 'queued', /^EMESSAGE: .*451/],
    ['550 to the recipient: never', { recipients: [550] }, 'failed', /^EENVELOPE: .*550/],
    ['554 to the mail: never', { mails: [554] }, 'failed', /^EMESSAGE: .*554/],
  ]
  for (const [what, refuse, state, problem] of answers) {
    test(what, async () => {
      Object.assign(server.refuse, refuse)
      const { run } = tasksWith()
      const id = await queued(receipt)
      await run('send_mail', { id })
      const row = await now(id)
      assert.equal(row.state, state)
      assert.match(row.problem ?? '', problem ?? /^$/)
      assert.equal((await jobs()).length, state === 'queued' ? 2 : 1)
      await run('send_mail', { id })
      assert.equal(server.received.length, state === 'queued' ? 1 : 0)
    })
  }

  test('given up after ten attempts, less than a day apart in all', async () => {
    const { run, seen } = tasksWith()
    const id = await queued(receipt)
    server.refuse.recipients = Array.from({ length: 20 }, () => 450)
    for (let attempts = 0; attempts < 12; attempts++) await run('send_mail', { id })
    const { state, attempts } = await now(id)
    assert.deepEqual({ state, attempts }, { state: 'failed', attempts: 10 })
    const total = (await jobs()).reduce((sum, { seconds }) => sum + seconds, 0)
    assert.ok(total > 12 * 3_600 && total < 20 * 3_600, `${total} s in all`)
    assert.match(seen.text(), /could not be sent and is given up/)
  })

  test('with name and password; a wrong one is tried again, for somebody may mend it', async () => {
    const login = { name: 'amina@pay.example', password: 'p@ss/w:rd?#%é' }
    await server.stop()
    server = await startMailServer({ login })
    const id = await queued(receipt)
    const named = (password: string) =>
      server.url.replace('//', `//${encodeURIComponent(login.name)}:${encodeURIComponent(password)}@`)
    const wrong = tasksWith({ SMTP_URL: named('wrong') })
    await wrong.run('send_mail', { id })
    const { state, problem } = await now(id)
    assert.equal(state, 'queued')
    assert.match(problem ?? '', /^EAUTH: .*535/)
    assert.doesNotMatch(wrong.seen.text(), /pay\.example|wrong/)
    await tasksWith({ SMTP_URL: named(login.password) }).run('send_mail', { id })
    assert.equal((await now(id)).state, 'sent')
  })

  test('in production the connection must be encrypted, unless the operator says otherwise', async () => {
    const id = await queued(receipt)
    await tasksWith(production).run('send_mail', { id })
    assert.match((await now(id)).problem ?? '', /^ETLS/)
    await tasksWith({ ...production, SMTP_URL: `${server.url}?requireTLS=false` }).run('send_mail', { id })
    assert.equal((await now(id)).state, 'sent')
  })
})

describe('no name and no address gets into the headers', () => {
  const names = [
    'Eve\r\nBcc: eve@example.com',
    'Eve\nSubject: Free money',
    '"Eve" <eve@example.com>, Mallory',
    'Eve\\"; <x@y.example>',
    'Ève 🥭 Ọlá ውዴ',
    '=?utf-8?Q?Eve=0D=0ABcc:_eve@example.com?=',
    `${'Long '.repeat(400)}\r\n\r\nbody`,
    '\u0000\u2028\u202eEve',
  ]
  for (const name of names) {
    test(JSON.stringify(name.slice(0, 40)), async () => {
      const id = await queued({
        ...receipt,
        to: { ...amina, name },
        data: { ...receipt.data, amountText: name },
      } as mail.NewMail)
      await tasksWith().run('send_mail', { id })
      const [{ to, mail: parsed, raw } = assert.fail()] = server.received
      assert.deepEqual(to, ['amina@example.com'])
      assert.deepEqual(
        parsed.to?.map(({ address }) => address),
        ['amina@example.com'],
      )
      const headers = raw.slice(0, raw.indexOf('\r\n\r\n'))
      const fields = [...headers.matchAll(/^([\w-]+):/gm)].map(([, field]) => field?.toLowerCase())
      assert.deepEqual(fields.toSorted(), [
        'auto-submitted',
        'content-language',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'subject',
        'to',
        'x-auto-response-suppress',
      ])
    })
  }

  const addresses = [
    'eve@example.com\r\nBcc: all@example.com',
    'eve@example.com, all@example.com',
    'Eve <eve@example.com>',
    '"a b"@example.com',
    'eve@example.com>\r\nRCPT TO:<all@example.com',
    'eve',
    '@example.com',
    'eve@',
    'a@b@c',
    `${'x'.repeat(300)}@example.com`,
    '',
  ]
  for (const address of addresses) {
    test(`${JSON.stringify(address.slice(0, 40))} is noted, and nothing is sent`, async () => {
      const id = await queued({ ...codeMail, to: { ...amina, address } } as mail.NewMail)
      await tasksWith().run('send_mail', { id })
      const { state, problem, text } = await now(id)
      assert.deepEqual([state, text], ['failed', undefined])
      assert.match(problem ?? '', /not an address/)
      assert.deepEqual(server.received, [])
      assert.deepEqual(await jobs(), [])
    })
  }

  test('letters of any script are an address', async () => {
    const id = await queued({
      ...receipt,
      to: { ...amina, address: 'juma+pay@exämple.com' },
    } as mail.NewMail)
    await tasksWith().run('send_mail', { id })
    assert.deepEqual(server.received[0]?.to, ['juma+pay@exämple.com'])
  })
})

describe('without a mail server', () => {
  const kept = { SMTP_URL: '' }

  test('it is kept, and printed as one block', async () => {
    const { run, seen } = tasksWith(kept)
    const id = await queued(codeMail)
    await run('send_mail', { id })
    const { state, text } = await now(id)
    assert.equal(state, 'kept')
    assert.match(text ?? '', /482913/)
    const printed = seen.lines.map(({ msg }) => String(msg)).join('\n')
    assert.match(
      printed,
      /Mail to Amina Wanjiku <amina@example\.com> \(not sent[\s\S]*\n {4}482913\n[\s\S]*-----$/,
    )
    assert.equal(server.received.length, 0)
  })

  test('in production nothing of it is in the log', async () => {
    const { run, seen } = tasksWith({ ...production, ...kept })
    const id = await queued(codeMail)
    await run('send_mail', { id })
    assert.equal((await now(id)).state, 'kept')
    assert.match(seen.text(), /kept a mail/)
    assert.doesNotMatch(seen.text(), /482913|amina|Amina/i)
  })
})

describe('search', () => {
  test('by address, state and subject matter, the newest first, page by page', async () => {
    const { run } = tasksWith()
    const first = await queued(receipt)
    await queued({ ...codeMail, to: { ...amina, address: 'Juma@Example.com' } } as mail.NewMail)
    await queued(codeMail)
    await run('send_mail', { id: first })
    const found = async (wanted: Partial<mail.MailSearch>) =>
      (await mail.search(db, { limit: 10, ...wanted })).map(({ to, template }) => `${to.address} ${template}`)
    const all = [
      'amina@example.com confirm_email',
      'Juma@Example.com confirm_email',
      'amina@example.com money_in',
    ]
    assert.deepEqual(await found({}), all)
    assert.deepEqual(await found({ to: 'juma@example.com' }), [all[1]])
    assert.deepEqual(await found({ state: 'queued' }), all.slice(0, 2))
    assert.deepEqual(await found({ about: receipt.about }), [all[2]])
    const [latest] = await mail.search(db, { limit: 1 })
    assert.deepEqual(await found({ before: latest?.number, limit: 1 }), [all[1]])
  })

  test('a mail that is not there', async () => {
    assert.equal(await mail.read({ db, seal }, 'mai_nothing'), undefined)
  })
})

test('a mail without what its template needs is a bug', async () => {
  const wrong = { to: amina, template: 'money_in', data: { amountText: 'x' } } as unknown as mail.NewMail
  await assert.rejects(
    db.inTransaction((tx) => mail.queue(tx, wrong)),
    /a mail money_in is given from, reference, balanceText, time/,
  )
})
