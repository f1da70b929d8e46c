// Campaigns over HTTP: who may begin, change, end and empty one; what a contribution needs; that the numbers are those of
// the ledger at any moment, also when a hundred come at once and somebody empties or pauses it meanwhile.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { theOperator } from '../../test/businesses.ts'
import { checkAllCampaigns, checkCampaign, newCampaign, story } from '../../test/campaigns.ts'
import { submittedDuring, testApp } from '../../test/helpers.ts'
import { available, fund, type Loose, register, type TestPerson } from '../../test/people.ts'

const server = await testApp()
const { clock, db, dependencies } = server
const owner = await register(server, { handle: 'amina', name: 'Amina Nakato' })
const giver = await register(server, { handle: 'juma', name: 'Juma Otieno' })
await fund(server, giver, { amount: '15000000' })
await fund(server, owner, { amount: '1000000' })
afterEach(() => checkAllCampaigns(server))

const give = (person: TestPerson, id: string, body: object = {}, headers: Record<string, string> = {}) =>
  person.call(
    'POST',
    `/api/campaigns/${id}/contribute`,
    { amount: 10_000, pin: person.pin, ...body },
    headers,
  )
const take = (person: TestPerson, id: string, body: object = {}, headers: Record<string, string> = {}) =>
  person.call('POST', `/api/campaigns/${id}/withdraw`, { pin: person.pin, ...body }, headers)
const look = async (id: string, person = owner): Promise<Loose> =>
  (await person.call('GET', `/api/campaigns/${id}`)).body.data

describe('beginning one', () => {
  test('it is public at once', async () => {
    const made = await newCampaign(owner, { category: 'education', ends_at: '2026-06-01T00:00:00.000Z' })
    const { id, created_at, url, ...rest } = made
    assert.match(id, /^cmp_[0-9A-Za-z]{22}$/)
    assert.equal(url, `http://localhost:8080/c/${id}`)
    assert.equal(created_at, clock.now().toISOString())
    assert.deepEqual(rest, {
      title: 'A well for Kasese',
      story,
      category: 'education',
      cover_url: null,
      currency: 'UGX',
      goal_amount: 1_000_000,
      raised_amount: 0,
      contributor_count: 0,
      progress: 0,
      status: 'active',
      paused: null,
      returned: null,
      owner: { handle: 'amina', name: 'Amina Nakato' },
      ends_at: '2026-06-01T00:00:00.000Z',
      balance: 0,
      withdrawn_amount: 0,
    })
    const { balance, withdrawn_amount, ...seen } = made
    assert.deepEqual(await look(id, giver), seen, 'others see all but what is left')
  })

  const wrong: [what: string, change: object, field: string][] = [
    ['no title', { title: undefined }, 'title'],
    ['an empty title', { title: '  ' }, 'title'],
    ['a long title', { title: 'x'.repeat(81) }, 'title'],
    ['a title that is long when it is composed', { title: '\u0958'.repeat(80) }, 'title'],
    ['a title of two lines', { title: 'a\nb' }, 'title'],
    ['a title that turns the direction of writing', { title: 'a\u202eb' }, 'title'],
    ['a title that nobody sees', { title: '\u200b\u2060' }, 'title'],
    ['an empty story', { story: ' \n ' }, 'story'],
    ['a long story', { story: 'x'.repeat(5_001) }, 'story'],
    ['a story that is long when it is composed', { story: '\u0958'.repeat(5_000) }, 'story'],
    ['no currency', { currency: undefined }, 'currency'],
    ['an unknown currency', { currency: 'EUR' }, 'currency'],
    ['no goal', { goal_amount: undefined }, 'goal_amount'],
    ['a goal of nothing', { goal_amount: 0 }, 'goal_amount'],
    ['a tiny goal', { goal_amount: 499 }, 'goal_amount'],
    ['a fine goal', { goal_amount: 1000.5 }, 'goal_amount'],
    ['an end in the past', { ends_at: '2026-03-14T08:59:59.000Z' }, 'ends_at'],
    ['an end in two years', { ends_at: '2028-03-14T08:59:59.000Z' }, 'ends_at'],
    ['no date', { ends_at: 'tomorrow' }, 'ends_at'],
    ['a day that no calendar has', { ends_at: '2026-06-31T09:00:00.000Z' }, 'ends_at'],
    ['an unknown category', { category: 'fun' }, 'category'],
    ['a script as its cover', { cover_url: 'javascript:alert(1)' }, 'cover_url'],
    ['a cover that ends a header', { cover_url: 'https://a;sandbox/x.png' }, 'cover_url'],
    ['a cover with a password', { cover_url: 'https://a:b@pictures.example/a.jpg' }, 'cover_url'],
  ]
  test('what is wrong is named, all of it at once', async () => {
    for (const [what, change, field] of wrong) {
      const body = { title: 'A', story: 'B', currency: 'UGX', goal_amount: 5_000, ...change }
      const { status, body: answer } = await owner.call('POST', '/api/campaigns', body)
      assert.deepEqual(
        [status, answer.code, Object.keys(answer.errors)],
        [422, 'validation_failed', [field]],
        what,
      )
    }
    const all = { title: '', story: '', currency: 'UGX', goal_amount: 1, ends_at: '2020-01-01T00:00:00.000Z' }
    const { body } = await owner.call('POST', '/api/campaigns', all)
    assert.deepEqual(Object.keys(body.errors).sort(), ['ends_at', 'goal_amount', 'story', 'title'])
    const key = { 'idempotency-key': 'two words' }
    const past = { ...all, title: 'A well', story, goal_amount: 50_000 }
    const late = await owner.call('POST', '/api/campaigns', past, key)
    assert.deepEqual(Object.keys(late.body.errors).sort(), ['Idempotency-Key', 'ends_at'])
  })

  test('twenty that have not ended, however many are asked for at once', async () => {
    const busy = await register(server)
    const body = { title: 'One of many', story, currency: 'KES', goal_amount: 5_000 }
    const replies = await Promise.all(
      Array.from({ length: 25 }, () => busy.call('POST', '/api/campaigns', body)),
    )
    assert.equal(replies.filter(({ status }) => status === 201).length, 20)
    assert.equal(replies.filter(({ body: answer }) => answer.code === 'invalid_state').length, 5)
    const [first] = (await busy.call('GET', '/api/campaigns')).body.data
    assert.equal((await busy.call('POST', `/api/campaigns/${first.id}/end`)).status, 200)
    assert.equal((await busy.call('POST', '/api/campaigns', body)).status, 201)
  })
})

