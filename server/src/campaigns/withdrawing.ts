// The owner takes out what was raised: at any time, in parts or all of it, less the fee.
import * as audit from '../audit/audit.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { type Amount, readMinor, toDecimal, toJson, toText } from '../base/money.ts'
import { encodeReference } from '../base/reference.ts'
import type { Answer, Outcome, Posted, Posting, RequestKey } from '../ledger/ledger.ts'
import * as receipts from '../receipts/receipts.ts'
import type { Origin, Person } from '../users/users.ts'
import type { Answered } from './giving.ts'
import { about } from './letters.ts'
import { withdrawalStatement } from './money/sql.ts'
import { type CampaignOptions, requireOwner, seeCampaign } from './room.ts'
import { type Campaign, heldProblem, leftOf, type PayoutTerms, payoutTerms } from './rules.ts'

export interface Withdrawing {
  user: string
  pin: string
  origin: Origin
  id: string
  /** As it was sent; absent: all there is. */
  amount?: string | undefined
  key: RequestKey | undefined
}

const triesMax = 5

export async function withdraw(options: CampaignOptions, withdrawing: Withdrawing): Promise<Answered> {
  const { db, users, ledger } = options
  const { id, user, pin, origin, key } = withdrawing
  for (let tries = 0; tries < triesMax; tries++) {
    const campaign = await seeCampaign(db, id)
    requireOwner(campaign, user)
    const asked = askedAmount(campaign, withdrawing.amount)
    const { person: owner } = await users.checkPin({ user, pin, origin })
    const terms = judge(options, campaign, asked)
    // Who repeats a request with its key hears what came of it, whatever is left by now.
    if (terms instanceof AppError) return ledger.answeredOr(db, { key, problem: terms })
    const outcome = await move(options, { campaign, owner, terms, key, origin }, (posted) =>
      answerOf(options, { terms, posted }),
    )
    if (outcome.ok && outcome.replayed) return outcome
    if (outcome.ok) {
      const answer = outcome.answer ?? answerOf(options, { terms, posted: outcome.posted })
      return { answer, replayed: false }
    }
    refuse(outcome.refusal)
    users.forget(user)
  }
  throw new AppError('unavailable', { retryAfter: 1 })
}

/** What it would cost, and what would arrive. Moves nothing. */
export async function previewWithdrawal(
  options: CampaignOptions,
  { id, user, amount: text }: Pick<Withdrawing, 'id' | 'user' | 'amount'>,
) {
  const campaign = await seeCampaign(options.db, id)
  requireOwner(campaign, user)
  const judged = judge(options, campaign, askedAmount(campaign, text))
  if (judged instanceof AppError) throw judged
  const { amount, fee, rest } = judged
  const { currency } = amount
  return { amount: toJson(amount), currency, fee: toJson(fee), owner_gets: toJson(rest) }
}

function askedAmount({ currency }: Campaign, text: string | undefined): Amount | undefined {
  if (text === undefined) return undefined
  const reading = readMinor(text, currency)
  if ('minor' in reading) return { minor: reading.minor, currency }
  throw new AppError('validation_failed', { errors: { amount: `Amount must ${reading.must}` } })
}

function judge(
  { prices }: CampaignOptions,
  campaign: Campaign,
  asked: Amount | undefined,
): PayoutTerms | AppError {
  const detail = heldProblem(campaign)
  if (detail !== undefined) return new AppError('invalid_state', { detail })
  const left = leftOf(campaign)
  if (left.minor === 0n)
    return new AppError('invalid_state', { detail: 'There is nothing in this campaign to take out.' })
  const amount = asked ?? left
  if (amount.minor > left.minor) {
    const errors = { amount: `Amount is more than the ${toText(left)} that this campaign holds` }
    return new AppError('insufficient_funds', { errors })
  }
  const terms = payoutTerms(amount, prices)
  if (terms !== undefined) return terms
  return new AppError('validation_failed', { errors: { amount: 'Amount must be more than its fee' } })
}

interface Taking {
  campaign: Campaign
  owner: Person
  terms: PayoutTerms
  key: RequestKey | undefined
  origin: Origin
}

function postingOf(
  { campaign, owner, terms, key, origin }: Taking,
  answer: (posted: Posted) => Answer,
): Posting {
  const { id, title, currency } = campaign
  const { amount, fee, rest } = terms
  return {
    kind: 'campaign_payout',
    mode: 'live',
    currency,
    details: {
      campaign: id,
      counterparty: { name: title },
      amount: amount.minor.toString(),
      fee: fee.minor.toString(),
    },
    entries: [
      { kind: 'campaign', owner: id, amount: -amount.minor },
      { kind: 'user', owner: owner.id, amount: rest.minor },
      ...(fee.minor === 0n ? [] : [{ kind: 'fees', owner: '-', amount: fee.minor } as const]),
    ],
    guard: { owner: owner.id, version: owner.guard },
    also: (posted) => [
      {
        statement: withdrawalStatement,
        values: [newId('cwd'), id, amount.minor, fee.minor, posted.id, posted.createdAt],
      },
      audit.row({
        ...origin,
        actor: { kind: 'user', id: owner.id },
        action: 'campaign.withdrawal',
        object: id,
        result: 'ok',
        details: { amount: amount.minor, fee: fee.minor, currency },
        at: posted.createdAt,
      }),
    ],
    ...(key === undefined ? {} : { once: { key, answer } }),
  }
}

/** With the receipt, if one is wanted, in one transaction; else the fast way. */
function move(
  options: CampaignOptions,
  taking: Taking,
  answer: (posted: Posted) => Answer,
): Promise<Outcome> {
  const posting = postingOf(taking, answer)
  const { owner, campaign } = taking
  if (!receipts.wanted(owner)) return options.ledger.submit(posting)
  return receipts.post(options, {
    posting,
    receipts: (posted) => [
      {
        person: owner,
        other: campaign.title,
        reference: referenceOf(options, posted),
        about: about(campaign),
      },
    ],
  })
}

const referenceOf = ({ secrets }: CampaignOptions, { id }: Posted): string =>
  encodeReference(secrets.idem, { kind: 'CP', id })

function answerOf(
  options: CampaignOptions,
  { terms, posted }: { terms: PayoutTerms; posted: Posted },
): Answer {
  const { amount, fee, rest } = terms
  const body =
    `{"success":true,"message":"Money taken out","data":{"reference":"${referenceOf(options, posted)}",` +
    `"amount":${toDecimal(amount)},"currency":"${amount.currency}","fee":${toDecimal(fee)},` +
    `"owner_gets":${toDecimal(rest)}}}`
  return { status: 200, body }
}

function refuse(refusal: Extract<Outcome, { ok: false }>['refusal']): void {
  switch (refusal) {
    // Somebody tried a wrong PIN, took something out, or paused it, in this very moment: all is looked at again.
    case 'guard_changed':
    case 'state_changed':
    case 'insufficient_funds':
      return
    case 'idempotency_conflict':
      throw new AppError('idempotency_conflict')
    case 'limit_exceeded':
    case 'hold_not_open':
    case 'hold_exceeded':
      throw new Error(`broken promise: taking money out of a campaign is never refused with ${refusal}`)
    default:
      refusal satisfies never
  }
}
