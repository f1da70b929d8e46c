// What a campaign is, what it may take and give, and how what is left is shared, as functions of values.
import { type Amount, type Currency, readMinor, splitFee, toDecimal, toText } from '../base/money.ts'
import type { Prices } from '../base/prices.ts'
import { webAddressProblem } from '../base/web-address.ts'
import * as notifications from '../notifications/notifications.ts'

export const categories = [
  'business',
  'community',
  'education',
  'emergency',
  'environment',
  'faith',
  'family',
  'health',
  'memorial',
  'other',
] as const
export type Category = (typeof categories)[number]

export const sorts = ['newest', 'ending', 'most_funded'] as const
export type Sort = (typeof sorts)[number]

export const titleMax = 80
export const storyMax = 5_000
export const updateMax = 1_000
export const messageMax = 200
export const nameMax = 60

/** A campaign, as every part of the service sees it. */
export interface Campaign {
  id: string
  ownerId: string
  title: string
  story: string
  category: Category
  coverUrl: string | null
  currency: Currency
  goal: Amount
  /** What came in, less what went back to who gave it. */
  raised: Amount
  /** What the owner has taken out of it, with the fees. */
  withdrawn: Amount
  contributors: number
  /** Of the goal: whole ones, rounded down; may be more than a hundred. */
  percent: bigint
  endsAt: Date | null
  endedAt: Date | null
  paused: { at: Date; reason: string } | null
  /** An operator gives the money back. `doneAt`: all of it has arrived. */
  returned: { at: Date; reason: string; doneAt: Date | null } | null
  createdAt: Date
}

export const hasEnded = ({ endedAt, endsAt }: Campaign, now: Date): boolean =>
  endedAt !== null || (endsAt !== null && endsAt <= now)

/** What is in its account. */
export const leftOf = ({ raised, withdrawn, currency }: Campaign): Amount => ({
  minor: raised.minor - withdrawn.minor,
  currency,
})

export const progressOf = ({ percent }: Pick<Campaign, 'percent'>): number => Number(percent)

/** Why nobody can contribute now; undefined when they can. */
export function closedProblem(campaign: Campaign, now: Date): string | undefined {
  const { returned, paused } = campaign
  if (returned !== null) return `The money of this campaign goes back to who gave it: ${returned.reason}`
  if (paused !== null) return `This campaign is paused: ${paused.reason}`
  return hasEnded(campaign, now) ? 'This campaign has ended.' : undefined
}

/** Why its owner can't take anything out of it. */
export function heldProblem({ returned, paused }: Campaign): string | undefined {
  if (returned !== null) return `The money of this campaign goes back to who gave it: ${returned.reason}`
  return paused === null ? undefined : `This campaign is paused: ${paused.reason}`
}

export type Judged = { amount: Amount } | { problem: string; code: 'validation_failed' | 'limit_exceeded' }

/** `text` is the amount as it was sent. The problem is a whole sentence about it. */
export function judgeContribution(
  text: string,
  { currency, prices }: { currency: Currency; prices: Prices },
): Judged {
  const wrong = (problem: string): Judged => ({ problem, code: 'validation_failed' })
  const reading = readMinor(text, currency)
  if ('must' in reading) return wrong(`Amount must ${reading.must}`)
  const say = (minor: bigint) => toText({ minor, currency })
  if (reading.minor < prices.least[currency])
    return wrong(`Amount must be at least ${say(prices.least[currency])}`)
  if (reading.minor > prices.most[currency])
    return { problem: `Amount must be at most ${say(prices.most[currency])} at once`, code: 'limit_exceeded' }
  return { amount: { minor: reading.minor, currency } }
}

/** The end of the sentence "Goal amount …"; undefined when it may be one. */
export function goalProblem(
  text: string,
  { currency, prices }: { currency: Currency; prices: Prices },
): string | undefined {
  const reading = readMinor(text, currency)
  if ('must' in reading) return `must ${reading.must}`
  const { [currency]: least } = prices.least
  return reading.minor < least ? `must be at least ${toText({ minor: least, currency })}` : undefined
}

const endsMostMs = 366 * 86_400_000

/** The end of the sentence "Ends at …". */
export function endProblem(text: string, now: Date): string | undefined {
  const left = new Date(text).getTime() - now.getTime()
  if (left <= 0) return 'must be in the future'
  return left > endsMostMs ? 'must be within a year from now' : undefined
}

