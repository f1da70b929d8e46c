// A business applies: what it may say of itself, once a person, again after it was rejected; what its owner changes
// later; and how an operator's decision reaches it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { application, loggedInAgain, newBusiness, theOperator } from '../../test/businesses.ts'
import { testApp } from '../../test/helpers.ts'
import { call, type Reply, register, testPassword } from '../../test/people.ts'
import { redirectProblem } from './rules.ts'

const server = await testApp()

const audited = (action: string, object: number) =>
  server.db.rows<{ actor_kind: string; actor_id: string; details: Record<string, unknown> }>(
    'select actor_kind, actor_id, details from audit.events where action = $1 and object = $2 order by id',
    [action, String(object)],
  )

const mailsAbout = (merchant: number) =>
  server.db.rows<{ template: string; to_address: string; data: Record<string, string> }>(
    `select template, to_address, data from mail.messages where about_kind = 'merchant' and about_id = $1 order by number`,
    [String(merchant)],
  )

const check = (reply: Reply, [status, code]: [number, string?]) => {
  assert.equal(reply.status, status, reply.text)
  if (code !== undefined) assert.equal(reply.body.code, code, reply.text)
}

describe('registering', () => {
  test('shows the test pair once; test mode works at once, live mode waits', async () => {
    const owner = await register(server)
    const made = await owner.call('POST', '/api/merchant/register', {
      ...application,
      business_name: '  Duka la Amina ',
      ipn_url: 'https://duka.example/ipn',
    })
    check(made, [201])
    const { credentials, ...data } = made.body.data
    assert.ok(
      Number.isInteger(data.merchant_id) && data.merchant_id >= 10_000_000 && data.merchant_id <= 999_999_999,
    )
    assert.deepEqual(
      { ...data, merchant_id: 0 },
      {
        merchant_id: 0,
        business_name: 'Duka la Amina',
        category: 'Groceries',
        website_url: 'https://duka.example',
        status: 'pending',
        review_due_at: '2026-03-15T09:00:00.000Z',
        reviewed_at: null,
        rejection_reason: null,
        suspension_reason: null,
        ipn_url: 'https://duka.example/ipn',
        callback_url: null,
        settlement_currency: 'UGX',
        redirect_hosts: [],
        allowed_addresses: [],
        header_prefix: 'SVC',
        created_at: '2026-03-14T09:00:00.000Z',
      },
    )
    const { api_key: key, client_secret: secret, ...told } = credentials.test
    assert.match(key, /^svc_test_[0-9A-Za-z]{49}$/)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(told.api_key_prefix, key.slice(0, 21))
    assert.equal(told.client_secret_set, true)
    assert.equal(credentials.live.api_key_prefix, null)
    assert.equal(credentials.live.client_secret_set, false)

    const look = await owner.call('GET', '/api/merchant')
    check(look, [200])
    assert.deepEqual(look.body.data, { ...data, credentials: { live: credentials.live, test: told } })
    assert.ok(!look.text.includes(secret) && !look.text.includes(key))
    const [event] = await audited('merchant.applied', data.merchant_id)
    assert.equal(event?.actor_id, owner.id)
    assert.deepEqual(event?.details, { business_name: 'Duka la Amina', again: false })
  })

  const long = 'x'.repeat(2_050)
  const rows: [what: string, fields: object, field: string][] = [
    ['no name', { business_name: undefined }, 'business_name'],
    ['an empty name', { business_name: '' }, 'business_name'],
    ['a name of spaces', { business_name: '   ' }, 'business_name'],
    ['a long name', { business_name: 'x'.repeat(81) }, 'business_name'],
    ['a name with a line break', { business_name: 'a\nb' }, 'business_name'],
    ['a name that turns the direction of writing', { business_name: 'a\u202eb' }, 'business_name'],
    ['a name that is no text', { business_name: 5 }, 'business_name'],
    ['no category', { category: undefined }, 'category'],
    ['a long category', { category: 'x'.repeat(61) }, 'category'],
    ['no website', { website_url: undefined }, 'website_url'],
    ['a website that is none', { website_url: 'duka' }, 'website_url'],
    ['a list of websites', { website_url: ['duka'] }, 'website_url'],
    ['a website with a password in it', { website_url: 'https://a:b@duka.example' }, 'website_url'],
    ['a script for a website', { website_url: 'javascript:alert(1)' }, 'website_url'],
    ['a long website', { website_url: `https://duka.example/${long}` }, 'website_url'],
    ['an ipn_url that is none', { ipn_url: 'ipn' }, 'ipn_url'],
    ['an ipn_url to the metadata of a cloud', { ipn_url: 'http://169.254.169.254/x' }, 'ipn_url'],
    ['a callback_url that is none', { callback_url: '//duka.example' }, 'callback_url'],
    ['an unknown currency', { settlement_currency: 'EUR' }, 'settlement_currency'],
  ]
  test('wrong fields are refused by name, all at once', async () => {
    const owner = await register(server)
    for (const [what, fields, field] of rows) {
      const reply = await owner.call('POST', '/api/merchant/register', { ...application, ...fields })
      check(reply, [422, 'validation_failed'])
      assert.deepEqual(Object.keys(reply.body.errors), [field], what)
    }
    const all = await owner.call('POST', '/api/merchant/register', { website_url: 'x', ipn_url: 'y' })
    assert.deepEqual(Object.keys(all.body.errors).sort(), [
      'business_name',
      'category',
      'ipn_url',
      'website_url',
    ])
    check(await owner.call('GET', '/api/merchant'), [404, 'not_found'])
  })

  test('the currency is that of the country, or the one that was asked for', async () => {
    const kenyan = await newBusiness(server, {
      owner: await register(server, { country: 'KE' }),
      approved: false,
    })
    assert.equal((await kenyan.owner.call('GET', '/api/merchant')).body.data.settlement_currency, 'KES')
    const other = await newBusiness(server, { approved: false, fields: { settlement_currency: 'USD' } })
    assert.equal((await other.owner.call('GET', '/api/merchant')).body.data.settlement_currency, 'USD')
  })

  test('who has no e-mail address adds one first', async () => {
    const body = { name: 'No Mail', phone: '+256700000077', password: testPassword }
    const signedUp = await call(server, { method: 'POST', url: '/api/auth/register', body })
    check(signedUp, [201])
    const headers = { authorization: `Bearer ${signedUp.body.data.token}` }
    const reply = await call(server, {
      method: 'POST',
      url: '/api/merchant/register',
      body: application,
      headers,
    })
    check(reply, [422, 'invalid_state'])
    assert.match(reply.body.message, /e-mail/)
  })

  test('one a person, also when both come at once', async () => {
    const owner = await register(server)
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => owner.call('POST', '/api/merchant/register', application)),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 422, 422, 422, 422, 422])
    check(await owner.call('POST', '/api/merchant/register', application), [422, 'invalid_state'])
  })

  test('somebody who has no business is told so', async () => {
    const person = await register(server)
    check(await person.call('GET', '/api/merchant'), [404, 'not_found'])
    check(await person.call('PATCH', '/api/merchant', {}), [404, 'not_found'])
  })
})

