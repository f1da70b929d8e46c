// What the parts of this room work with, and what they share.
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { type Amount, type Currency, isCurrency } from '../base/money.ts'
import type { Prices } from '../base/prices.ts'
import type { Secret } from '../base/secret.ts'
import type { Db, Queries, Tx } from '../db/db.ts'
import type { Ledger, RequestKey } from '../ledger/ledger.ts'
import type { Origin, Users } from '../users/users.ts'
import type { Campaign, Category } from './rules.ts'
import * as sql from './sql.ts'

/** How the checkout is asked for money, and gives it back: it is a later room, so what is needed of it is handed in. */
export interface CampaignCheckout {
  ask(asked: CheckoutAsked): Promise<{ payment: bigint; url: string }>
  refund(refund: CheckoutRefund): Promise<void>
}

export interface CheckoutAsked {
  campaign: string
  /** Shown to who pays. */
  title: string
  amount: Amount
  /** Where the browser goes afterwards. */
  backTo: string
}

export interface CheckoutRefund {
  payment: bigint
  amount: Amount
  reason: string
  /** The same again is the same refund. */
  key: RequestKey
}

export interface CampaignOptions {
  db: Db
  ledger: Ledger
  users: Users
  checkout: CampaignCheckout
  prices: Prices
  clock: Clock
  log: Log
  secrets: { readonly idem: Secret }
  /** Where people reach the service. */
  baseUrl: string
}

/** An operator, and where they act from. */
export interface Decider {
  by: { kind: string; id: string }
  origin: Origin & { session?: string }
}

export function campaignOf(row: sql.CampaignRow): Campaign {
  const { currency } = row
  check(isCurrency(currency), 'a campaign has a currency of the table')
  const money = (minor: bigint): Amount => ({ minor, currency })
  return {
    id: row.id,
    ownerId: row.owner_id,
    title: row.title,
    story: row.story,
    // Written by this room.
    category: row.category as Category,
    coverUrl: row.cover_url,
    currency,
    goal: money(row.goal),
    raised: money(row.raised),
    withdrawn: money(row.withdrawn),
    contributors: row.contributors,
    percent: row.percent,
    endsAt: row.ends_at,
    endedAt: row.ended_at,
    paused: row.paused_at === null ? null : { at: row.paused_at, reason: row.pause_reason ?? '' },
    returned:
      row.return_begun_at === null
        ? null
        : { at: row.return_begun_at, reason: row.return_reason ?? '', doneAt: row.returned_at },
    createdAt: row.created_at,
  }
}

export const noSuchCampaign = () => new AppError('not_found', { detail: 'There is no such campaign.' })

export async function findCampaign(db: Queries, id: string): Promise<Campaign | undefined> {
  const row = await sql.readCampaign(db, id)
  return row && campaignOf(row)
}

export async function seeCampaign(db: Queries, id: string): Promise<Campaign> {
  const found = await findCampaign(db, id)
  if (found === undefined) throw noSuchCampaign()
  return found
}

/** Nobody changes it, gives to it or takes from it until the transaction ends. */
export async function lockedCampaign(tx: Tx, id: string): Promise<Campaign> {
  if ((await sql.lockCampaign(tx, id)) === undefined) throw noSuchCampaign()
  return seeCampaign(tx, id)
}

/** Everybody may look at it; the rest is for its owner. */
export function requireOwner(campaign: Campaign, user: string): void {
  if (campaign.ownerId !== user)
    throw new AppError('forbidden', { detail: 'Only the owner of a campaign may do that.' })
}

export const accountOf = (id: string, currency: Currency) =>
  ({ kind: 'campaign', owner: id, currency, mode: 'live' }) as const

export const pageUrl = ({ baseUrl }: Pick<CampaignOptions, 'baseUrl'>, id: string): string =>
  `${baseUrl}/c/${id}`
