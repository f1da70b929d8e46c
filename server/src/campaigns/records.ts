// Campaigns as callers see them.
import { toJson } from '../base/money.ts'
import type { Queries } from '../db/db.ts'
import * as users from '../users/users.ts'
import { pageUrl } from './room.ts'
import { type Campaign, hasEnded, leftOf, progressOf } from './rules.ts'
import type { ContributionRow, UpdateRow } from './sql.ts'

export interface Shown {
  campaign: Campaign
  owner: users.Named
  baseUrl: string
  now: Date
}

export function recordOf({ campaign, owner, baseUrl, now }: Shown) {
  const { paused, returned } = campaign
  const stopped = (one: { at: Date; reason: string } | null) =>
    one === null ? null : { reason: one.reason, since: one.at.toISOString() }
  return {
    id: campaign.id,
    title: campaign.title,
    story: campaign.story,
    category: campaign.category,
    cover_url: campaign.coverUrl,
    currency: campaign.currency,
    goal_amount: toJson(campaign.goal),
    raised_amount: toJson(campaign.raised),
    contributor_count: campaign.contributors,
    progress: progressOf(campaign),
    status: hasEnded(campaign, now) ? ('ended' as const) : ('active' as const),
    paused: stopped(paused),
    returned: stopped(returned),
    owner: { handle: owner.handle, name: owner.name },
    url: pageUrl({ baseUrl }, campaign.id),
    ends_at: (campaign.endsAt ?? null)?.toISOString() ?? null,
    created_at: campaign.createdAt.toISOString(),
  }
}

/** With what only its owner sees. */
export const ownRecordOf = (shown: Shown) => ({
  ...recordOf(shown),
  balance: toJson(leftOf(shown.campaign)),
  withdrawn_amount: toJson(shown.campaign.withdrawn),
})

const nobody: users.Named = { handle: '', name: '' }

export interface Showing {
  db: Queries
  baseUrl: string
  now: Date
}

/** Their owners are looked up together. */
export async function withOwners(
  { db, ...setting }: Showing,
  campaigns: readonly Campaign[],
): Promise<Shown[]> {
  const owners = await users.namesOf(
    db,
    campaigns.map(({ ownerId }) => ownerId),
  )
  return campaigns.map((campaign) => ({
    ...setting,
    campaign,
    owner: owners.get(campaign.ownerId) ?? nobody,
  }))
}

export const contributionRecord = (row: ContributionRow, { currency }: Campaign) => ({
  name: row.anonymous ? null : row.name,
  amount: toJson({ minor: row.amount, currency }),
  currency,
  message: row.message,
  anonymous: row.anonymous,
  returned_amount: toJson({ minor: row.returned, currency }),
  created_at: row.created_at.toISOString(),
})

export const updateRecord = ({ id, text, created_at }: UpdateRow) => ({
  id,
  text,
  created_at: created_at.toISOString(),
})
