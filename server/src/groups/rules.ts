// What a group may be, and when a proposal is agreed to, as functions of values.
import { type Amount, type Currency, isCurrency, readMinor, toText } from '../base/money.ts'
import type { Prices } from '../base/prices.ts'
import { type Frequency, isTimeZone } from './rounds/calendar.ts'
import { seatsLeast } from './rounds/round.ts'

export const kinds = ['rotating', 'goal'] as const
export const visibilities = ['private', 'public'] as const
export const frequencies = ['weekly', 'monthly'] as const
export const roles = ['chair', 'treasurer', 'member'] as const
export const orderings = ['join', 'draw', 'hand'] as const

export const membersMost = 500
export const membersUsually = 30

export interface Asked {
  name: string
  description?: string | undefined
  currency: Currency
  kind: 'rotating' | 'goal'
  /** Amounts as they were sent. */
  contribution_amount?: string | undefined
  frequency?: Frequency | undefined
  goal_amount?: string | undefined
  late_fine?: string | undefined
  max_members?: number | undefined
  visibility: 'private' | 'public'
  time_zone?: string | undefined
}

export interface Judging {
  prices: Prices
  refused: Record<string, string>
  /** Of a group that is there already. */
  had?: { kind: Asked['kind']; contribution: bigint | null }
}

/** Beyond what the schema knows; only of fields that it has not refused. */
export function groupProblems(
  body: Record<string, unknown>,
  { prices, refused, had }: Judging,
): Record<string, string> {
  const errors: Record<string, string> = {}
  const { currency, kind } = body
  const asked = (field: string) => (field in refused ? undefined : body[field])
  const zone = asked('time_zone')
  if (typeof zone === 'string' && !isTimeZone(zone))
    errors.time_zone = 'Time zone must be a name like Africa/Nairobi'
  if (kind === 'rotating' && had === undefined)
    for (const field of ['contribution_amount', 'frequency'] as const)
      if (body[field] === undefined) errors[field] = `${labels[field]} is required for a rotating group`
  if ((had?.kind ?? kind) === 'rotating') {
    const most = asked('max_members')
    if (typeof most === 'number' && most < seatsLeast)
      errors.max_members = `Max members must be at least ${seatsLeast} in a rotating group`
  }
  if (kind === 'goal' && body.goal_amount === undefined)
    errors.goal_amount = 'Goal amount is required for a goal group'
  if (typeof currency !== 'string' || !isCurrency(currency) || 'currency' in refused) return errors
  return {
    ...errors,
    ...amountProblems({ body, currency, prices, refused, contribution: had?.contribution ?? null }),
  }
}

const labels = {
  contribution_amount: 'Contribution amount',
  frequency: 'Frequency',
  goal_amount: 'Goal amount',
  late_fine: 'Late fine',
}

interface Amounts extends Omit<Judging, 'had'> {
  contribution: bigint | null
  body: Record<string, unknown>
  currency: Currency
}

/** What is paid at once, the fine included, must be an amount that may leave a wallet at once. */
function amountProblems({
  body,
  currency,
  prices,
  refused,
  contribution: had,
}: Amounts): Record<string, string> {
  const errors: Record<string, string> = {}
  const read = (field: keyof typeof labels): bigint => {
    const text = body[field]
    if (typeof text !== 'string' || field in refused) return 0n
    const reading = readMinor(text, currency)
    if ('minor' in reading) return reading.minor
    // No fine may be said by 0.
    if (field === 'late_fine' && isZero(text)) return 0n
    errors[field] = `${labels[field]} must ${reading.must}`
    return 0n
  }
  const say = (minor: bigint) => toText({ minor, currency })
  const [contribution, fine] = [had ?? read('contribution_amount'), read('late_fine')]
  read('goal_amount')
  if (contribution > 0n && contribution < prices.least[currency])
    errors.contribution_amount = `Contribution amount must be at least ${say(prices.least[currency])}`
  if (contribution > prices.most[currency])
    errors.contribution_amount = `Contribution amount must be at most ${say(prices.most[currency])}`
  else if (fine > 0n && contribution + fine > prices.most[currency])
    errors.late_fine = `Late fine must be at most ${say(prices.most[currency] - contribution)}`
  return errors
}

