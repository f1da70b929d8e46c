// What time brings: proposed payouts that became agreed are paid, and those that nobody agreed to are over.
import { check } from '../../base/check.ts'
import { openProblems, type Problems } from '../../base/problems.ts'
import { eventOf, type GroupDependencies, groupOf, withGroup, withPeople } from '../room.ts'
import { longStandingMs } from '../rules.ts'
import * as groupSql from '../sql.ts'
import { payIfAgreed } from './payouts.ts'
import * as sql from './sql.ts'

const bite = 200
const bitesMax = 1_000

/** What became agreed because somebody left or money came in is paid; what nobody agreed to in time is over. */
export async function settleDue(deps: GroupDependencies): Promise<{ paid: number; expired: number }> {
  const now = deps.clock.now()
  const problems = openProblems('payouts of groups could not be settled')
  const expired = await expireDue(deps, { now, problems })
  let paid = 0
  let after: sql.OpenRow | undefined
  for (let bites = 0; bites < bitesMax; bites++) {
    const open = await sql.readOpen(deps.db, { now, after, limit: bite, longStandingMs })
    for (const { id, group_id: group } of open.filter(({ agreed }) => agreed)) {
      const row = await settleOne(deps, { id, group }).catch(problems.note)
      if (row?.status === 'paid') paid += 1
    }
    after = open.at(-1)
    if (open.length < bite) break
  }
  problems.tell()
  return { paid, expired }
}

async function expireDue(deps: GroupDependencies, { now, problems }: { now: Date; problems: Problems }) {
  let expired = 0
  for (let bites = 0; bites < bitesMax; bites++) {
    const over = await sql.readExpired(deps.db, { now, limit: bite })
    let done = 0
    for (const { id, group_id: group } of over)
      if (await expireOne(deps, { id, group }).catch(problems.note)) done += 1
    expired += done
    // Those that could not be are read again each time.
    if (over.length < bite || done === 0) break
  }
  return expired
}

async function settleOne(deps: GroupDependencies, { id, group: groupId }: { id: string; group: string }) {
  const found = await sql.readProposal(deps.db, { id, group: groupId })
  if (found === undefined) return undefined
  return withPeople(deps, { group: groupId, more: [found.recipient_id] }, async (tx, people) => {
    const group = await groupSql.lockGroup(tx, groupId)
    const row = await sql.readProposal(tx, { id, group: groupId })
    check(row !== undefined && group !== undefined, 'proposals are never deleted')
    return payIfAgreed(deps, tx, { group: groupOf(group), people, row, at: deps.clock.now() })
  })
}

const expireOne = (deps: GroupDependencies, { id, group: groupId }: { id: string; group: string }) =>
  withGroup(deps, groupId, async (tx) => {
    const group = await groupSql.lockGroup(tx, groupId)
    const row = await sql.readProposal(tx, { id, group: groupId })
    const at = deps.clock.now()
    if (group === undefined || row?.status !== 'open' || row.expires_at > at) return false
    await sql.decide(tx, { id, status: 'expired', posting: null, at })
    const event = {
      type: 'payout_expired',
      member_id: row.recipient_id,
      amount: row.amount,
      note: row.reason,
    }
    await groupSql.insertEvents(tx, [eventOf(group, { ...event, created_at: at })])
    return true
  })
