// Random lives of rotating groups through HTTP, several rounds each: people pay, for themselves and for others, late or
// never; leave, come back, hand over seats; cycles are closed, rounds dissolved. After every act the pot is what the
// ledger has and never negative; at the end nobody has lost anything but fines, counting what is still owed.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Circle, checkPot, daysLater, openCircle, rotating } from '../../test/circles.ts'
import { reconcile, testApp } from '../../test/helpers.ts'
import { seed } from '../../test/ledger-orders.ts'
import { available, type Loose } from '../../test/people.ts'

const server = await testApp()

const acts = [
  'pay',
  'pay',
  'pay',
  'pay',
  'pay',
  'pay',
  'payFor',
  'leave',
  'join',
  'start',
  'start',
  'settle',
  'week',
  'close',
  'dissolve',
  'offer',
] as const
const act = fc.record({ do: fc.constantFrom(...acts), who: fc.nat({ max: 4 }), other: fc.nat({ max: 4 }) })
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

const money = 900_000n

async function doOne(circle: Circle, { do: what, who, other }: Act): Promise<Circle> {
  const [one, two] = [who + 1, other + 1]
  const { cycle, debts } = (await circle.show(1)) as Loose
  const due = cycle?.late ? 1_100 : 1_000
  const leaders = async (path: string, body?: object) => circle.post(1, path, body)
  switch (what) {
    case 'pay':
      await circle.pay(one, { amount: due, toward: 'cycle' })
      return circle
    case 'payFor':
      await circle.pay(one, { amount: due, toward: 'cycle', on_behalf_of: circle.as(two).handle })
      return circle
    case 'leave':
      await circle.post(one, 'leave')
      return circle
    case 'join': {
      const { invite_code } = (await circle.show(1)) as Loose
      await circle.post(one, 'join', { invite_code })
      return circle
    }
    case 'start':
      if (cycle === null) await leaders('start', { order: 'join' })
      return circle
    case 'settle': {
      const mine = debts.filter(({ from }: Loose) => from.handle === circle.as(one).handle)
      const total = mine.reduce((sum: number, { amount }: Loose) => sum + amount, 0)
      if (total > 0) await circle.pay(one, { amount: Math.min(total, 500 * two), toward: 'debts' })
      return circle
    }
    case 'week':
      return other === 0 ? daysLater(server, circle, 9) : circle
    case 'close':
      await leaders('cycle/close')
      return circle
    case 'dissolve':
      if (other === 0) await leaders('dissolve')
      return circle
    case 'offer':
      await circle.post(one, 'seat/offer', { to: circle.as(two).handle })
      await circle.post(two, 'seat/accept')
      return circle
    default:
      return what satisfies never
  }
}

async function checkAll(circle: Circle): Promise<void> {
  const pot = await checkPot(server, circle)
  const { cycle, balance } = (await circle.show(1)) as Loose
  assert.equal(BigInt(balance), pot)
  assert.ok(pot >= 0n)
  if (cycle === null) assert.equal(pot, 0n, 'nothing is left behind between rounds')
  else assert.ok(pot >= BigInt(cycle.paid_by.length) * 1_000n)
  const wallets = await Promise.all(circle.people.map((person) => available(server, person)))
  assert.equal(
    wallets.reduce((sum, wallet) => sum + wallet, pot),
    money * BigInt(circle.people.length),
    'no shilling is made or lost',
  )
}

/** What somebody has paid for others, less what others have paid for them: presents, once they are in a pot. */
async function givenBy({ id }: Circle, person: { id: string }): Promise<bigint> {
  const row = await server.db.row<{ given: bigint }>(
    `select coalesce(sum(case $2 when s.payer_id then s.amount else -s.amount end), 0)::int8 as given
     from groups.shares s join groups.seats t using (group_id, number, turn)
     where s.group_id = $1 and s.state = 'paid' and s.payer_id <> t.user_id and $2 in (s.payer_id, t.user_id)`,
    [id, person.id],
  )
  return row?.given ?? 0n
}

/**
 * What everybody has, what they are owed included. Who never handed a seat on is as rich as before, but for fines and for
 * presents.
 */
async function checkEven(circle: Circle, handed: boolean): Promise<void> {
  const { debts, feed } = (await circle.show(1)) as Loose
  if (handed) return
  const fined = feed.some(({ fine }: Loose) => fine !== null)
  for (const person of circle.people) {
    const sum = (side: 'from' | 'to'): bigint =>
      debts
        .filter((debt: Loose) => debt[side].handle === person.handle)
        .reduce((total: bigint, { amount }: Loose) => total + BigInt(amount), 0n)
    const has = (await available(server, person)) + sum('to') - sum('from') + (await givenBy(circle, person))
    // A missed contribution is owed with its fine: a hundred each.
    const off = has > money ? has - money : money - has
    assert.equal(off % 100n, 0n)
    if (!fined && debts.every(({ why }: Loose) => why === 'left'))
      assert.ok(off < 1_000n, `${person.handle}: ${off}`)
  }
}

describe(`lives of groups, SEED=${seed}`, () => {
  test('whatever people do', async () => {
    const life = fc.asyncProperty(fc.array(act, { minLength: 40, maxLength: 60 }), async (all) => {
      let circle = await openCircle(server, { members: 5, body: { ...rotating, late_fine: 100 } })
      await circle.post(1, 'start', { order: 'join' })
      let handed = false
      for (const one of all) {
        circle = await doOne(circle, one)
        handed ||= one.do === 'offer'
        await checkAll(circle)
      }
      const { cycle } = (await circle.show(1)) as Loose
      if (cycle !== null) await circle.post(1, 'dissolve')
      await checkAll(circle)
      await checkEven(circle, handed)
    })
    await fc.assert(life, { seed, numRuns: Number(process.env.LIVES ?? 2), endOnFailure: true })
    await reconcile(server)
  })
})
