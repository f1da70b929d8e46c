// Reads what Paystack answers and reports. Its envelope is always `{ status, message, data }`; `data.status` is what
// became of the thing. Amounts are whole subunits, hundredths in every currency that is served, so our minor units.
import { type Amount, fromMinorText, isCurrency } from '../../base/money.ts'
import type { FailureCode, Heard, OperationKind, WireAnswer } from '../contract.ts'
import { at, isObject, type Json, quoted, readJson, textAt } from '../json.ts'

/** `data`, when the answer is one of Paystack's and says that the call went well. */
export function dataOf({ status, body }: WireAnswer): Json | undefined {
  const read = readJson(body)
  const data = at(read, 'data')
  return (status === 200 || status === 201) && at(read, 'status') === true && data !== undefined
    ? data
    : undefined
}

/** The page where the customer pays. */
export function readInitialized(answer: WireAnswer, id: string): Heard {
  const data = dataOf(answer)
  if (data === undefined) return readRefusal(answer, 'collect')
  const redirectUrl = webAddress(textAt(data, 'authorization_url'))
  if (redirectUrl === undefined || textAt(data, 'reference') !== id) return unclear(answer)
  return { state: 'pending', redirectUrl }
}

/** A browser is sent there, so it is an address of the web and nothing else. */
const webAddress = (text: string | undefined): string | undefined =>
  text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined

/** The answer to a question about a card payment or a transfer, or to the order of a transfer. */
export function readOrder(
  answer: WireAnswer,
  { kind, id, at }: { kind: 'collect' | 'payout'; id: string; at: Date },
): Heard {
  const data = dataOf(answer)
  if (data === undefined) return readRefusal(answer, kind)
  if (textAt(data, 'reference') !== id) return unclear(answer)
  return kind === 'collect' ? readCharge(data, at) : readTransfer(data)
}

/** `now`: in a webhook nobody knows it. */
export function readCharge(data: Json, now?: Date): Heard {
  const status = textAt(data, 'status')
  switch (status) {
    case 'success':
      return completed(data, { reference: textAt(data, 'id'), receipt: textAt(data, 'receipt_number') })
    case 'failed':
      return failed(codeOf(textAt(data, 'gateway_response'), 'collect'), textAt(data, 'gateway_response'))
    case 'reversed':
      return failed('provider_error', 'reversed: the money went back')
    case 'abandoned':
      return isForgotten(data, now) ? failed('expired', 'the customer left the page') : { state: 'pending' }
    case 'pending':
    case 'ongoing':
    case 'processing':
    case 'queued':
      return { state: 'pending' }
    default:
      return strange(status)
  }
}

/**
 * Paystack says `abandoned` from the first moment on, until the customer has paid, which may still happen: only when
 * half a day has gone is nobody sitting before that page any more.
 */
function isForgotten(data: Json, now: Date | undefined): boolean {
  const began = Date.parse(textAt(data, 'created_at') ?? '')
  return now !== undefined && now.getTime() - began > forgottenAfterMs
}
const forgottenAfterMs = 12 * 3_600_000

export function readTransfer(data: Json): Heard {
  const status = textAt(data, 'status')
  const why =
    textAt(data, 'gateway_response') ?? textAt(data, 'failures', 'message') ?? textAt(data, 'failures')
  switch (status) {
    case 'success':
      return completed(data, { reference: textAt(data, 'transfer_code') })
    case 'failed':
    case 'rejected':
    case 'blocked':
    case 'abandoned':
      return failed(codeOf(why, 'payout'), why ?? status)
    case 'reversed':
      return {
        state: 'failed',
        code: 'provider_error',
        detail: 'reversed: the money came back',
        cameBack: true,
      }
    case 'pending':
    case 'processing':
    case 'queued':
    case 'received':
      return { state: 'pending', providerReference: textAt(data, 'transfer_code') }
    case 'otp':
      return {
        state: 'unknown',
        detail: 'Paystack waits for a code: switch off "Confirm transfers before sending"',
      }
    default:
      return strange(status)
  }
}

