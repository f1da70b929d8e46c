// What operators see and decide: applications in their order, people, mails, the audit log and the books; and that nobody
// else is let in.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loggedInAgain, newBusiness, newOperator, theOperator } from '../../test/businesses.ts'
import { testApp } from '../../test/helpers.ts'
import { fund, type Reply, register } from '../../test/people.ts'
import { encodeCursor } from '../http/cursor.ts'
import * as ledgers from '../ledger/ledger.ts'
import * as users from '../users/users.ts'

const server = await testApp()
const operator = await theOperator(server)

const check = (reply: Reply, [status, code]: [number, string?]) => {
  assert.equal(reply.status, status, reply.text)
  if (code !== undefined) assert.equal(reply.body.code, code, reply.text)
}

describe('who is let in', () => {
  test('operators only, and no longer than they are', async () => {
    const person = await register(server)
    check(await person.call('GET', '/api/operator/merchants'), [403, 'forbidden'])
    const one = await newOperator(server)
    check(await one.call('GET', '/api/operator/merchants'), [200])
    const by = { kind: 'test', id: 'test' }
    const at = server.clock.now()
    await users.changeRole(server.db, { user: one.id, role: 'operator', given: false, by, at })
    server.users.forget(one.id)
    const again = await loggedInAgain(server, one)
    check(await again.call('GET', '/api/operator/merchants'), [403, 'forbidden'])
  })

  test('a frozen operator is not', async () => {
    const one = await newOperator(server)
    check(await operator.call('POST', `/api/operator/users/${one.id}/freeze`, { reason: 'Left' }), [200])
    const again = await loggedInAgain(server, one)
    check(await again.call('GET', '/api/operator/merchants'), [403, 'account_frozen'])
  })
})

test('nobody decides about a business of their own', async () => {
  const one = await newOperator(server)
  const { id } = await newBusiness(server, { owner: one, approved: false })
  const application = `/api/operator/applications/${id}`
  const business = `/api/operator/merchants/${id}`
  const reason = 'Because I can'
  check(await one.call('POST', `${application}/approve`), [422, 'invalid_state'])
  check(await one.call('POST', `${application}/reject`, { reason }), [422, 'invalid_state'])
  check(await operator.call('POST', `${application}/approve`), [200])
  check(await operator.call('POST', `${business}/suspend`, { reason }), [200])
  const refused = await one.call('POST', `${business}/unsuspend`)
  check(refused, [422, 'invalid_state'])
  assert.equal(refused.body.message, 'Somebody else has to decide about your own business.')
})

describe('applications', () => {
  test('the oldest first, overdue after 24 hours, page by page', async () => {
    const ids: number[] = []
    for (let made = 0; made < 3; made++) {
      ids.push((await newBusiness(server, { approved: false })).id)
      server.clock.advance(60)
    }
    // A day is longer than a login lasts.
    await server.db.rows(
      `update merchants.merchants set applied_at = applied_at - interval '24 hours' where id = $1`,
      [ids[0]],
    )
    const seen: [number, boolean][] = []
    let cursor: string | null = null
    for (let pages = 0; pages < 10 && (pages === 0 || cursor !== null); pages++) {
      const more: string = cursor === null ? '' : `&cursor=${cursor}`
      const { body } = await operator.call('GET', `/api/operator/applications?limit=2${more}`)
      for (const row of body.data) seen.push([row.merchant_id, row.overdue])
      cursor = body.meta.next_cursor
    }
    assert.deepEqual(seen, [
      [ids[0], true],
      [ids[1], false],
      [ids[2], false],
    ])
    for (const id of ids) await operator.call('POST', `/api/operator/applications/${id}/approve`)
    assert.deepEqual((await operator.call('GET', '/api/operator/applications')).body.data, [])
  })

  test('a decision is made once, by whoever comes first', async () => {
    const { id } = await newBusiness(server, { approved: false })
    const reason = 'No such shop.'
    const replies = await Promise.all([
      operator.call('POST', `/api/operator/applications/${id}/approve`),
      operator.call('POST', `/api/operator/applications/${id}/reject`, { reason }),
      operator.call('POST', `/api/operator/applications/${id}/approve`),
    ])
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 422, 422])
    const mails = await server.db.rows(`select 1 from mail.messages where about_id = $1`, [String(id)])
    assert.equal(mails.length, 1)
  })

  const rows: [what: string, body: object, field: string][] = [
    ['none', {}, 'reason'],
    ['too short', { reason: 'no' }, 'reason'],
    ['too long', { reason: 'x'.repeat(501) }, 'reason'],
    ['with control characters', { reason: 'a\u0007bcd' }, 'reason'],
  ]
  test('a rejection needs a reason', async () => {
    const { id } = await newBusiness(server, { approved: false })
    for (const [what, body, field] of rows) {
      const reply = await operator.call('POST', `/api/operator/applications/${id}/reject`, body)
      check(reply, [422, 'validation_failed'])
      assert.ok(field in reply.body.errors, what)
    }
    check(await operator.call('POST', '/api/operator/applications/99999999/approve'), [404, 'not_found'])
    check(await operator.call('POST', '/api/operator/applications/abc/approve'), [404, 'not_found'])
    const reason = 'Not a shop.'
    check(await operator.call('POST', `/api/operator/merchants/${id}/suspend`, { reason }), [
      422,
      'invalid_state',
    ])
    check(await operator.call('POST', `/api/operator/merchants/${id}/unsuspend`), [422, 'invalid_state'])
  })
})

