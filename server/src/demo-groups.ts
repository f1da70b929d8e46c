// Two savings groups of the demo: one whose pot goes round and waits for amina, one with a goal and a payout to approve.
// The money in them comes from the two others: what amina and juma have stays as it was.
import { check } from './base/check.ts'
import type { DemoPerson } from './demo.ts'
import type { DemoTools } from './demo-campaigns.ts'
import type { Dependencies } from './dependencies.ts'
import * as groups from './groups/groups.ts'

const savers: readonly DemoPerson[] = [
  { handle: 'neema', name: 'Neema Mushi', country: 'TZ', phone: '+255754000001' },
  { handle: 'okello', name: 'Okello Opio', country: 'UG', phone: '+256770000004' },
]

const circle: groups.Asked = {
  name: 'Umoja Circle',
  description: 'Every week each of us pays in, and one of us takes the pot home.',
  currency: 'UGX',
  kind: 'rotating',
  contribution_amount: '20000',
  late_fine: '1000',
  frequency: 'weekly',
  visibility: 'private',
}

const roof: groups.Asked = {
  name: 'A roof for the school',
  description: 'Iron sheets for the two classrooms behind the church.',
  currency: 'UGX',
  kind: 'goal',
  goal_amount: '1500000',
  visibility: 'public',
}

export async function seedGroups(
  deps: Dependencies,
  { register, fund, idOf, pin }: DemoTools,
): Promise<void> {
  const ids: string[] = []
  for (const person of savers) {
    const id = await register(person)
    await fund({ id, currency: 'UGX', amount: '600000' })
    ids.push(id)
  }
  const [neema, okello] = ids
  check(neema !== undefined && okello !== undefined, 'the savers of the demo were registered')
  const found = async (chair: string, asked: groups.Asked, others: readonly string[]) => {
    const { id } = await groups.create(deps, chair, asked)
    const { invite_code: code } = await groups.show(deps, { groupId: id, userId: chair })
    for (const userId of others) await groups.membership.join(deps, { groupId: id, userId, code })
    return id
  }
  const pay = (groupId: string, payerId: string, amount: string) =>
    groups.contribute(deps, { groupId, payerId, pin, origin: {}, amount, keyOf: () => undefined })

  const amina = idOf('amina')
  const round = await found(amina, circle, [neema, okello])
  await groups.rounds.start(deps, { groupId: round, userId: amina, order: 'join' })
  await pay(round, neema, '20000')
  await pay(round, okello, '20000')

  const goal = await found(neema, roof, [amina, okello, idOf('juma')])
  await pay(goal, neema, '150000')
  await pay(goal, okello, '90000')
  await groups.payouts.propose(deps, {
    groupId: goal,
    userId: okello,
    to: 'neema',
    amount: '180000',
    reason: 'The first thirty iron sheets',
    keyOf: () => undefined,
  })
}
