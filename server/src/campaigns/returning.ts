// What operators decide: a pause, its end, and giving all the money back to who gave it. Giving back happens in bites and
// may be cut off anywhere: each contribution has a row that says what is to go back and whether it has, and that row
// changes together with the money.
import * as audit from '../audit/audit.ts'
import * as background from '../background/background.ts'
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import { openProblems } from '../base/problems.ts'
import { encodeReference } from '../base/reference.ts'
import type { Tx } from '../db/db.ts'
import * as ledgers from '../ledger/ledger.ts'
import type { Person } from '../users/users.ts'
import { queuePaused, queueResumed, queueReturned, queueReturning } from './letters.ts'
import * as money from './money/sql.ts'
import { accountOf, type CampaignOptions, type Decider, lockedCampaign, seeCampaign } from './room.ts'
import { type Campaign, leftOf } from './rules.ts'
import * as sql from './sql.ts'

export interface Deciding {
  id: string
  decider: Decider
}

/** Nobody contributes any more, and nothing is taken out. Everybody who looks sees why. */
export const pause = (options: CampaignOptions, { reason, ...deciding }: Deciding & { reason: string }) =>
  decide(options, deciding, async (tx, { campaign, owner, at }) => {
    requireOpen(campaign)
    if (campaign.paused !== null)
      throw new AppError('invalid_state', { detail: 'This campaign is paused already.' })
    await sql.setPaused(tx, { id: campaign.id, at, reason })
    await queuePaused(tx, { owner, campaign, reason })
    return { action: 'campaign.paused', details: { reason } }
  })

export const resume = (options: CampaignOptions, deciding: Deciding) =>
  decide(options, deciding, async (tx, { campaign, owner }) => {
    requireOpen(campaign)
    if (campaign.paused === null)
      throw new AppError('invalid_state', { detail: 'This campaign is not paused.' })
    await sql.setPaused(tx, { id: campaign.id, at: null, reason: null })
    await queueResumed(tx, { owner, campaign })
    return { action: 'campaign.resumed', details: {} }
  })

/** Asked for again, what a provider refused is tried once more. */
export const giveBack = (options: CampaignOptions, { reason, ...deciding }: Deciding & { reason: string }) =>
  decide(options, deciding, async (tx, { campaign, owner, at }) => {
    const { id } = campaign
    const details = campaign.returned === null ? await beginReturn() : await tryAgain()
    await background.add(tx, { task: returnTask, payload: { id }, queue: `${returnTask} ${id}` })
    return details

    async function beginReturn() {
      const left = leftOf(campaign).minor
      const [account] = await options.ledger.balances(tx, [accountOf(id, campaign.currency)])
      check((account?.balance ?? 0n) === left, 'what a campaign has is what its account holds')
      await money.beginReturn(tx, { id, reason, at })
      const { length: contributions } = await money.insertReturns(tx, { id, left })
      await queueReturning(tx, { owner, campaign, reason })
      return { action: 'campaign.return', details: { reason, amount: left, contributions } }
    }
    async function tryAgain() {
      const { length: contributions } = await money.reopenFailed(tx, id)
      if (contributions === 0)
        throw new AppError('invalid_state', { detail: 'The money of this campaign goes back already.' })
      return { action: 'campaign.return_again', details: { reason, contributions } }
    }
  })

function requireOpen({ returned }: Campaign): void {
  if (returned !== null)
    throw new AppError('invalid_state', { detail: 'The money of this campaign goes back to who gave it.' })
}

interface Decided {
  campaign: Campaign
  owner: Person
  at: Date
}

async function decide(
  { db, clock, users }: CampaignOptions,
  { id, decider }: Deciding,
  work: (tx: Tx, decided: Decided) => Promise<{ action: string; details: object }>,
): Promise<Campaign> {
  const seen = await seeCampaign(db, id)
  if (seen.ownerId === decider.by.id)
    throw new AppError('invalid_state', { detail: 'Somebody else has to decide about your own campaign.' })
  const owner = await users.person(seen.ownerId)
  check(owner !== undefined, 'people are never deleted')
  return db.inTransaction(async (tx) => {
    const campaign = await lockedCampaign(tx, id)
    const at = clock.now()
    const { action, details } = await work(tx, { campaign, owner, at })
    await audit.record(tx, {
      actor: decider.by,
      action,
      object: id,
      result: 'ok',
      ...decider.origin,
      details,
      at,
    })
    return seeCampaign(tx, id)
  })
}

