// Contributions from a wallet. One is a posting with its row: the money, the list of contributors and the totals change
// together, and only while the campaign takes contributions.
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { type Amount, toDecimal, toText } from '../base/money.ts'
import { limitedKinds } from '../base/prices.ts'
import { encodeReference } from '../base/reference.ts'
import type { Answer, Outcome, Posted, Posting, RequestKey } from '../ledger/ledger.ts'
import * as receipts from '../receipts/receipts.ts'
import type { Origin, Person } from '../users/users.ts'
import { about } from './letters.ts'
import { contributionStatement } from './money/sql.ts'
import { type CampaignOptions, seeCampaign } from './room.ts'
import { type Campaign, closedProblem, judgeContribution, tidyText } from './rules.ts'

export interface Giving {
  user: string
  pin: string
  origin: Origin
  id: string
  /** As it was sent. */
  amount: string
  message?: string | undefined
  anonymous?: boolean | undefined
  /** Present when the request may be repeated. */
  key: RequestKey | undefined
}

export interface Answered {
  answer: Answer
  replayed: boolean
}

const triesMax = 4

/** Gives, or throws why not. */
export async function contribute(options: CampaignOptions, giving: Giving): Promise<Answered> {
  const { db, users, ledger } = options
  const { user, pin, origin } = giving
  for (let tries = 0; tries < triesMax; tries++) {
    const campaign = await seeCampaign(db, giving.id)
    const amount = amountOf(options, { text: giving.amount, campaign })
    const { person } = await users.checkPin({ user, pin, origin })
    const problem = await contributionProblem(options, campaign)
    // Who repeats a request with its key hears what came of it, whatever the campaign is by now.
    if (problem !== undefined) return ledger.answeredOr(db, { key: giving.key, problem })
    const gift = { campaign, amount, giver: person, giving }
    const outcome = await move(options, gift, (posted) => answerOf(options, { ...gift, posted }))
    if (outcome.ok) {
      const answer = outcome.replayed
        ? outcome.answer
        : (outcome.answer ?? answerOf(options, { ...gift, posted: outcome.posted }))
      return { answer, replayed: outcome.replayed }
    }
    const refused = await refusalOf(options, { refusal: outcome.refusal, gift })
    if (refused !== 'look again') throw refused
    users.forget(giving.user)
  }
  throw new AppError('unavailable', { retryAfter: 1 })
}

interface Gift {
  campaign: Campaign
  amount: Amount
  giver: Person
  giving: Giving
}

export function amountOf(
  { prices }: Pick<CampaignOptions, 'prices'>,
  { text, campaign: { currency } }: { text: string; campaign: Campaign },
): Amount {
  const judged = judgeContribution(text, { currency, prices })
  if ('amount' in judged) return judged.amount
  throw new AppError(judged.code, { errors: { amount: judged.problem } })
}

/** Why nobody can contribute to it now. */
export async function contributionProblem(
  { users, clock }: Pick<CampaignOptions, 'users' | 'clock'>,
  campaign: Campaign,
): Promise<AppError | undefined> {
  const detail = closedProblem(campaign, clock.now())
  if (detail !== undefined) return new AppError('invalid_state', { detail })
  const owner = await users.person(campaign.ownerId)
  return owner === undefined || owner.frozen
    ? new AppError('invalid_state', { detail: 'This campaign can not take contributions just now.' })
    : undefined
}

function postingOf(
  { prices }: CampaignOptions,
  { campaign, amount, giver, giving }: Gift,
  answer: (posted: Posted) => Answer,
): Posting {
  const { id, title, currency } = campaign
  const message = messageOf(giving)
  const { anonymous = false, key } = giving
  return {
    kind: 'campaign_contribution',
    mode: 'live',
    currency,
    details: {
      campaign: id,
      counterparty: { name: title },
      amount: amount.minor.toString(),
      ...(message === null ? {} : { note: message }),
    },
    entries: [
      { kind: 'user', owner: giver.id, amount: -amount.minor },
      { kind: 'campaign', owner: id, amount: amount.minor },
    ],
    limit: { kind: 'user', owner: giver.id, most: prices.dailyMost[currency], kinds: limitedKinds },
    guard: { owner: giver.id, version: giver.guard },
    also: (posted) => [
      {
        statement: contributionStatement,
        values: [
          newId('cct'),
          id,
          giver.id,
          giver.name,
          message,
          anonymous,
          amount.minor,
          posted.id,
          posted.createdAt,
        ],
      },
    ],
    ...(key === undefined ? {} : { once: { key, answer } }),
  }
}

const messageOf = ({ message = '' }: Pick<Giving, 'message'>): string | null => tidyText(message) || null

/** With the receipt, if one is wanted, in one transaction; else the fast way. */
function move(options: CampaignOptions, gift: Gift, answer: (posted: Posted) => Answer): Promise<Outcome> {
  const posting = postingOf(options, gift, answer)
  const { giver, campaign } = gift
  if (!receipts.wanted(giver)) return options.ledger.submit(posting)
  return receipts.post(options, {
    posting,
    receipts: (posted) => [
      {
        person: giver,
        other: campaign.title,
        reference: referenceOf(options, posted),
        about: about(campaign),
      },
    ],
  })
}

const referenceOf = ({ secrets }: CampaignOptions, { id }: Posted): string =>
  encodeReference(secrets.idem, { kind: 'CC', id })

function answerOf(options: CampaignOptions, { campaign, amount, giving, posted }: Gift & { posted: Posted }) {
  const body =
    `{"success":true,"message":"Thank you","data":{"reference":"${referenceOf(options, posted)}",` +
    `"campaign":${JSON.stringify({ id: campaign.id, title: campaign.title })},` +
    `"amount":${toDecimal(amount)},"currency":"${amount.currency}","fee":0,` +
    `"message":${JSON.stringify(messageOf(giving))},"anonymous":${giving.anonymous ?? false},` +
    `"created_at":"${posted.createdAt.toISOString()}"}}`
  return { status: 200, body }
}

type Refusal = Extract<Outcome, { ok: false }>['refusal']

/** In the giver's words, with what would have been possible. */
async function refusalOf(
  { db, ledger, prices }: CampaignOptions,
  { refusal, gift: { giver, amount } }: { refusal: Refusal; gift: Gift },
): Promise<AppError | 'look again'> {
  const { currency } = amount
  switch (refusal) {
    case 'insufficient_funds': {
      const [wallet] = await ledger.balances(db, [{ kind: 'user', owner: giver.id, currency, mode: 'live' }])
      const free = toText({ minor: (wallet?.balance ?? 0n) - (wallet?.held ?? 0n), currency })
      const errors = { amount: `Amount is more than the ${free} you can spend` }
      return new AppError('insufficient_funds', { errors })
    }
    case 'limit_exceeded': {
      const most = toText({ minor: prices.dailyMost[currency], currency })
      const errors = { amount: `With this amount more than ${most} would leave your wallet within 24 hours` }
      return new AppError('limit_exceeded', { errors })
    }
    case 'idempotency_conflict':
      return new AppError('idempotency_conflict')
    // Somebody tried a wrong PIN, or it has ended or was paused, in this very moment.
    case 'guard_changed':
    case 'state_changed':
      return 'look again'
    case 'hold_not_open':
    case 'hold_exceeded':
      throw new Error(`broken promise: a contribution is never refused with ${refusal}`)
    default:
      return refusal satisfies never
  }
}
