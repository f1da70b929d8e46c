// What a transfer costs and whether its amount may be sent, as functions of values.
import { type Amount, type Currency, isCurrency, readMinor, splitFee, toText } from '../base/money.ts'
import type { Prices } from '../base/prices.ts'

export interface Terms {
  amount: Amount
  fee: Amount
  rest: Amount
}

export type Judged = { terms: Terms } | { problem: string; code: 'validation_failed' | 'limit_exceeded' }

/** `text` is the amount as it was sent. The problem is a whole sentence about it. */
export function judgeAmount(
  text: string,
  { currency, prices }: { currency: Currency; prices: Prices },
): Judged {
  const wrong = (problem: string): Judged => ({ problem, code: 'validation_failed' })
  const reading = readMinor(text, currency)
  if ('must' in reading) return wrong(`Amount must ${reading.must}`)
  const amount = { minor: reading.minor, currency }
  const say = (minor: bigint) => toText({ minor, currency })
  if (amount.minor < prices.least[currency])
    return wrong(`Amount must be at least ${say(prices.least[currency])}`)
  if (amount.minor > prices.most[currency]) {
    return { problem: `Amount must be at most ${say(prices.most[currency])} at once`, code: 'limit_exceeded' }
  }
  const split = splitFee(amount, prices.transferFee)
  if (split === undefined) return wrong('Amount must be more than its fee')
  return { terms: { amount, fee: split.fee, rest: split.rest } }
}

/** Only of a body whose fields were not refused already. */
export function amountProblem(
  body: unknown,
  { prices, refused }: { prices: Prices; refused: Record<string, string> },
): Extract<Judged, { problem: string }> | undefined {
  const { amount, currency } = body as { amount?: unknown; currency?: unknown }
  if ('amount' in refused || 'currency' in refused) return undefined
  if (typeof amount !== 'string' || typeof currency !== 'string' || !isCurrency(currency)) return undefined
  const judged = judgeAmount(amount, { currency, prices })
  return 'problem' in judged ? judged : undefined
}
