// What Daraja answers and what it tells later. Two things are easily mixed up and must not be: that an order was accepted
// is not that it was done, and that a question failed says nothing about what was asked for.
import type { Delivery, FailureCode, Heard, OperationKind, WireAnswer } from '../contract.ts'
import { at, isObject, type Json, nameAt, quoted, readAmount, readJson, textAt } from '../json.ts'

/** The answer to an order. `reference`: the field with the provider's name for it. */
export function readStarted(
  answer: WireAnswer,
  { kind, reference }: { kind: OperationKind; reference: string },
): Heard {
  const body = readJson(answer.body)
  if (answer.status === 200) {
    const code = textAt(body, 'ResponseCode')
    const providerReference = nameAt(body, reference)
    if (code === '0' && providerReference !== undefined) return { state: 'pending', providerReference }
    if (code !== undefined && code !== '0' && codeForm.test(code))
      return {
        state: 'failed',
        code: 'provider_error',
        detail: told(code, textAt(body, 'ResponseDescription')),
      }
    return unclear(answer)
  }
  const errorCode = textAt(body, 'errorCode')
  const message = textAt(body, 'errorMessage') ?? ''
  if (answer.status < 400 || errorCode === undefined) return unclear(answer)
  // It arrived before: this is the same order again.
  if (kind === 'payout' && errorCode === '500.002.1001' && /duplicate/i.test(message))
    return { state: 'pending' }
  const code = refusalOf({ errorCode, message, kind })
  return code === undefined ? unclear(answer) : { state: 'failed', code, detail: told(errorCode, message) }
}

/** Undefined: it is not sure that nothing was done. */
function refusalOf(error: {
  errorCode: string
  message: string
  kind: OperationKind
}): FailureCode | undefined {
  const { errorCode, message, kind } = error
  if (errorCode.startsWith('400.')) {
    if (/amount/i.test(message)) return 'amount_out_of_bounds'
    if (/phone ?number|party[ab]/i.test(message))
      return kind === 'collect' ? 'payer_not_found' : 'recipient_not_found'
    return 'provider_config'
  }
  if (/^40[1345]\./.test(errorCode)) return 'provider_config'
  if (/wrong credentials|merchant does not exist/i.test(message)) return 'provider_config'
  if (/unable to lock subscriber/i.test(message)) return 'payment_in_progress'
  if (/spike arrest|quota violation/i.test(message)) return 'provider_unavailable'
  return undefined
}

/** The answer to the question about a push. It tells no receipt. */
export function readAskedPush(answer: WireAnswer, push: string): Heard {
  const body = readJson(answer.body)
  if (answer.status !== 200) {
    const isOpen = /being processed/i.test(textAt(body, 'errorMessage') ?? '')
    return isOpen ? { state: 'pending' } : unclear(answer)
  }
  const code = textAt(body, 'ResultCode')
  if (code === undefined || textAt(body, 'CheckoutRequestID') !== push) return unclear(answer)
  if (code === '0') return { state: 'completed', providerReference: push }
  return readFailure({ code, description: textAt(body, 'ResultDesc'), kind: 'collect' })
}

/** The answer to the question about a payout or a reversal: it comes later, if it was taken. */
export const readAsked = (answer: WireAnswer): Heard =>
  answer.status === 200 && textAt(readJson(answer.body), 'ResponseCode') === '0'
    ? { state: 'pending' }
    : unclear(answer)

export function readCallback({ body: text, isAnswer }: Delivery): Heard {
  const body = readJson(text)
  const push = at(body, 'Body', 'stkCallback')
  if (isObject(push) && !isAnswer) return readPushResult(push)
  const result = at(body, 'Result')
  if (isObject(result)) return isAnswer ? readStatusResult(result) : readResult(result)
  return { state: 'unknown', detail: 'M-Pesa sent something that is no result' }
}

function readPushResult(push: Json): Heard {
  const providerReference = nameAt(push, 'CheckoutRequestID')
  const code = textAt(push, 'ResultCode')
  if (providerReference === undefined || code === undefined) return illFormed
  if (code !== '0') return readFailure({ code, description: textAt(push, 'ResultDesc'), kind: 'collect' })
  const items = parameters(at(push, 'CallbackMetadata', 'Item'), 'Name')
  const receipt = items.get('MpesaReceiptNumber')
  const amount = readAmount(items.get('Amount'), 'KES')
  if (receipt === undefined || !receiptForm.test(receipt) || amount === undefined) return illFormed
  return { state: 'completed', providerReference, receipt, amount }
}

/** Of a payout or a reversal. */
function readResult(result: Json): Heard {
  const providerReference = nameAt(result, 'OriginatorConversationID')
  const code = textAt(result, 'ResultCode')
  const description = textAt(result, 'ResultDesc')
  if (providerReference === undefined || code === undefined) return illFormed
  if (textAt(result, 'ResultType') !== '0' || /request (has )?timed out/i.test(description ?? ''))
    return { state: 'unknown', detail: told(code, description) }
  if (code !== '0') return readFailure({ code, description, kind: 'payout' })
  const found = parameters(at(result, 'ResultParameters', 'ResultParameter'), 'Key')
  const receipt = found.get('TransactionReceipt') ?? textAt(result, 'TransactionID')
  const amount = readAmount(found.get('TransactionAmount') ?? found.get('Amount'), 'KES')
  if (receipt === undefined || !receiptForm.test(receipt) || amount === undefined) return illFormed
  return { state: 'completed', providerReference, receipt, amount }
}