const isZero = (text: string): boolean => /^-?0+(\.0+)?$/.test(text)

/** Of amounts that were judged: nothing for what was not said. */
export function minorOf(text: string | undefined, currency: Currency): bigint | null {
  if (text === undefined || isZero(text)) return null
  const reading = readMinor(text, currency)
  return 'minor' in reading ? reading.minor : null
}

/** By value: 1 and 1.0 are the same amount, and so the same request. */
export const comparable = (asked: Asked): object => ({
  ...asked,
  contribution_amount: String(minorOf(asked.contribution_amount, asked.currency)),
  goal_amount: String(minorOf(asked.goal_amount, asked.currency)),
  late_fine: String(minorOf(asked.late_fine, asked.currency)),
})

export type Judged = { amount: Amount } | { problem: string; code: 'validation_failed' | 'limit_exceeded' }

export interface Terms {
  currency: Currency
  prices: Pick<Prices, 'least' | 'most'>
  /** What the group itself asks for, at least. */
  least?: bigint | null
}

/** An amount of one's own choice. */
export function judgeAmount(text: string, { currency, prices, least }: Terms): Judged {
  const wrong = (problem: string): Judged => ({ problem, code: 'validation_failed' })
  const reading = readMinor(text, currency)
  if ('must' in reading) return wrong(`Amount must ${reading.must}`)
  const { minor } = reading
  const lowest = least != null && least > prices.least[currency] ? least : prices.least[currency]
  if (minor < lowest) return wrong(`Amount must be at least ${toText({ minor: lowest, currency })}`)
  if (minor > prices.most[currency]) {
    const problem = `Amount must be at most ${toText({ minor: prices.most[currency], currency })} at once`
    return { problem, code: 'limit_exceeded' }
  }
  return { amount: { minor, currency } }
}

/**
 * Who has been a member for so long when a payout is proposed is asked separately, too: whoever lets friends of their own
 * join, which takes a minute each, must not outvote those whose money it is.
 */
export const longStandingMs = 7 * 86_400_000

export interface Voting {
  /** As they are now: who has left has no vote, and does not count. */
  members: readonly { user_id: string; joined_at: Date }[]
  proposal: { proposer_id: string; created_at: Date }
  approvers: readonly string[]
}

export interface Votes {
  approvals: number
  /** In all: at least more than half of the other members. Who is alone asks nobody. */
  needed: number
  agreed: boolean
}

/** More than half of the other members, and more than half of those who have long been there, if there are any. */
export function countVotes({ members, proposal, approvers }: Voting): Votes {
  const others = members.filter(({ user_id: id }) => id !== proposal.proposer_id)
  const longUntil = proposal.created_at.getTime() - longStandingMs
  const longStanding = others.filter(({ joined_at: at }) => at.getTime() <= longUntil)
  const approving = (some: Voting['members']) =>
    some.filter(({ user_id: id }) => approvers.includes(id)).length
  const missing = (some: Voting['members']) => majorityOf(some.length) - approving(some)
  const approvals = approving(others)
  const stillNeeded = Math.max(0, missing(others), missing(longStanding))
  const agreed = stillNeeded === 0
  return { approvals, needed: agreed ? majorityOf(others.length) : approvals + stillNeeded, agreed }
}

/** More than half of them; of nobody, nobody. */
const majorityOf = (count: number): number => (count === 0 ? 0 : Math.floor(count / 2) + 1)

/** As people say it: small letters, spaces and dashes don't matter. */
export const tidyCode = (text: string): string =>
  text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
