// What the owner of a campaign writes: its beginning, its story, news, its end.
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { type Currency, parseAmount } from '../base/money.ts'
import type { Tx } from '../db/db.ts'
import * as ledgers from '../ledger/ledger.ts'
import { queueEnded } from './letters.ts'
import { type Shown, withOwners } from './records.ts'
import { type CampaignOptions, lockedCampaign, requireOwner, seeCampaign } from './room.ts'
import {
  type Campaign,
  type Category,
  endProblem,
  goalProblem,
  hasEnded,
  tidyLine,
  tidyText,
} from './rules.ts'
import * as sql from './sql.ts'

export interface NewCampaign {
  title: string
  story: string
  currency: Currency
  /** As it was sent. */
  goal: string
  endsAt?: string | undefined
  category?: Category | undefined
  coverUrl?: string | undefined
}

/** Of one person, that have not ended. */
const openMost = 20
const updatesMost = 500

export interface Beginning {
  owner: string
  campaign: NewCampaign
}

export async function create(options: CampaignOptions, beginning: Beginning): Promise<Campaign> {
  await requireActive(options, beginning.owner)
  return options.db.inTransaction((tx) => begin(options, tx, beginning))
}

export interface RepeatableBeginning extends Beginning {
  /** Present when the request may be repeated. */
  key: ledgers.RequestKey | undefined
  /** The answer to be kept: it is repeated byte for byte. */
  answerOf: (shown: Shown) => ledgers.Answer
}

/** One campaign, however often the request is repeated. */
export async function createOnce(
  options: CampaignOptions,
  { key, answerOf, ...beginning }: RepeatableBeginning,
): Promise<ledgers.Answered> {
  const { db, clock, baseUrl } = options
  await requireActive(options, beginning.owner)
  const now = clock.now()
  return db.inTransaction((tx) => {
    const work = async () => {
      const campaign = await begin(options, tx, beginning)
      const [shown] = await withOwners({ db: tx, baseUrl, now }, [campaign])
      check(shown !== undefined, 'one campaign is shown as one')
      return answerOf(shown)
    }
    return ledgers.answerOnce(tx, { key, now, work })
  })
}

async function requireActive({ users }: CampaignOptions, owner: string): Promise<void> {
  const person = await users.person(owner)
  if (person === undefined || person.frozen) throw new AppError('account_frozen')
}

async function begin(options: CampaignOptions, tx: Tx, { owner, campaign }: Beginning): Promise<Campaign> {
  const at = options.clock.now()
  const { currency, goal, endsAt } = campaign
  refuse({
    goal_amount: goalProblem(goal, { currency, prices: options.prices }),
    ends_at: endsAt === undefined ? undefined : endProblem(endsAt, at),
  })
  const id = newId('cmp')
  await sql.lockOwner(tx, owner)
  const row = {
    id,
    title: tidyLine(campaign.title),
    story: tidyText(campaign.story),
    ownerId: owner,
    category: campaign.category ?? 'other',
    coverUrl: campaign.coverUrl ?? null,
    currency,
    goal: parseAmount(goal, currency, 'goal_amount').minor,
    endsAt: endsAt === undefined ? null : new Date(endsAt),
    at,
  }
  if ((await sql.insertCampaign(tx, row, openMost)) === undefined) {
    const detail = `You have ${openMost} campaigns already. End one of them before you begin another.`
    throw new AppError('invalid_state', { detail })
  }
  return seeCampaign(tx, id)
}

function refuse(problems: Record<string, string | undefined>): void {
  const errors = Object.fromEntries(
    Object.entries(problems).flatMap(([field, problem]) =>
      problem === undefined ? [] : [[field, `${labels[field] ?? field} ${problem}`]],
    ),
  )
  if (Object.keys(errors).length > 0) throw new AppError('validation_failed', { errors })
}

const labels: Record<string, string> = { goal_amount: 'Goal amount', ends_at: 'Ends at', title: 'Title' }

export interface CampaignChange {
  title?: string | undefined
  story?: string | undefined
  category?: Category | undefined
  /** Null: none any more. */
  coverUrl?: string | null | undefined
  goal?: string | undefined
  endsAt?: string | null | undefined
}