describe('businesses', () => {
  test('are found by status, name, website and number', async () => {
    const fields = { business_name: 'Soko 100% la_Juma', website_url: 'https://soko.example' }
    const { id, owner } = await newBusiness(server, { fields })
    const found = async (query: string) =>
      (await operator.call('GET', `/api/operator/merchants?limit=100&${query}`)).body.data.map(
        (row: { merchant_id: number }) => row.merchant_id,
      )
    assert.deepEqual(await found('q=soko.exam'), [id])
    assert.deepEqual(await found(`q=${id}`), [id])
    assert.deepEqual(await found(`q=${encodeURIComponent('100% LA_')}`), [id])
    assert.deepEqual(await found(`q=${encodeURIComponent('100_')}`), [], 'no sign has a meaning of its own')
    assert.ok((await found('status=approved')).includes(id))
    assert.ok(!(await found('status=pending')).includes(id))
    const one = await operator.call('GET', `/api/operator/merchants/${id}`)
    assert.equal(one.body.data.owner.handle, owner.handle)
    check(await operator.call('GET', '/api/operator/merchants/99999999'), [404])
  })
})

describe('people', () => {
  test('are found by what they are called, and shown with their money', async () => {
    const person = await register(server)
    await fund(server, person, { amount: '5000' })
    for (const q of [person.id, person.handle, `@${person.handle}`, `${person.handle}@example.test`]) {
      const { body } = await operator.call('GET', `/api/operator/users?q=${encodeURIComponent(q)}`)
      assert.deepEqual(
        body.data.map(({ id }: { id: string }) => id),
        [person.id],
        q,
      )
    }
    assert.deepEqual((await operator.call('GET', '/api/operator/users?q=nobody_here')).body.data, [])
    check(await operator.call('GET', '/api/operator/users'), [422])
    const { body } = await operator.call('GET', `/api/operator/users/${person.id}`)
    const [wallet] = body.data.wallets
    assert.deepEqual(wallet, { currency: 'UGX', balance: 5000, held: 0 })
    assert.equal(body.data.merchant_id, null)
    check(await operator.call('GET', '/api/operator/users/usr_0000000000000000000000'), [404])
  })

  test('freezing ends the sessions, is told and written down; once', async () => {
    const person = await register(server)
    const url = `/api/operator/users/${person.id}`
    check(await operator.call('POST', `${url}/unfreeze`), [422, 'invalid_state'])
    const frozen = await operator.call('POST', `${url}/freeze`, { reason: 'Stolen phone' })
    check(frozen, [200])
    assert.equal(frozen.body.data.frozen, true)
    check(await operator.call('POST', `${url}/freeze`, { reason: 'Stolen phone' }), [422, 'invalid_state'])
    check(await operator.call('POST', `${url}/freeze`), [400])
    const open = await operator.call('POST', `${url}/unfreeze`)
    assert.equal(open.body.data.frozen, false)
    const { body } = await operator.call('GET', `/api/operator/audit?object=${person.id}`)
    assert.deepEqual(
      body.data.map((row: { action: string; actor: object; details: object }) => [
        row.action,
        row.actor,
        row.details,
      ]),
      [
        ['user.unfrozen', { kind: 'operator', id: operator.id }, {}],
        ['user.frozen', { kind: 'operator', id: operator.id }, { reason: 'Stolen phone' }],
      ],
    )
    const rows = await server.db.rows<{ whole: boolean }>(
      `select session is not null and address is not null and request_id is not null as whole
       from audit.events where object = $1 and action like 'user.%frozen'`,
      [person.id],
    )
    assert.deepEqual(rows, [{ whole: true }, { whole: true }], 'with where it was done from')
    check(await operator.call('POST', `/api/operator/users/${operator.id}/freeze`, { reason: 'Me' }), [422])
    check(await operator.call('POST', `/api/operator/users/${operator.id}/freeze`, { reason: 'Myself' }), [
      422,
      'invalid_state',
    ])
  })
})