describe('changing one', () => {
  test('by its owner, and the title until somebody has given', async () => {
    const { id } = await newCampaign(owner)
    const change = (body: object, person = owner) => person.call('PATCH', `/api/campaigns/${id}`, body)
    const changed = await change({
      title: 'Two wells',
      story: 'Line one.\r\n\r\n\r\n\r\nLine two.  ',
      goal_amount: 2_000_000,
      category: 'community',
      cover_url: 'https://pictures.example/well.jpg',
      ends_at: '2026-05-01T00:00:00.000Z',
    })
    assert.equal(changed.status, 200, changed.text)
    const { title, story: told, goal_amount, category, cover_url, ends_at } = changed.body.data
    assert.deepEqual(
      [title, told, goal_amount, category, cover_url, ends_at],
      [
        'Two wells',
        'Line one.\n\nLine two.',
        2_000_000,
        'community',
        'https://pictures.example/well.jpg',
        '2026-05-01T00:00:00.000Z',
      ],
    )
    const cleared = await change({ cover_url: null, ends_at: null })
    assert.deepEqual([cleared.body.data.cover_url, cleared.body.data.ends_at], [null, null])
    assert.equal((await change({ story: 'Mine now' }, giver)).body.code, 'forbidden')
    assert.equal((await give(giver, id)).status, 200)
    assert.deepEqual(Object.keys((await change({ title: 'Three wells' })).body.errors), ['title'])
    assert.equal((await change({ title: 'Two wells', story: 'New words' })).body.data.story, 'New words')
    for (const [body, fields] of [
      [{ goal_amount: 10.5 }, ['goal_amount']],
      [{ goal_amount: 10.5, title: 'Three wells' }, ['goal_amount', 'title']],
      [{ goal_amount: 10.5, cover_url: 'nowhere' }, ['cover_url', 'goal_amount']],
      [{ goal_amount: 10.5, story: '' }, ['goal_amount', 'story']],
      [
        { goal_amount: 10.5, category: 'none', ends_at: '2020-01-01T00:00:00.000Z' },
        ['category', 'ends_at', 'goal_amount'],
      ],
    ] as const)
      assert.deepEqual(Object.keys((await change(body)).body.errors).sort(), fields, JSON.stringify(body))
  })

  test('one that has ended does not begin again', async () => {
    const { id } = await newCampaign(owner)
    assert.equal((await giver.call('POST', `/api/campaigns/${id}/end`)).body.code, 'forbidden')
    assert.equal((await owner.call('POST', `/api/campaigns/${id}/end`)).body.data.status, 'ended')
    assert.equal(
      (await owner.call('POST', `/api/campaigns/${id}/end`)).status,
      200,
      'said twice is said once',
    )
    const again = { ends_at: '2026-06-01T00:00:00.000Z' }
    assert.equal((await owner.call('PATCH', `/api/campaigns/${id}`, again)).body.code, 'invalid_state')
    assert.equal((await give(giver, id)).body.code, 'invalid_state')
  })

  test('news, the newest first', async () => {
    const { id } = await newCampaign(owner)
    const tell = (text: string, person = owner) =>
      person.call('POST', `/api/campaigns/${id}/updates`, { text })
    for (const text of ['One', 'Two', 'Three']) assert.equal((await tell(text)).status, 200)
    assert.equal((await tell('Lies', giver)).body.code, 'forbidden')
    assert.deepEqual(Object.keys((await tell('  ')).body.errors), ['text'])
    const first = (await giver.call('GET', `/api/campaigns/${id}/updates?limit=2`)).body
    assert.deepEqual(
      first.data.map(({ text }: Loose) => text),
      ['Three', 'Two'],
    )
    const rest = await giver.call('GET', `/api/campaigns/${id}/updates?cursor=${first.meta.next_cursor}`)
    assert.deepEqual(
      rest.body.data.map(({ text }: Loose) => text),
      ['One'],
    )
  })
})