export function readRefund(data: Json): Heard {
  const status = textAt(data, 'status')
  const providerReference = textAt(data, 'id')
  switch (status) {
    case 'processed':
      return completed(data, { reference: providerReference })
    case 'failed':
      return failed('provider_error', textAt(data, 'reason') ?? status)
    case 'pending':
    case 'processing':
      return { state: 'pending', providerReference }
    case 'needs-attention':
      return {
        state: 'unknown',
        detail: 'Paystack needs details of the customer for this refund: look into its dashboard',
      }
    default:
      return strange(status)
  }
}

interface Names {
  reference: string | undefined
  receipt?: string | undefined
}

/** Completed only with an amount that can be read: whoever asked compares it with what was ordered. */
function completed(data: Json, { reference, receipt = reference }: Names): Heard {
  const amount = amountOf(data)
  if (amount === undefined) return { state: 'unknown', detail: 'Paystack tells no amount' }
  return { state: 'completed', providerReference: reference, receipt, amount }
}

function amountOf(data: Json): Amount | undefined {
  const currency = textAt(data, 'currency') ?? ''
  return isCurrency(currency) ? fromMinorText(textAt(data, 'amount') ?? '', currency) : undefined
}

// --- refusals -------------------------------------------------------------------------------------------------------

/** An answer without data. It ends the operation only when it is Paystack's own refusal of what was sent. */
export function readRefusal(answer: WireAnswer, kind: OperationKind): Heard {
  const body = readJson(answer.body)
  const isRefusal =
    isObject(body) && at(body, 'status') === false && answer.status >= 400 && answer.status < 500
  if (!isRefusal || answer.status === 429) return unclear(answer)
  const words = [textAt(body, 'code'), textAt(body, 'message')]
    .filter((word) => word !== undefined)
    .join(': ')
  if (answer.status === 401 || answer.status === 403) return failed('provider_config', words)
  // Nobody else has our id: it arrived before.
  if (kind !== 'refund' && /duplicate|already/i.test(words)) return { state: 'pending' }
  return failed(codeOf(words, kind), words)
}

/** The same to a question: it ends nothing, unless it says clearly that there is no such thing. */
export function readNotTold(answer: WireAnswer): Heard {
  const body = readJson(answer.body)
  const words = quoted(textAt(body, 'message'))
  const isNotFound =
    at(body, 'status') === false &&
    (answer.status === 404 || answer.status === 400) &&
    /not[ _]found/i.test(`${textAt(body, 'code')} ${words}`)
  return isNotFound ? { state: 'absent', detail: `Paystack does not know it: ${words}` } : unclear(answer)
}

/** Paystack hands on the words of banks and networks; the unified codes are read out of them, the first that fits. */
const wordings: readonly (readonly [RegExp, FailureCode])[] = [
  [/insufficient|not enough|low balance/i, 'insufficient_balance'],
  [/cancel|declined by (?:the )?(?:customer|user)/i, 'cancelled_by_customer'],
  [/\bpin\b/i, 'wrong_pin'],
  [/time[sd]?[ -]?out|session expired|request expired/i, 'expired'],
  [/limit/i, 'payer_limit_reached'],
  [/unreachable|no response from (?:the )?(?:phone|customer|user)/i, 'phone_unreachable'],
  [/invalid (?:account|phone|customer)|unregistered/i, 'payer_not_found'],
  [/not found|not resolve|no such|number is invalid|invalid recipient/i, 'recipient_not_found'],
  [/unavailable|inoperative|downtime|system malfunction/i, 'provider_unavailable'],
  [/amount/i, 'amount_out_of_bounds'],
  [/currency|not (?:enabled|permitted|allowed)|invalid key/i, 'provider_config'],
]

function codeOf(words: string | undefined, kind: OperationKind): FailureCode {
  const code = wordings.find(([pattern]) => pattern.test(words ?? ''))?.[1] ?? 'provider_error'
  return code === 'recipient_not_found' && kind !== 'payout' ? 'payer_not_found' : code
}

const failed = (code: FailureCode, detail: string | undefined): Heard => ({
  state: 'failed',
  code,
  detail: quoted(detail),
})

const strange = (status: string | undefined): Heard => ({
  state: 'unknown',
  detail: `Paystack says ${quoted(status ?? 'nothing')}`,
})

export const unclear = ({ status, body }: WireAnswer): Heard => ({
  state: 'unknown',
  detail: `Paystack answered ${status} ${quoted(textAt(readJson(body), 'message'))}`.trim(),
})