export type CoverConfig = Parameters<typeof notifications.checkTarget>[1]['config']

/** Of names and of addresses by number: what may stand in the header that allows the picture, and can't end there. */
const hostForm = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/

/**
 * The end of the sentence "Cover url …". Browsers load it from where it is, so in production it comes by https; and from
 * where notifications may go, so that no page makes its readers ask in their own networks.
 */
export function coverProblem(text: string, config: CoverConfig): string | undefined {
  const problem = webAddressProblem(text)
  if (problem !== undefined) return problem
  if (config.production && !/^https:/i.test(text)) return 'must start with https://'
  if (!hostForm.test(new URL(text).hostname))
    return 'must have a host of letters, digits, dots and hyphens only'
  return notifications.checkTarget(text, { mode: 'live', config })[0]
}

export interface PayoutTerms {
  amount: Amount
  fee: Amount
  rest: Amount
}

/** Undefined when the fee would eat it. */
export function payoutTerms(amount: Amount, prices: Prices): PayoutTerms | undefined {
  const split = splitFee(amount, prices.campaignWithdrawalFee)
  return split && { amount, ...split }
}

export type TypedAmount = { amount: string } | { problem: 'amount_form' | 'amount_small' | 'amount_large' }

/**
 * As people type it into a form, by the rule of the dashboard: spaces and marks between thousands are left out; a single
 * comma or point with one or two digits behind it is the decimal mark, whatever the language. `50.000` is fifty thousand,
 * and `0.500` is nothing that anybody can be sure of.
 */
export function typedAmount(
  text: string,
  { currency, prices }: { currency: Currency; prices: Prices },
): TypedAmount {
  const [, whole = '', fraction] =
    /^(\d[\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(text.replaceAll(/[\s']/g, '')) ?? []
  if (!/^\d+$|^[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*$/.test(whole)) return { problem: 'amount_form' }
  const digits = whole.replaceAll(/[.,]/g, '').replace(/^0+(?=\d)/, '')
  const reading = readMinor(fraction === undefined ? digits : `${digits}.${fraction}`, currency)
  if ('must' in reading) return { problem: 'amount_form' }
  if (reading.minor < prices.least[currency]) return { problem: 'amount_small' }
  if (reading.minor > prices.most[currency]) return { problem: 'amount_large' }
  return { amount: toDecimal({ minor: reading.minor, currency }) }
}

const wordsMax = 8
/** A short word must be whole: too many begin with it. */
const prefixLeast = 4

/**
 * What people type, as a question to the full text: all words, and the last one may go on, since it may not be typed to
 * its end. Undefined when there is no word in it.
 */
export function searchText(q: string): string | undefined {
  const typed = q.normalize('NFC').toLowerCase()
  const words = (typed.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, wordsMax)
  const last = words.length - 1
  const asked = words.map((word, at) => `'${word}'${at === last && word.length >= prefixLeast ? ':*' : ''}`)
  return asked.length === 0 ? undefined : asked.join(' & ')
}

/**
 * The end of the sentence "Title …". As it was sent, and as it is kept: composed, some letters are more characters than
 * they were.
 */
export const lengthProblem = (
  text: string,
  { most, tidy }: { most: number; tidy: (text: string) => string },
): string | undefined =>
  [...text].length > most || [...tidy(text)].length > most
    ? `must have at most ${most} characters`
    : undefined

/** One line, without spaces around it. */
export const tidyLine = (text: string): string => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ')

/** Lines stay lines; there is no more than one empty one in between. */
export const tidyText = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\S\n]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

const texts = [
  { field: 'title', label: 'Title', most: titleMax, tidy: tidyLine, mayBeEmpty: false },
  { field: 'story', label: 'Story', most: storyMax, tidy: tidyText, mayBeEmpty: false },
  { field: 'text', label: 'Text', most: updateMax, tidy: tidyText, mayBeEmpty: false },
  { field: 'message', label: 'Message', most: messageMax, tidy: tidyText, mayBeEmpty: true },
]

/** Of the texts that are there. The problem is the end of the sentence "Title …". */
export const textProblems = (body: Record<string, unknown>) =>
  texts.flatMap(({ field, label, most, tidy, mayBeEmpty }) => {
    const { [field]: text } = body
    if (typeof text !== 'string') return []
    const isEmpty = text.trim() === '' && !mayBeEmpty
    const problem = isEmpty ? 'must say something' : lengthProblem(text, { most, tidy })
    return [{ field, label, problem }]
  })