describe('contributing', () => {
  test('the money, the numbers, the list and the history', async () => {
    const { id } = await newCampaign(owner)
    const before = await available(server, giver)
    const reply = await give(giver, id, { amount: '25000', message: ' Courage \n', anonymous: false })
    assert.equal(reply.status, 200, reply.text)
    const { reference, created_at, ...rest } = reply.body.data
    assert.match(reference, /^CC-/)
    assert.deepEqual(rest, {
      campaign: { id, title: 'A well for Kasese' },
      amount: 25_000,
      currency: 'UGX',
      fee: 0,
      message: 'Courage',
      anonymous: false,
    })
    assert.equal((await available(server, giver)) - before, -25_000n)
    await give(giver, id, { amount: 5_000, anonymous: true, message: 'In silence' })
    const { raised_amount, contributor_count, progress, balance } = await look(id)
    assert.deepEqual([raised_amount, contributor_count, progress, balance], [30_000, 1, 3, 30_000])
    const list = (await owner.call('GET', `/api/campaigns/${id}/contributions`)).body.data
    assert.deepEqual(
      list.map(({ name, amount, message, anonymous }: Loose) => [name, amount, message, anonymous]),
      [
        [null, 5_000, 'In silence', true],
        ['Juma Otieno', 25_000, 'Courage', false],
      ],
    )
    const line = (await giver.call('GET', `/api/transactions/${reference}`)).body.data
    assert.deepEqual(
      [line.type, line.direction, line.amount, line.fee, line.counterparty, line.note],
      ['campaign_contribution', 'out', 25_000, 0, { name: 'A well for Kasese' }, 'Courage'],
    )
    assert.equal(line.created_at, created_at)
  })

  test('why not', async () => {
    const { id } = await newCampaign(owner)
    const poor = await register(server)
    const noPin = await register(server, { pin: undefined })
    const shut = await newCampaign(owner, { ends_at: '2026-03-14T10:00:00.000Z' })
    const rows: [what: string, reply: Loose, status: number, code: string][] = [
      ['a wrong PIN', await give(giver, id, { pin: '1111' }), 403, 'pin_incorrect'],
      ['no PIN', await give(noPin, id, { pin: '1111' }), 403, 'pin_not_set'],
      ['an empty wallet', await give(poor, id), 422, 'insufficient_funds'],
      ['too little', await give(giver, id, { amount: 499 }), 422, 'validation_failed'],
      ['too much at once', await give(giver, id, { amount: 5_000_001 }), 422, 'limit_exceeded'],
      ['too fine', await give(giver, id, { amount: 1000.5 }), 422, 'validation_failed'],
      ['a long message', await give(giver, id, { message: 'x'.repeat(201) }), 422, 'validation_failed'],
      ['no such campaign', await give(giver, `cmp_${'0'.repeat(22)}`), 404, 'not_found'],
      ['no campaign at all', await give(giver, 'cmp_1'), 404, 'not_found'],
    ]
    clock.set('2026-03-14T10:00:00.000Z')
    rows.push(['after its end', await give(giver, shut.id), 422, 'invalid_state'])
    for (const [what, reply, status, code] of rows)
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${what}: ${reply.text}`)
    assert.equal((await look(shut.id)).status, 'ended')
    assert.equal((await look(id)).raised_amount, 0)
  })

  test('the daily limit counts contributions with transfers', async () => {
    const rich = await register(server)
    await fund(server, rich, { amount: '30000000' })
    const { id } = await newCampaign(owner)
    const send = { recipient: 'juma', amount: 5_000_000, currency: 'UGX', pin: rich.pin }
    for (let sent = 0; sent < 2; sent++)
      assert.equal((await rich.call('POST', '/api/send', send)).status, 200)
    for (let given = 0; given < 2; given++)
      assert.equal((await give(rich, id, { amount: 5_000_000 })).status, 200)
    assert.equal((await give(rich, id, { amount: 500 })).body.code, 'limit_exceeded')
  })

  test('repeated with its key it happens once, also after the end', async () => {
    const { id } = await newCampaign(owner)
    const key = { 'idempotency-key': 'gift-1' }
    const replies = await Promise.all(Array.from({ length: 5 }, () => give(giver, id, { amount: 700 }, key)))
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    assert.equal(replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 4)
    assert.equal((await give(giver, id, { amount: 800 }, key)).body.code, 'idempotency_conflict')
    await owner.call('POST', `/api/campaigns/${id}/end`)
    const submitted = await submittedDuring(server, async () => {
      const late = await give(giver, id, { amount: '700.0' }, key)
      assert.deepEqual([late.status, late.text], [200, replies[0]?.text])
      const fresh = await give(giver, id, { amount: 700 }, { 'idempotency-key': 'gift-2' })
      assert.equal(fresh.body.code, 'invalid_state')
    })
    assert.equal(submitted, 0)
    assert.equal((await look(id)).raised_amount, 700)
  })

  test('a receipt by mail for who wants one', async () => {
    const { id } = await newCampaign(owner)
    const reader = await register(server)
    await fund(server, reader, { amount: '50000' })
    await db.rows('update users.people set wants_receipts = true, email_confirmed_at = now() where id = $1', [
      reader.id,
    ])
    dependencies.users.forget(reader.id)
    const { body } = await give(reader, id)
    const mail = await db.row<{ template: string; data: Loose }>(
      'select template, data from mail.messages where to_address = $1 order by number desc limit 1',
      [`${reader.handle}@example.test`],
    )
    assert.deepEqual(
      [mail?.template, mail?.data.reference, mail?.data.to],
      ['money_out', body.data.reference, 'A well for Kasese'],
    )
    await owner.call('POST', `/api/campaigns/${id}/end`)
    assert.equal((await give(reader, id)).body.code, 'invalid_state')
  })
})

describe('taking it out', () => {
  test('a part and then the rest, less the fee; what was raised stays raised', async () => {
    const { id } = await newCampaign(owner)
    await give(giver, id, { amount: 100_000 })
    const before = await available(server, owner)
    const part = await take(owner, id, { amount: 40_000 })
    assert.equal(part.status, 200, part.text)
    assert.match(part.body.data.reference, /^CP-/)
    const { amount, fee, owner_gets } = part.body.data
    assert.deepEqual([amount, fee, owner_gets], [40_000, 400, 39_600])
    assert.equal((await take(owner, id, { amount: 60_001 })).body.code, 'insufficient_funds')
    assert.deepEqual((await take(owner, id)).body.data.owner_gets, 59_400)
    assert.equal((await available(server, owner)) - before, 99_000n)
    const { raised_amount, balance, withdrawn_amount } = await look(id)
    assert.deepEqual([raised_amount, balance, withdrawn_amount], [100_000, 0, 100_000])
    assert.equal((await take(owner, id)).body.code, 'invalid_state', 'nothing is left')
    const line = (await owner.call('GET', `/api/transactions/${part.body.data.reference}`)).body.data
    assert.deepEqual(
      [line.type, line.direction, line.amount, line.fee],
      ['campaign_payout', 'in', 39_600, 400],
    )
  })

  test('is told before: the fee and what arrives; nothing moves, no PIN is needed', async () => {
    const { id } = await newCampaign(owner)
    const preview = (person: TestPerson, body: object = {}) =>
      person.call('POST', `/api/campaigns/${id}/withdraw/preview`, body)
    assert.equal((await preview(owner)).body.code, 'invalid_state', 'there is nothing yet')
    await give(giver, id, { amount: 50_000 })
    assert.deepEqual((await preview(owner)).body.data, {
      amount: 50_000,
      currency: 'UGX',
      fee: 500,
      owner_gets: 49_500,
    })
    const rows: [body: object, code: string][] = [
      [{ amount: 50_001 }, 'insufficient_funds'],
      [{ amount: 1 }, 'validation_failed'],
      [{ amount: 'much' }, 'validation_failed'],
    ]
    for (const [body, code] of rows)
      assert.equal((await preview(owner, body)).body.code, code, JSON.stringify(body))
    assert.equal((await preview(giver)).body.code, 'forbidden')
    assert.equal((await look(id)).balance, 50_000)
  })

  test('by its owner with the PIN, and once for a key', async () => {
    const { id } = await newCampaign(owner)
    await give(giver, id, { amount: 50_000 })
    assert.equal((await take(giver, id)).body.code, 'forbidden')
    assert.equal((await take(owner, id, { pin: '1111' })).body.code, 'pin_incorrect')
    assert.equal(
      (await take(owner, id, { amount: 1 })).body.code,
      'validation_failed',
      'its fee would eat it',
    )
    const key = { 'idempotency-key': 'out-1' }
    const first = await take(owner, id, {}, key)
    assert.equal(first.status, 200, first.text)
    assert.equal((await take(owner, id, {}, key)).text, first.text)
    assert.equal((await take(owner, id, { amount: 500 }, key)).body.code, 'idempotency_conflict')
    assert.equal(
      (await take(owner, id, { amount: 500 }, { 'idempotency-key': 'out-2' })).body.code,
      'invalid_state',
    )
  })
})

describe('many at once', () => {
  test('a hundred contributions of ten people, while it is emptied and looked at: nothing is lost or made', async () => {
    const { id } = await newCampaign(owner)
    const people = await Promise.all(Array.from({ length: 10 }, () => register(server)))
    await Promise.all(people.map((person) => fund(server, person, { amount: '100000' })))
    const gifts = Array.from({ length: 100 }, (_, at) =>
      give(people[at % 10] as TestPerson, id, { amount: 1_000 + at }),
    )
    const looks = Array.from({ length: 10 }, () => checkCampaignNow(id))
    const takes = Array.from({ length: 10 }, () => take(owner, id))
    const replies = await Promise.all(gifts)
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    await Promise.all([...looks, ...takes])
    await take(owner, id)
    const { raised, balance } = await checkCampaign(server, id)
    assert.deepEqual([raised, balance], [104_950n, 0n])
    assert.equal((await look(id)).contributor_count, 10)
  })

  /** The row and the account as of one moment. */
  const checkCampaignNow = (id: string) =>
    db.inSnapshot(async (tx) => {
      const row = await tx.row<{ left: bigint }>(
        'select raised - withdrawn as left from campaigns.totals where campaign_id = $1',
        [id],
      )
      const account = { kind: 'campaign', owner: id, currency: 'UGX', mode: 'live' } as const
      const [held] = await server.ledger.balances(tx, [account])
      assert.equal(row?.left, held?.balance)
    })

  test('who comes while a pause is being written waits for it, and is refused', async () => {
    const { id } = await newCampaign(owner)
    let answered = false
    const gift = await db.inTransaction(async (tx) => {
      await tx.rows(`update campaigns.campaigns set paused_at = now(), pause_reason = 'x' where id = $1`, [
        id,
      ])
      const giving = give(giver, id, { amount: 500 }).finally(() => {
        answered = true
      })
      await sleep(150)
      assert.equal(answered, false)
      return { giving }
    })
    assert.equal((await gift.giving).body.code, 'invalid_state')
    assert.equal((await look(id)).raised_amount, 0)
  })

  test('a pause in the middle: what was answered counts, and nothing comes after it', async () => {
    const operator = await theOperator(server)
    const { id } = await newCampaign(owner)
    const people = await Promise.all(Array.from({ length: 8 }, () => register(server)))
    await Promise.all(people.map((person) => fund(server, person, { amount: '100000' })))
    const gifts = people.flatMap((person) =>
      Array.from({ length: 5 }, () => give(person, id, { amount: 1_000 })),
    )
    const paused = operator.call('POST', `/api/operator/campaigns/${id}/pause`, { reason: 'Wrong pictures' })
    const replies = await Promise.all(gifts)
    assert.equal((await paused).status, 200)
    const good = replies.filter(({ status }) => status === 200).length
    assert.equal(replies.filter(({ body }) => body.code === 'invalid_state').length, 40 - good)
    const { raised } = await checkCampaign(server, id)
    assert.equal(raised, BigInt(good) * 1_000n)
  })
})
