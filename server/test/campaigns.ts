// What tests of campaigns share: campaigns to give to, and whether what one shows is what the ledger holds.
import assert from 'node:assert/strict'
import type { Currency } from '../src/base/money.ts'
import { reconcile, type TestApp } from './helpers.ts'
import type { Loose, TestPerson } from './people.ts'

export const story = 'Our pupils walk two kilometres for water.\n\nA well costs less than a year of it.'

export async function newCampaign(owner: TestPerson, given: Record<string, unknown> = {}): Promise<Loose> {
  const body = { title: 'A well for Kasese', story, currency: 'UGX', goal_amount: 1_000_000, ...given }
  const reply = await owner.call('POST', '/api/campaigns', body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body.data
}

type Server = Pick<TestApp, 'db' | 'ledger' | 'url'>

export interface CampaignBooks {
  balance: bigint
  raised: bigint
  withdrawn: bigint
}

/** The totals are what the entries of its account say, to the minor unit. */
export async function checkCampaign({ db, ledger }: Server, id: string): Promise<CampaignBooks> {
  const row = await db.row<CampaignBooks & { currency: Currency; contributors: number; is_right: boolean }>(
    `select c.currency, t.raised, t.withdrawn, t.contributors, t.raised * 100 / c.goal = c.percent as is_right
     from campaigns.totals t join campaigns.campaigns c on c.id = t.campaign_id where c.id = $1`,
    [id],
  )
  assert.ok(row?.is_right)
  const account = { kind: 'campaign', owner: id, currency: row.currency, mode: 'live' } as const
  const lines = await ledger.statement(db, { account, limit: 10_000 })
  const sum = (kind: string) =>
    lines.reduce((total, line) => (line.kind === kind ? total + line.amount : total), 0n)
  const [held] = await ledger.balances(db, [account])
  const rows = await db.row<{ given: bigint; people: number }>(
    `select coalesce(sum(amount - returned), 0)::bigint as given, count(distinct contributor)::int as people
     from campaigns.contributions where campaign_id = $1`,
    [id],
  )
  assert.deepEqual(
    {
      raised: row.raised,
      withdrawn: row.withdrawn,
      left: row.raised - row.withdrawn,
      given: rows?.given,
      people: rows?.people,
    },
    {
      raised: sum('campaign_contribution') + sum('refund'),
      withdrawn: -sum('campaign_payout'),
      left: held?.balance ?? 0n,
      given: row.raised,
      people: row.contributors,
    },
    'what a campaign shows is what its account holds',
  )
  return { balance: held?.balance ?? 0n, raised: row.raised, withdrawn: row.withdrawn }
}

export async function checkAllCampaigns(server: Server): Promise<void> {
  await reconcile(server)
  const given = await server.db.rows<{ id: string }>(
    'select distinct campaign_id as id from campaigns.contributions',
  )
  for (const { id } of given) await checkCampaign(server, id)
}