/** Of a question. Its own failure is not that of the order. */
function readStatusResult(result: Json): Heard {
  const code = textAt(result, 'ResultCode')
  const description = textAt(result, 'ResultDesc')
  if (code === undefined || textAt(result, 'ConversationID') === undefined) return illFormed
  if (code !== '0') {
    const isAbsent = /(transaction|receipt|conversation).*(not found|not exist)/i.test(description ?? '')
    return { state: isAbsent ? 'absent' : 'unknown', detail: told(code, description) }
  }
  const found = parameters(at(result, 'ResultParameters', 'ResultParameter'), 'Key')
  const status = found.get('TransactionStatus') ?? ''
  const reason = found.get('TransactionReason')
  if (/^(failed|cancelled|declined|expired)$/i.test(status))
    return { state: 'failed', code: codeOfWords(`${status} ${reason ?? ''}`), detail: told(status, reason) }
  if (/^(pending|authorized|submitted)$/i.test(status)) return { state: 'pending' }
  const receipt = found.get('ReceiptNo')
  const amount = readAmount(found.get('Amount'), 'KES')
  if (
    !/^completed$/i.test(status) ||
    receipt === undefined ||
    !receiptForm.test(receipt) ||
    amount === undefined
  )
    return { state: 'unknown', detail: told(status || code, description) }
  return { state: 'completed', receipt, amount }
}

function readFailure(result: { code: string; description: string | undefined; kind: OperationKind }): Heard {
  const { code, description, kind } = result
  if (!codeForm.test(code)) return illFormed
  const detail = told(code, description)
  // "Still being processed", as a result.
  if (code === '4999') return { state: 'pending' }
  // A timeout, and a delay that may still end well.
  if (code === '5' || code === '34') return { state: 'unknown', detail }
  const own = kind === 'collect' ? pushCodes : orderCodes
  return { state: 'failed', code: own.get(code) ?? resultCodes.get(code) ?? 'provider_error', detail }
}

const codeForm = /^[A-Za-z0-9_.]{1,20}$/
const receiptForm = /^[A-Z0-9]{8,20}$/

const resultCodes = new Map<string, FailureCode>([
  ['1', 'insufficient_balance'],
  ['3', 'amount_out_of_bounds'],
  ['4', 'amount_out_of_bounds'],
  ['8', 'payer_limit_reached'],
  ['10', 'payer_not_found'],
  ['17', 'provider_unavailable'],
  ['26', 'provider_unavailable'],
  ['29', 'provider_unavailable'],
  ['32', 'provider_config'],
  ['33', 'provider_config'],
  ['35', 'duplicate_transaction'],
  ['36', 'provider_config'],
  ['42', 'provider_config'],
  ['43', 'duplicate_transaction'],
  ['1001', 'payment_in_progress'],
  ['1019', 'expired'],
  ['1025', 'provider_unavailable'],
  ['1032', 'cancelled_by_customer'],
  ['1037', 'phone_unreachable'],
  ['9999', 'provider_unavailable'],
])

const pushCodes = new Map<string, FailureCode>([['2001', 'wrong_pin']])

/** In orders of our own the initiator is us. */
const orderCodes = new Map<string, FailureCode>([
  ['7', 'recipient_not_found'],
  ['21', 'provider_config'],
  ['2001', 'provider_config'],
  ['2040', 'recipient_not_allowed'],
  ['8006', 'provider_config'],
  // "The transaction has already been reversed."
  ['R000001', 'duplicate_transaction'],
])

/** A status says why in words only. */
function codeOfWords(text: string): FailureCode {
  const row = wordRows.find(([form]) => form.test(text))
  return row?.[1] ?? 'provider_error'
}

const wordRows: [form: RegExp, code: FailureCode][] = [
  [/insufficient/i, 'insufficient_balance'],
  [/limit/i, 'payer_limit_reached'],
  [/not registered/i, 'payer_not_found'],
  [/receiver/i, 'recipient_not_found'],
  [/cannot be reached/i, 'phone_unreachable'],
  [/cancelled/i, 'cancelled_by_customer'],
  [/initiator|credential/i, 'provider_config'],
  [/already .*reversed/i, 'duplicate_transaction'],
  [/expired/i, 'expired'],
]

/** `[{ Key: 'Amount', Value: 500 }]`; one alone may come without its list. Of two with one name the first counts. */
function parameters(list: Json | undefined, nameField: 'Key' | 'Name'): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of Array.isArray(list) ? list : [list]) {
    const name = textAt(entry, nameField)
    const value = textAt(entry, 'Value')
    if (name !== undefined && value !== undefined && !found.has(name)) found.set(name, value)
  }
  return found
}

const illFormed: Heard = { state: 'unknown', detail: 'M-Pesa sent a result that is not well formed' }

const told = (code: string, description: string | undefined): string =>
  quoted(description === undefined ? code : `${code}: ${description}`)

const unclear = ({ status, body }: WireAnswer): Heard => ({
  state: 'unknown',
  detail: quoted(`HTTP ${status} ${body}`),
})
