// What MTN answers and what it tells later: the same body, asked for or not.
import type { Delivery, FailureCode, Heard, WireAnswer } from '../contract.ts'
import { type Json, nameAt, quoted, readAmount, readJson, textAt } from '../json.ts'

/** The answer to an order. */
export function readStarted(answer: WireAnswer, id: string): Heard {
  if (answer.status === 202) return { state: 'pending', providerReference: id }
  const body = readJson(answer.body)
  const code = textAt(body, 'code')
  // It arrived before: this is the same order again.
  if (answer.status === 409 && code === 'RESOURCE_ALREADY_EXIST')
    return { state: 'pending', providerReference: id }
  const message = textAt(body, 'message')
  const failure = refusalOf({ status: answer.status, code, message })
  return failure === undefined
    ? unclear(answer)
    : { state: 'failed', code: failure, detail: told(code ?? `HTTP ${answer.status}`, message) }
}

/** Undefined: it is not sure that nothing was done. Trouble inside MTN is such a case; it is asked for, by our id. */
function refusalOf(error: { status: number; code: string | undefined; message: string | undefined }) {
  const { status, code, message } = error
  if (status < 400) return undefined
  const known = code === undefined || insideTrouble.has(code) ? undefined : reasons.get(code)
  if (known !== undefined) return known
  const isOurs = [400, 401, 403].includes(status) && (code ?? message) !== undefined
  return isOurs ? ('provider_config' satisfies FailureCode) : undefined
}

const insideTrouble = new Set([
  'INTERNAL_PROCESSING_ERROR',
  'SERVICE_UNAVAILABLE',
  'COULD_NOT_PERFORM_TRANSACTION',
])

export function readAsked(answer: WireAnswer): Heard {
  const body = readJson(answer.body)
  if (answer.status === 200) return readStatus(body)
  if (answer.status === 404 && textAt(body, 'code') === 'RESOURCE_NOT_FOUND')
    return { state: 'absent', detail: told('RESOURCE_NOT_FOUND', textAt(body, 'message')) }
  return unclear(answer)
}

export const readCallback = ({ body }: Delivery): Heard => readStatus(readJson(body))

function readStatus(body: Json | undefined): Heard {
  const status = textAt(body, 'status')
  switch (status) {
    case 'PENDING':
    case 'CREATED':
    case 'ONGOING':
    case 'DELAYED':
      return { state: 'pending' }
    case 'SUCCESSFUL': {
      const amount = readAmount(textAt(body, 'amount'), textAt(body, 'currency'))
      if (amount === undefined) return { state: 'unknown', detail: 'MTN tells a success without its amount' }
      return { state: 'completed', receipt: nameAt(body, 'financialTransactionId'), amount }
    }
    case 'FAILED':
    case 'REJECTED':
    case 'EXPIRED':
      return readFailure(body, status)
    default:
      return { state: 'unknown', detail: told('MTN tells the status', status ?? 'none') }
  }
}

/** The reason is a word, or an object with one; without it the status is the reason. */
function readFailure(body: Json | undefined, status: string): Heard {
  const reason = textAt(body, 'reason') ?? textAt(body, 'reason', 'code') ?? status
  const message = textAt(body, 'reason', 'message')
  // A failure that says that it goes on is none.
  if (reason === 'ONGOING' || reason === 'DELAYED') return { state: 'unknown', detail: told(status, reason) }
  return { state: 'failed', code: reasons.get(reason) ?? 'provider_error', detail: told(reason, message) }
}

const reasons = new Map<string, FailureCode>([
  ['NOT_ENOUGH_FUNDS', 'insufficient_balance'],
  ['LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED', 'insufficient_balance'],
  ['APPROVAL_REJECTED', 'cancelled_by_customer'],
  ['REJECTED', 'cancelled_by_customer'],
  ['EXPIRED', 'expired'],
  ['COULD_NOT_PERFORM_TRANSACTION', 'expired'],
  ['PAYER_NOT_FOUND', 'payer_not_found'],
  ['PAYER_LIMIT_REACHED', 'payer_limit_reached'],
  ['PAYEE_NOT_FOUND', 'recipient_not_found'],
  ['PAYEE_NOT_ALLOWED_TO_RECEIVE', 'recipient_not_allowed'],
  ['SERVICE_UNAVAILABLE', 'provider_unavailable'],
  ['NOT_ALLOWED', 'provider_config'],
  ['NOT_ALLOWED_TARGET_ENVIRONMENT', 'provider_config'],
  ['INVALID_CALLBACK_URL_HOST', 'provider_config'],
  ['INVALID_CURRENCY', 'provider_config'],
  ['INTERNAL_PROCESSING_ERROR', 'provider_error'],
])

const told = (code: string, message: string | undefined): string =>
  quoted(message === undefined ? code : `${code}: ${message}`)

const unclear = ({ status, body }: WireAnswer): Heard => ({
  state: 'unknown',
  detail: quoted(`HTTP ${status} ${body}`),
})