export const returnTask = 'return_campaign'
const biteMost = 50
const bitesMax = 10_000

/** Gives back what is still to be given. Repeatable, also by several at once; returns how many it has dealt with. */
export async function returnMoney(
  options: CampaignOptions,
  { id, signal }: { id: string; signal?: AbortSignal | undefined },
): Promise<number> {
  const { db, clock } = options
  let done = 0
  for (let bites = 0; bites < bitesMax && signal?.aborted !== true; bites++) {
    const campaign = await seeCampaign(db, id)
    const rows = await money.openReturns(db, { id, limit: biteMost })
    if (rows.length === 0) break
    for (const row of rows) await returnOne(options, { campaign, row })
    done += rows.length
  }
  await db.inTransaction((tx) => money.finishReturn(tx, { id, at: clock.now() }))
  return done
}

/** Goes on where somebody has stopped, and ends what has arrived meanwhile. */
export async function returnDue(options: CampaignOptions, signal?: AbortSignal): Promise<number> {
  const problems = openProblems('campaigns could not give back all')
  let done = 0
  for (const { id } of await money.returning(options.db))
    done += (await returnMoney(options, { id, signal }).catch(problems.note)) ?? 0
  problems.tell()
  return done
}

interface Returning {
  campaign: Campaign
  row: money.ReturnRow
}

const returnOne = (options: CampaignOptions, { campaign, row }: Returning): Promise<void> =>
  row.payment === null
    ? toWallet(options, { campaign, row })
    : throughCheckout(options, { campaign, row, payment: row.payment })

async function toWallet(options: CampaignOptions, { campaign, row }: Returning): Promise<void> {
  const { db, ledger, users, secrets } = options
  const giver = await users.person(row.user_id ?? '')
  check(giver !== undefined, 'who gave from a wallet is a person')
  const { id, title, currency, returned } = campaign
  const posting: ledgers.Posting = {
    kind: 'refund',
    mode: 'live',
    currency,
    details: {
      campaign: id,
      contribution: row.contribution_id,
      counterparty: { name: title },
      note: returned?.reason ?? '',
    },
    entries: [
      { kind: 'campaign', owner: id, amount: -row.amount },
      { kind: 'user', owner: giver.id, amount: row.amount },
    ],
    also: (posted) => [
      {
        statement: money.returnedStatement,
        values: [row.contribution_id, row.amount, posted.id, posted.createdAt],
      },
    ],
  }
  await db.inTransaction(async (tx) => {
    if ((await money.lockReturn(tx, row.contribution_id)) === undefined) return
    const [outcome] = await ledger.post(tx, [posting])
    check(outcome?.ok === true && !outcome.replayed, 'what goes back is in the account')
    const reference = encodeReference(secrets.idem, { kind: 'RF', id: outcome.posted.id })
    await queueReturned(tx, { giver, campaign, amount: { minor: row.amount, currency }, reference })
  })
}

/** The way it came. Whether it arrived is told later: see `paymentReturned`. */
async function throughCheckout(
  { db, checkout, secrets }: CampaignOptions,
  { campaign, row, payment }: Returning & { payment: bigint },
): Promise<void> {
  const { contribution_id: id, tries } = row
  const { currency, returned } = campaign
  const key = ledgers.requestKey(secrets.idem, {
    principal: { kind: 'campaign', id: campaign.id },
    mode: 'live',
    route: returnTask,
    key: `${id} ${tries}`,
    body: { amount: String(row.amount) },
  })
  try {
    const amount = { minor: row.amount, currency }
    await checkout.refund({ payment, amount, reason: returned?.reason ?? '', key })
    await money.markSent(db, { id, tries })
  } catch (error) {
    // Why the provider will not take it. An operator may try again later.
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error
    const problem = error.detail ?? Object.values(error.errors ?? {})[0] ?? error.code
    await money.markFailed(db, { id, problem })
  }
}