describe('the review', () => {
  test('approval: told by mail; the first look of the owner shows the live pair', async () => {
    const business = await newBusiness(server, { approved: false })
    const { owner, id } = business
    const operator = await theOperator(server)
    server.clock.advance(60)
    const done = await operator.call('POST', `/api/operator/applications/${id}/approve`)
    check(done, [200])
    assert.equal(done.body.data.status, 'approved')
    // A server with the test key looks first, and takes nothing away.
    const other = await business.callTest('GET', '/api/merchant')
    check(other, [200])
    assert.equal(other.body.data.credentials.live.api_key_prefix, null)

    const first = await owner.call('GET', '/api/merchant')
    const { live } = first.body.data.credentials
    assert.match(live.api_key, /^svc_live_/)
    assert.match(live.client_secret, /^whsec_/)
    assert.equal(first.body.data.reviewed_at, server.clock.now().toISOString())
    server.clock.advance(601)
    const second = (await owner.call('GET', '/api/merchant')).body.data.credentials
    assert.equal(second.live.api_key_prefix, live.api_key_prefix)
    assert.deepEqual(
      [second.live.api_key, second.live.client_secret, second.test.api_key],
      [undefined, undefined, undefined],
    )
    const mails = await mailsAbout(id)
    assert.deepEqual(
      mails.map(({ template, to_address }) => [template, to_address]),
      [['merchant_approved', `${owner.handle}@example.test`]],
    )
    assert.equal((await audited('merchant.approved', id))[0]?.actor_id, operator.id)
    const shown = await audited('credential.shown', id)
    assert.deepEqual(
      shown.map(({ details }) => [details.mode, details.what]),
      [
        ['test', ['api_key', 'client_secret']],
        ['live', ['api_key', 'client_secret']],
      ],
    )
  })

  test('a look that shows nothing does not count', async () => {
    const { owner, id } = await newBusiness(server, { approved: false })
    await (await theOperator(server)).call('POST', `/api/operator/applications/${id}/approve`)
    const headers = { authorization: `Bearer ${owner.token}` }
    const head = await server.app.inject({ method: 'HEAD', url: '/api/merchant', headers })
    assert.equal(head.statusCode, 200)
    const look = await owner.call('GET', '/api/merchant')
    assert.match(look.body.data.credentials.live.api_key, /^svc_live_/)
  })

  test('many first looks at once: all see one live pair', async () => {
    const { owner, id } = await newBusiness(server, { approved: false })
    await (await theOperator(server)).call('POST', `/api/operator/applications/${id}/approve`)
    const looks = await Promise.all(Array.from({ length: 8 }, () => owner.call('GET', '/api/merchant')))
    const seen = new Set(looks.map(({ body }) => body.data.credentials.live.api_key))
    assert.equal(seen.size, 1)
    assert.match([...seen][0], /^svc_live_/)
    const [keys] = await server.db.rows<{ count: bigint }>(
      `select count(*) from merchants.api_keys where merchant_id = $1 and mode = 'live'`,
      [id],
    )
    assert.equal(keys?.count, 1n)
  })

  test('rejection: told with the reason; it applies again with the same id and the same test key', async () => {
    const business = await newBusiness(server, { approved: false })
    const { owner, id, callTest } = business
    const operator = await theOperator(server)
    const reason = 'The website can not be reached.'
    check(await operator.call('POST', `/api/operator/applications/${id}/reject`, { reason }), [200])
    const look = await owner.call('GET', '/api/merchant')
    assert.equal(look.body.data.status, 'rejected')
    assert.equal(look.body.data.rejection_reason, reason)
    assert.deepEqual(
      (await mailsAbout(id)).map(({ template, data }) => [template, data.reason]),
      [['merchant_rejected', reason]],
    )
    check(await callTest('GET', '/api/merchant'), [200])

    server.clock.advance(3_600)
    const again = await owner.call('POST', '/api/merchant/register', {
      ...application,
      business_name: 'Better',
    })
    check(again, [201])
    const { merchant_id, status, rejection_reason, review_due_at, credentials } = again.body.data
    assert.deepEqual([merchant_id, status, rejection_reason], [id, 'pending', null])
    assert.equal(review_due_at, new Date(server.clock.now().getTime() + 86_400_000).toISOString())
    assert.equal(credentials.test.api_key, undefined, 'the test key is known already')
    check(await callTest('GET', '/api/merchant'), [200])
    check(await operator.call('POST', `/api/operator/applications/${id}/approve`), [200])
  })

  test('suspension stops both keys at once, and its end lets them in again', async () => {
    const { owner, id, callLive, callTest } = await newBusiness(server)
    const operator = await theOperator(server)
    check(await callLive('GET', '/api/merchant'), [200])
    const reason = 'Many complaints.'
    check(await operator.call('POST', `/api/operator/merchants/${id}/suspend`, { reason }), [200])
    check(await callLive('GET', '/api/merchant'), [403, 'forbidden'])
    check(await callTest('GET', '/api/merchant'), [403, 'forbidden'])
    const look = await owner.call('GET', '/api/merchant')
    assert.deepEqual([look.body.data.status, look.body.data.suspension_reason], ['suspended', reason])
    check(await operator.call('POST', `/api/operator/merchants/${id}/unsuspend`), [200])
    check(await callLive('GET', '/api/merchant'), [200])
    assert.deepEqual(
      (await mailsAbout(id)).map(({ template }) => template),
      ['merchant_approved', 'merchant_suspended', 'merchant_reinstated'],
    )
  })

  test('no other change of the state exists, not even for who writes to the table', async () => {
    const { id } = await newBusiness(server)
    await assert.rejects(
      server.db.rows(`update merchants.merchants set status = 'pending', reviewed_at = null where id = $1`, [
        id,
      ]),
      /can not go from approved to pending/,
    )
    await assert.rejects(
      server.db.rows('update merchants.merchants set owner_id = owner_id || $2 where id = $1', [id, 'x']),
      /can not become another/,
    )
  })
})