export interface Owned {
  id: string
  user: string
}

export async function edit(
  options: CampaignOptions,
  { id, user, change }: Owned & { change: CampaignChange },
): Promise<Campaign> {
  const { db, clock, prices } = options
  await requireActiveOwner(options, { id, user })
  return db.inTransaction(async (tx) => {
    const campaign = await lockOwned(tx, { id, user })
    const { currency } = campaign
    const title = change.title === undefined ? campaign.title : tidyLine(change.title)
    const now = clock.now()
    refuse({
      goal_amount: change.goal === undefined ? undefined : goalProblem(change.goal, { currency, prices }),
      ends_at: typeof change.endsAt === 'string' ? endProblem(change.endsAt, now) : undefined,
      // People gave for what it said.
      title:
        title !== campaign.title && campaign.contributors > 0
          ? 'can not be changed any more: somebody has contributed to it'
          : undefined,
    })
    if (hasEnded(campaign, now) && change.endsAt !== undefined)
      throw new AppError('invalid_state', { detail: 'This campaign has ended, and can not begin again.' })
    const endsAt = change.endsAt === undefined ? campaign.endsAt : change.endsAt
    await sql.updateCampaign(tx, {
      id,
      title,
      story: change.story === undefined ? campaign.story : tidyText(change.story),
      category: change.category ?? campaign.category,
      coverUrl: change.coverUrl === undefined ? campaign.coverUrl : change.coverUrl,
      goal: change.goal === undefined ? campaign.goal.minor : parseAmount(change.goal, currency).minor,
      endsAt: endsAt === null ? null : new Date(endsAt),
    })
    return seeCampaign(tx, id)
  })
}

/** Who is frozen looks at what is theirs, and changes nothing. */
async function requireActiveOwner(options: CampaignOptions, { id, user }: Owned): Promise<void> {
  requireOwner(await seeCampaign(options.db, id), user)
  await requireActive(options, user)
}

async function lockOwned(tx: Tx, { id, user }: Owned): Promise<Campaign> {
  const campaign = await lockedCampaign(tx, id)
  requireOwner(campaign, user)
  if (campaign.returned !== null)
    throw new AppError('invalid_state', { detail: 'The money of this campaign goes back to who gave it.' })
  return campaign
}

/** Before its time is over. Said twice is said once. */
export async function end(options: CampaignOptions, owned: Owned): Promise<Campaign> {
  const { db, clock } = options
  await requireActiveOwner(options, owned)
  return db.inTransaction(async (tx) => {
    await lockOwned(tx, owned)
    await sql.endCampaign(tx, { id: owned.id, at: clock.now() })
    return seeCampaign(tx, owned.id)
  })
}

export async function addUpdate(
  options: CampaignOptions,
  { text, ...owned }: Owned & { text: string },
): Promise<sql.UpdateRow> {
  const { db, clock } = options
  await requireActiveOwner(options, owned)
  return db.inTransaction(async (tx) => {
    await lockOwned(tx, owned)
    const update = {
      id: newId('cup'),
      campaign: owned.id,
      text: tidyText(text),
      at: clock.now(),
      most: updatesMost,
    }
    const row = await sql.insertUpdate(tx, update)
    if (row === undefined)
      throw new AppError('invalid_state', { detail: `A campaign has at most ${updatesMost} updates.` })
    return row
  })
}

const dueMost = 100
const roundsMax = 100

/** Ends those whose time is over, and tells their owners. Returns how many. */
export async function endDue({ db, clock, users }: CampaignOptions): Promise<number> {
  let ended = 0
  for (let rounds = 0; rounds < roundsMax; rounds++) {
    const count = await db.inTransaction(async (tx) => {
      const due = await sql.endDue(tx, { now: clock.now(), limit: dueMost })
      for (const { id } of due) {
        const campaign = await seeCampaign(tx, id)
        const owner = await users.person(campaign.ownerId)
        check(owner !== undefined, 'people are never deleted')
        await queueEnded(tx, { owner, campaign })
      }
      return due.length
    })
    ended += count
    if (count < dueMost) break
  }
  return ended
}