describe('mails', () => {
  test('are listed without contents, and reading one is written down', async () => {
    const { id, owner } = await newBusiness(server)
    const address = `${owner.handle}@example.test`
    const list = await operator.call('GET', `/api/operator/mails?to=${address.toUpperCase()}&limit=1`)
    const [mail] = list.body.data
    assert.equal(mail.template, 'merchant_approved')
    assert.deepEqual(mail.about, { kind: 'merchant', id: String(id) })
    assert.ok(!('text' in mail) && !('html' in mail))
    const next = await operator.call(
      'GET',
      `/api/operator/mails?to=${address}&cursor=${list.body.meta.next_cursor}`,
    )
    assert.equal(next.body.data[0].template, 'confirm_email')
    const read = await operator.call('GET', `/api/operator/mails/${mail.id}`)
    check(read, [200])
    const { body } = await operator.call('GET', `/api/operator/audit?object=${mail.id}`)
    assert.deepEqual(
      body.data.map(({ action }: { action: string }) => action),
      ['mail.read'],
    )
    check(await operator.call('GET', '/api/operator/mails/mai_0000000000000000000000'), [404])
    assert.deepEqual((await operator.call('GET', '/api/operator/mails?state=failed')).body.data, [])
  })
})

describe('the audit log', () => {
  test('is searched by actor, action, object and time, page by page', async () => {
    const { id } = await newBusiness(server)
    const all = await operator.call('GET', `/api/operator/audit?object=${id}&limit=1`)
    assert.equal(all.body.data[0].action, 'credential.shown')
    const rest = await operator.call(
      'GET',
      `/api/operator/audit?object=${id}&limit=100&cursor=${all.body.meta.next_cursor}`,
    )
    assert.deepEqual(
      rest.body.data.map(({ action }: { action: string }) => action),
      ['merchant.approved', 'credential.shown', 'merchant.applied'],
    )
    assert.equal(rest.body.meta.next_cursor, null)
    const approved = await operator.call(
      'GET',
      `/api/operator/audit?action=merchant.approved&actor=${operator.id}&limit=1`,
    )
    assert.equal(approved.body.data[0].object, String(id))
    const from = new Date(server.clock.now().getTime() + 1_000).toISOString()
    assert.deepEqual((await operator.call('GET', `/api/operator/audit?from=${from}`)).body.data, [])
  })

  for (const cursor of [
    'x',
    'WyJ4IiwieSJd',
    'WyItMjAwMDAwLTAxLTAxVDAwOjAwOjAwLjAwMFoiLCIxIl0',
    encodeCursor(['2026-02-30T00:00:00.000Z', '1']),
  ])
    test(`a cursor that no list gave out is refused: ${cursor}`, async () => {
      for (const list of ['audit', 'merchants', 'applications', 'mails'])
        check(await operator.call('GET', `/api/operator/${list}?cursor=${cursor}`), [
          422,
          'validation_failed',
        ])
    })
})

describe('the books', () => {
  test('the last check, with what is in all accounts of a kind', async () => {
    const none = await operator.call('GET', '/api/operator/ledger')
    assert.deepEqual(none.body.data, { last_check: null, trial_balance: [] })
    const asked = await operator.call('POST', '/api/operator/ledger/check')
    check(asked, [200])
    await operator.call('POST', '/api/operator/ledger/check')
    const jobs = await server.db.rows<{ task: string }>(
      `select task_identifier as task from graphile_worker.jobs where key = 'check_books'`,
    )
    assert.deepEqual(jobs, [{ task: 'check_books' }], 'one that waits is not asked for twice')
    await ledgers.checkAndKeep(server.db, { clock: server.clock })
    const { body } = await operator.call('GET', '/api/operator/ledger')
    assert.equal(body.data.last_check.ok, true)
    assert.equal(body.data.last_check.started_at, server.clock.now().toISOString())
    const money = body.data.trial_balance.map(
      (line: Record<string, unknown>) => `${line.mode} ${line.currency} ${line.kind} ${line.balance}`,
    )
    assert.deepEqual(money.sort(), ['live UGX clearing -5000', 'live UGX user 5000'])
  })
})