describe('the profile', () => {
  const password = testPassword

  test('changes what was sent, and nothing else', async () => {
    const { owner, callLive } = await newBusiness(server)
    const changed = await owner.call('PATCH', '/api/merchant', {
      ipn_url: 'https://duka.example/ipn',
      callback_url: 'https://duka.example/cb',
    })
    check(changed, [200])
    assert.equal(changed.body.data.ipn_url, 'https://duka.example/ipn')
    const cleared = await owner.call('PATCH', '/api/merchant', {
      ipn_url: null,
      website_url: 'https://new.example',
      password,
    })
    assert.deepEqual(
      [cleared.body.data.ipn_url, cleared.body.data.callback_url, cleared.body.data.website_url],
      [null, 'https://duka.example/cb', 'https://new.example'],
    )
    const seen = await callLive('GET', '/api/merchant')
    assert.equal(seen.body.data.website_url, 'https://new.example')
    const events = await audited('merchant.changed', cleared.body.data.merchant_id)
    assert.deepEqual(events.at(-1)?.details, {
      before: { websiteUrl: 'https://duka.example', ipnUrl: 'https://duka.example/ipn' },
      after: { websiteUrl: 'https://new.example', ipnUrl: null },
    })
  })

  const hosts = (list: string[]) => ({ redirect_hosts: list })
  const rows: [what: string, body: object, status: number, field?: string][] = [
    ['a host without the password', hosts(['pay.example']), 422, 'password'],
    ['a host with a wrong password', { ...hosts(['pay.example']), password: 'wrong' }, 422, 'password'],
    ['a host with the password', { ...hosts(['Pay.Example', 'pay.example.']), password }, 200],
    ['the same without the password', hosts(['pay.example']), 200],
    ['one more without the password', hosts(['pay.example', 'b.example']), 422, 'password'],
    ['none without the password', hosts([]), 200],
    ['a host that is none', { ...hosts(['pay.example', 'http://x']), password }, 422, 'redirect_hosts.1'],
    [
      'eleven hosts',
      { ...hosts(Array.from({ length: 11 }, (_, at) => `h${at}.example`)), password },
      422,
      'redirect_hosts',
    ],
    ['a network without the password', { allowed_addresses: ['10.0.0.1'] }, 422, 'password'],
    ['a network that is none', { allowed_addresses: ['10.0.0.0/33'], password }, 422, 'allowed_addresses.0'],
    ['a network', { allowed_addresses: ['10.0.0.0/8', 'fd00::/8'], password }, 200],
    ['none again', { allowed_addresses: [], password }, 200],
    ['another website without the password', { website_url: 'https://thief.example' }, 422, 'password'],
    ['another page of the same website', { website_url: 'https://www.duka.example/shop' }, 200],
    ['another website with the password', { website_url: 'https://new.example', password }, 200],
    ['a website that is none', { website_url: 'x' }, 422, 'website_url'],
    ['nothing', {}, 200],
  ]
  test('hosts, networks and another website need the password', async () => {
    const { owner } = await newBusiness(server, { approved: false })
    for (const [what, body, status, field] of rows) {
      const reply = await owner.call('PATCH', '/api/merchant', body)
      assert.equal(reply.status, status, `${what}: ${reply.text}`)
      if (field !== undefined) assert.deepEqual(Object.keys(reply.body.errors), [field], what)
      assert.ok(!reply.text.includes(password))
    }
  })

  test('long addresses are kept whole, and shortened in the audit log', async () => {
    const { owner, id } = await newBusiness(server, { approved: false })
    const long = (name: string) => `https://duka.example/${name}?${'"'.repeat(2_000)}`
    for (const round of ['a', 'b']) {
      const body = { ipn_url: long(`ipn-${round}`), callback_url: long(`callback-${round}`) }
      const reply = await owner.call('PATCH', '/api/merchant', body)
      assert.equal(reply.status, 200, reply.text)
      assert.equal(reply.body.data.ipn_url, body.ipn_url)
    }
    const details = (await audited('merchant.changed', id)).at(-1)?.details
    assert.match(JSON.stringify(details), /ipn-a\?.*….*ipn-b\?.*…/)
  })

  test('a website of two labels that begins with www is not the whole of com', () => {
    const rules = { hosts: [], mode: 'live', production: true } as const
    const problem = (websiteUrl: string, url: string) => redirectProblem(url, { ...rules, websiteUrl })
    assert.notEqual(problem('https://www.com', 'https://thief.com'), undefined)
    assert.equal(problem('https://www.com', 'https://www.com/thanks'), undefined)
    assert.equal(problem('https://www.duka.example', 'https://duka.example/thanks'), undefined)
  })

  test('hosts are kept in one form', async () => {
    const { owner } = await newBusiness(server, { approved: false })
    const reply = await owner.call('PATCH', '/api/merchant', {
      ...hosts(['Pay.Example', 'pay.example.']),
      password,
    })
    assert.deepEqual(reply.body.data.redirect_hosts, ['pay.example'])
  })

  test('a frozen owner whose business was approved meanwhile may look, and no live pair is made', async () => {
    const { owner, id } = await newBusiness(server, { approved: false })
    const operator = await theOperator(server)
    const freezing = `/api/operator/users/${owner.id}/freeze`
    check(await operator.call('POST', `/api/operator/applications/${id}/approve`), [200])
    check(await operator.call('POST', freezing, { reason: 'Lost phone' }), [200])
    const looked = await (await loggedInAgain(server, owner)).call('GET', '/api/merchant')
    check(looked, [200])
    const { live } = looked.body.data.credentials
    assert.deepEqual([live.api_key, live.client_secret], [undefined, undefined])
    assert.equal(await server.merchants.keysOf(id, 'live'), undefined)
  })

  test('a frozen owner changes nothing', async () => {
    const { owner } = await newBusiness(server, { approved: false })
    const operator = await theOperator(server)
    check(
      await operator.call('POST', `/api/operator/users/${owner.id}/freeze`, { reason: 'Lost phone' }),
      [200],
    )
    const frozen = await loggedInAgain(server, owner)
    for (const [method, url, body] of [
      ['PATCH', '/api/merchant', {}],
      ['POST', '/api/merchant/rotate-key', { password }],
      ['POST', '/api/merchant/credentials/reveal', { password, mode: 'test' }],
      ['POST', '/api/merchant/register', application],
    ] as const)
      check(await frozen.call(method, url, body), [403, 'account_frozen'])
    check(await frozen.call('GET', '/api/merchant'), [200])
  })
})
