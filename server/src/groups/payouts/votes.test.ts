// When a payout is agreed to: more than half of the other members, and of those who had long been members when it was
// proposed. Rows of the rule; the statement that finds agreed ones says the same; and nobody is outvoted by those whom
// somebody let join.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { type Circle, checkPot, circleOf, daysLater, goal, openCircle } from '../../../test/circles.ts'
import { reconcile, testApp } from '../../../test/helpers.ts'
import { register } from '../../../test/people.ts'
import { settleDue } from '../groups.ts'
import { countVotes, longStandingMs } from '../rules.ts'
import { type OpenRow, readOpen } from './sql.ts'

const server = await testApp()
afterEach(() => reconcile(server))

const proposedAt = new Date('2026-03-14T09:00:00.000Z')
const before = (ms: number) => new Date(proposedAt.getTime() - ms)

/** How many there are beside who proposes it; `yes` are those who have approved. */
interface Crowd {
  old: number
  oldYes: number
  fresh: number
  freshYes: number
}

function votingOf({ old, oldYes, fresh, freshYes }: Crowd) {
  const some = (name: string, count: number, joined_at: Date) =>
    Array.from({ length: count }, (_, at) => ({ user_id: `${name}${at}`, joined_at }))
  const members = [
    ...some('proposer', 1, before(9 * longStandingMs)),
    // To the millisecond.
    ...some('old', old, before(longStandingMs)),
    ...some('fresh', fresh, before(longStandingMs - 1)),
  ]
  const approvers = [...some('old', oldYes, proposedAt), ...some('fresh', freshYes, proposedAt)]
  return {
    members,
    approvers: [...approvers.map(({ user_id: id }) => id), 'somebody who has left'],
    proposal: { proposer_id: 'proposer0', created_at: proposedAt },
  }
}

describe('the rule', () => {
  //  old  yes  fresh  yes    agreed  needed
  for (const [old, oldYes, fresh, freshYes, agreed, needed] of [
    // Who is alone.
    [0, 0, 0, 0, true, 0],
    // A new group: more than half of the others.
    [0, 0, 1, 0, false, 1],
    [0, 0, 1, 1, true, 1],
    [0, 0, 4, 2, false, 3],
    [0, 0, 4, 3, true, 3],
    // Only old ones: the same.
    [4, 2, 0, 0, false, 3],
    [4, 3, 0, 0, true, 3],
    // New ones alone decide nothing, however many they are.
    [1, 0, 9, 9, false, 10],
    [3, 1, 9, 9, false, 11],
    [3, 2, 9, 9, true, 7],
    // Nor do the old ones without them.
    [2, 2, 4, 0, false, 4],
    [2, 2, 4, 2, true, 4],
  ] as const)
    test(`of ${old} old ones ${oldYes}, of ${fresh} new ones ${freshYes}: ${agreed}`, () => {
      const votes = countVotes(votingOf({ old, oldYes, fresh, freshYes }))
      assert.deepEqual(votes, { approvals: oldYes + freshYes, needed, agreed })
    })

  test('the statement that looks for agreed ones finds exactly those', async () => {
    const upTo = (most: number) => Array.from({ length: most + 1 }, (_, count) => count)
    const crowds: Crowd[] = []
    for (const old of upTo(3))
      for (const oldYes of upTo(old))
        for (const fresh of upTo(3))
          for (const freshYes of upTo(fresh)) crowds.push({ old, oldYes, fresh, freshYes })
    for (const [at, crowd] of crowds.entries()) await write(`${at}`.padStart(3, '0'), votingOf(crowd))
    const found: OpenRow[] = []
    const limit = 7
    // All end at the same time, so that a bite ends in the middle of them.
    for (let read = limit; read === limit; ) {
      const asked = { now: proposedAt, after: found.at(-1), limit, longStandingMs }
      const bite = await readOpen(server.db, asked)
      found.push(...bite)
      read = bite.length
    }
    assert.equal(found.length, crowds.length)
    const expected = crowds.flatMap((crowd, at) =>
      countVotes(votingOf(crowd)).agreed ? [`${at}`.padStart(3, '0')] : [],
    )
    assert.deepEqual(
      found.flatMap(({ id, agreed }) => (agreed ? [id] : [])),
      expected,
    )
    assert.ok(expected.length > 10 && expected.length < crowds.length - 10)
    await server.db.rows("update groups.proposals set status = 'cancelled', decided_at = $1", [proposedAt])
  })
})

/** A group and its proposal as rows; who has left is one, too. */
async function write(id: string, { members, approvers }: ReturnType<typeof votingOf>): Promise<void> {
  const { rows } = server.db
  await rows(
    `insert into groups.groups (id, name, currency, kind, goal_amount, time_zone, max_members, visibility, invite_code,
       member_count, created_at) values ($1, 'Crowd', 'UGX', 'goal', 1, 'Africa/Kampala', 50, 'private', $1, $2, $3)`,
    [id, members.length, proposedAt],
  )
  await rows(
    `insert into groups.members (group_id, user_id, role, number, joined_at, left_at)
     select $1, user_id, 'member', 1, joined_at, left_at from unnest($2::text[], $3::timestamptz[], $4::timestamptz[])
       as m (user_id, joined_at, left_at)`,
    [
      id,
      [...members.map((member) => member.user_id), 'somebody who has left'],
      [...members.map((member) => member.joined_at), before(9 * longStandingMs)],
      [...members.map(() => null), proposedAt],
    ],
  )
  await rows(
    `insert into groups.proposals (id, group_id, proposer_id, recipient_id, amount, reason, created_at, expires_at)
     values ($1, $1, 'proposer0', 'proposer0', 1, 'Iron sheets', $2, $3)`,
    [id, proposedAt, new Date(proposedAt.getTime() + longStandingMs)],
  )
  await rows('insert into groups.approvals (proposal_id, user_id, at) select $1, unnest($2::text[]), $3', [
    id,
    approvers,
    proposedAt,
  ])
}

