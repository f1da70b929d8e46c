// How the routes of savings groups are called in the matrix. What a path names is a private group, with the person of the
// world as its chair, and two others.
import assert from 'node:assert/strict'
import { goal, rotating } from '../circles.ts'
import type { TestApp } from '../helpers.ts'
import { fund, register, type TestPerson } from '../people.ts'
import type { Place, Recipe } from './recipes.ts'
import type { Caller, World } from './stage.ts'

const nowhere = `grp_${'0'.repeat(22)}`
const missing = { id: nowhere }
/** Who gets as far as changing something, so that none finds what another left; for the others one group will do. */
const people: readonly Caller[] = ['user', 'other', 'frozen', 'keeper', 'operator']

let helpers: Promise<[TestPerson, TestPerson]> | undefined
const helpersOf = (server: TestApp) => {
  helpers ??= (async () => {
    const both: [TestPerson, TestPerson] = [
      await register(server, { handle: 'group_helper' }),
      await register(server),
    ]
    for (const person of both) await fund(server, person, { amount: '900000' })
    return both
  })()
  return helpers
}

interface Made {
  id: string
  handle: string
  payout_id: string
}

type Kind = 'new' | 'announced' | 'started' | 'goal'

const kept = new Map<World, Map<Kind, Made>>()

/** Also for who is frozen, who could neither found nor join it: so the row is written here. */
async function groupFor({ server, world, caller }: Place, kind: Kind): Promise<Made> {
  const known = kept.get(world)?.get(kind)
  if (known !== undefined && !people.includes(caller)) return known
  const [chair, other] = await helpersOf(server)
  const created = await chair.call('POST', '/api/groups', kind === 'goal' ? goal : rotating)
  assert.equal(created.status, 201, created.text)
  const { id, invite_code: code } = created.body.data
  await other.call('POST', '/api/groups/join', { invite_code: code })
  await server.db.rows(
    `insert into groups.members (group_id, user_id, role, number, joined_at) values ($1, $2, 'member', 9, $3)`,
    [id, world.person.id, server.clock.now()],
  )
  await server.db.rows('update groups.groups set member_count = 3, joined = 9 where id = $1', [id])
  const made = { id, handle: chair.handle, payout_id: '' }
  const call = async (path: string, body?: object) => {
    const reply = await chair.call('POST', `/api/groups/${id}/${path}`, body)
    assert.equal(reply.status, 200, reply.text)
    return reply.body.data
  }
  if (kind === 'announced') await call('draw')
  if (kind === 'started') await call('start', { order: 'join' })
  if (kind === 'goal') {
    await call('contribute', { amount: 500, pin: chair.pin })
    made.payout_id = (await call('payouts', { to: chair.handle, amount: 400, reason: 'For the test' })).id
  }
  await server.db.rows(`update groups.members set role = 'member' where group_id = $1`, [id])
  await server.db.rows(`update groups.members set role = 'chair' where group_id = $1 and user_id = $2`, [
    id,
    world.person.id,
  ])
  const ofWorld = kept.get(world) ?? new Map<Kind, Made>()
  kept.set(world, ofWorld.set(kind, made))
  return made
}

const of = (kind: Kind, recipe: Partial<Recipe> = {}): Recipe => ({
  object: async (place) => ({ ...(await groupFor(place, kind)) }),
  missing,
  ...recipe,
})
const ofMember = { missing: { ...missing, handle: 'group_helper' } }
const ofPayout = { missing: { ...missing, payout_id: `pro_${'0'.repeat(22)}` } }

export const groupRecipes: Record<string, Recipe> = {
  'POST /api/groups': { body: () => rotating },
  'GET /api/groups': {},
  'GET /api/groups/:id': of('started'),
  'PATCH /api/groups/:id': of('new', { body: () => ({ name: 'Another name' }) }),
  'POST /api/groups/:id/join': of('new', { body: () => ({}) }),
  'POST /api/groups/join': { body: () => ({ invite_code: '00000-00000' }) },
  'POST /api/groups/:id/leave': of('new'),
  'PUT /api/groups/:id/members/:handle/role': of('new', { ...ofMember, body: () => ({ role: 'treasurer' }) }),
  'DELETE /api/groups/:id/members/:handle': of('new', ofMember),
  'POST /api/groups/:id/invite-code': of('new'),
  'POST /api/groups/:id/contribute': of('goal', { body: ({ person }) => ({ amount: 500, pin: person.pin }) }),
  'GET /api/groups/:id/feed': of('goal'),
  'GET /api/groups/:id/statement': of('goal'),
  'GET /api/groups/:id/head': of('goal'),
  'GET /api/groups/:id/entries/:seq/receipt': of('goal', {
    object: async (place) => ({ ...(await groupFor(place, 'goal')), seq: '1' }),
    missing: { ...missing, seq: '1' },
  }),
  'POST /api/groups/:id/draw': of('new'),
  'POST /api/groups/:id/draw/word': of('announced', { body: () => ({ word: 'embe' }) }),
  'POST /api/groups/:id/start': of('new', { body: () => ({ order: 'join' }) }),
  'POST /api/groups/:id/cycle/close': of('started'),
  'POST /api/groups/:id/dissolve': of('started'),
  'POST /api/groups/:id/seat/offer': of('started', { body: () => ({ to: 'group_helper' }) }),
  'POST /api/groups/:id/seat/accept': of('started'),
  'GET /api/groups/:id/rounds/:number': of('started', {
    object: async (place) => ({ ...(await groupFor(place, 'started')), number: '1' }),
    missing: { ...missing, number: '1' },
  }),
  'POST /api/groups/:id/payouts': of('goal', {
    body: () => ({ to: 'group_helper', amount: 400, reason: 'For the test' }),
  }),
  'GET /api/groups/:id/payouts': of('goal'),
  'POST /api/groups/:id/payouts/:payout_id/approve': of('goal', ofPayout),
  'POST /api/groups/:id/payouts/:payout_id/cancel': of('goal', ofPayout),
  'GET /api/operator/groups': {},
  'GET /api/operator/groups/:id': of('started', { shared: true }),
  'GET /verify': {},
  'GET /verify.css': {},
  'GET /verify.js': {},
  'GET /verify-checks.js': {},
}
