// The knobs: how badly the networks behave. All at zero, they behave well.
import type { JsonObject } from './json.ts'
import { numeralAt, objectAt, textAt } from './json.ts'

export const providerIds = ['mpesa', 'mtn', 'airtel', 'paystack'] as const
export type ProviderId = (typeof providerIds)[number]

/** The connection is cut without an answer, or the answer is 503. */
export type Outage = 'none' | 'cut' | 'unavailable'

export interface Knobs {
  /** Shares of the callbacks, from 0 to 1. Lost ones never leave; the others all arrive in the end. */
  lost: number
  doubled: number
  late: number
  /** Held back until another one has overtaken it. */
  reordered: number
  /** Preceded by one from somebody else, with another amount and, where there are signatures, a wrong one. */
  forged: number
  /** Share of the requests that are worked on, and then the connection is cut. */
  unanswered: number
  /** Share of the refunds that fail. */
  failed_refunds: number
  /** Before every answer. */
  answer_delay_ms: number
  /** Life of a token, instead of the provider's own; 0: the provider's own. */
  token_seconds: number
  outages: Record<ProviderId, Outage>
}

export type KnobChanges = Partial<Omit<Knobs, 'outages'>> & { outages?: Partial<Record<ProviderId, Outage>> }

export const calm = (): Knobs => ({
  lost: 0,
  doubled: 0,
  late: 0,
  reordered: 0,
  forged: 0,
  unanswered: 0,
  failed_refunds: 0,
  answer_delay_ms: 0,
  token_seconds: 0,
  outages: { mpesa: 'none', mtn: 'none', airtel: 'none', paystack: 'none' },
})

const shares = ['lost', 'doubled', 'late', 'reordered', 'forged', 'unanswered', 'failed_refunds'] as const
const counts = ['answer_delay_ms', 'token_seconds'] as const
const countMax = 3_600_000

export const turn = (knobs: Knobs, changes: KnobChanges): Knobs => ({
  ...knobs,
  ...changes,
  outages: { ...knobs.outages, ...changes.outages },
})

/** The changes, or what is wrong with them. */
export function readKnobs(body: JsonObject): KnobChanges | string {
  const changes: KnobChanges = {}
  for (const name of Object.keys(body)) {
    const share = shares.find((known) => known === name)
    const count = counts.find((known) => known === name)
    const value = Number(numeralAt(body, name) ?? Number.NaN)
    if (share !== undefined && value >= 0 && value <= 1) changes[share] = value
    else if (count !== undefined && value >= 0 && value <= countMax) changes[count] = Math.floor(value)
    else if (name === 'outages') {
      const outages = readOutages(objectAt(body, name))
      if (outages === undefined) return 'outages: for each provider "none", "cut" or "unavailable"'
      changes.outages = outages
    } else
      return `${name}: ${[...shares].join(', ')} are shares from 0 to 1; ${counts.join(', ')} whole numbers`
  }
  return changes
}

function readOutages(object: JsonObject | undefined): Partial<Record<ProviderId, Outage>> | undefined {
  if (object === undefined) return undefined
  const outages: Partial<Record<ProviderId, Outage>> = {}
  for (const name of Object.keys(object)) {
    const provider = providerIds.find((id) => id === name)
    const outage = (['none', 'cut', 'unavailable'] as const).find((known) => known === textAt(object, name))
    if (provider === undefined || outage === undefined) return undefined
    outages[provider] = outage
  }
  return outages
}