test('what one group can not have is told, and keeps no other from its own', async () => {
  const agreed = []
  for (let n = 0; n < 3; n++) {
    const circle = await openCircle(server, { members: 2, body: goal })
    const body = { to: circle.as(1).handle, amount: 5_000, reason: 'Iron sheets' }
    const { id } = (await circle.post(1, 'payouts', body)).body.data
    await circle.post(2, `payouts/${id}/approve`)
    await circle.pay(1, { amount: 5_000 })
    agreed.push({ circle, id })
  }
  const [first] = agreed.map(({ id }) => id).sort()
  const { ledger } = server
  const post: typeof ledger.post = (tx, postings) =>
    postings.some(({ details }) => JSON.stringify(details).includes(String(first)))
      ? Promise.reject(new Error('no room'))
      : ledger.post(tx, postings)
  await assert.rejects(settleDue({ ...server.dependencies, ledger: { ...ledger, post } }), {
    message: '1 payouts of groups could not be settled',
  })
  for (const { circle, id } of agreed)
    assert.equal(await checkPot(server, circle), id === first ? 5_000n : 0n)
  assert.deepEqual(await settleDue(server.dependencies), { paid: 1, expired: 0 })
})

test('mails about proposals of one member are ten a day, however often they are taken back', async () => {
  const circle = await openCircle(server, { members: 2, body: goal, money: '0' })
  await server.db.rows('update users.people set email_confirmed_at = created_at where id = $1', [
    circle.as(2).id,
  ])
  server.users.forget(circle.as(2).id)
  for (let n = 0; n < 13; n++) {
    const body = { to: circle.as(1).handle, amount: 1_000, reason: 'Look at this' }
    const proposed = await circle.post(1, 'payouts', body)
    assert.equal(proposed.status, 200, proposed.text)
    await circle.post(1, `payouts/${proposed.body.data.id}/cancel`)
  }
  const mailed = () =>
    server.db.rows(`select id from mail.messages where template = 'group_proposal' and to_address = $1`, [
      `${circle.as(2).handle}@example.test`,
    ])
  assert.equal((await mailed()).length, 10)
  const later = await daysLater(server, circle, 1)
  const body = { to: later.as(1).handle, amount: 1_000, reason: 'Another day' }
  const { id } = (await later.post(1, 'payouts', body)).body.data
  assert.equal((await mailed()).length, 11)
  await later.post(1, `payouts/${id}/cancel`)
})

describe('those whom somebody let join', () => {
  /** Three old members and the one who wants the pot; then five of their friends, since yesterday. */
  async function infiltrated(): Promise<{ circle: Circle; id: string }> {
    let circle = await openCircle(server, { members: 4, body: goal })
    for (const payer of [2, 3, 4]) await circle.pay(payer, { amount: 30_000 })
    circle = await daysLater(server, circle, 7)
    const { invite_code } = await circle.show()
    const friends = await Promise.all(Array.from({ length: 5 }, () => register(server)))
    for (const friend of friends) await friend.call('POST', '/api/groups/join', { invite_code })
    circle = await daysLater(server, circleOf(circle.id, [...circle.people, ...friends]), 1)
    const body = { to: circle.as(1).handle, amount: 90_000, reason: 'For me' }
    const proposed = await circle.post(1, 'payouts', body)
    assert.equal(proposed.body.data.approvals_needed, 5, proposed.text)
    return { circle, id: proposed.body.data.id }
  }
  const approve = async (circle: Circle, by: number, id: string) =>
    (await circle.post(by, `payouts/${id}/approve`)).body.data
  const settle = () => settleDue(server.dependencies)

  test('do not outvote the others; these decide, and what is shown says so', async () => {
    const { circle, id } = await infiltrated()
    for (const friend of [5, 6, 7, 8]) await approve(circle, friend, id)
    const { status, waiting_for, approvals, approvals_needed } = await approve(circle, 9, id)
    assert.deepEqual([status, waiting_for, approvals, approvals_needed], ['open', 'approvals', 5, 7])
    assert.deepEqual(await settle(), { paid: 0, expired: 0 })
    assert.equal((await approve(circle, 2, id)).status, 'open')
    assert.equal(await checkPot(server, circle), 90_000n)
    const paid = await approve(circle, 3, id)
    assert.deepEqual([paid.status, paid.approvals, paid.approvals_needed], ['paid', 7, 5])
    assert.equal(await checkPot(server, circle), 0n)
  })

  test('come back as new ones, and an old one who leaves does not count', async () => {
    const { circle, id } = await infiltrated()
    const { invite_code } = await circle.show()
    for (const friend of [5, 6, 7, 8, 9]) await approve(circle, friend, id)
    await circle.post(4, 'leave')
    await circle.post(4, 'join', { invite_code })
    assert.equal((await approve(circle, 4, id)).waiting_for, 'approvals', 'who comes back is new')
    assert.equal((await approve(circle, 2, id)).status, 'open', 'one of the two old ones')
    await circle.post(3, 'leave')
    assert.deepEqual(await settle(), { paid: 1, expired: 0 })
    assert.equal(await checkPot(server, circle), 0n)
  })
})
