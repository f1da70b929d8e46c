// What M-Pesa tells its callers: results of prompts, payouts, reversals and questions, in its own shapes and codes.
import { randomInt } from 'node:crypto'
import type { Parcel } from './callbacks.ts'
import { exactly } from './json.ts'
import { toDecimal } from './money.ts'
import type { NewOrder, Order, Orders, Protocol } from './orders.ts'
import type { Reason } from './outcomes.ts'

export interface Result {
  code: number | string
  text: string
}

const done: Result = { code: 0, text: 'The service request is processed successfully.' }

const results: Record<Reason, Result> = {
  payer_limit_reached: { code: 8, text: 'The transaction would exceed the daily limit.' },
  payer_not_found: { code: 10, text: 'The customer is not registered.' },
  cancelled_by_customer: { code: 1032, text: 'Request cancelled by user' },
  insufficient_balance: { code: 1, text: 'The balance is insufficient for the transaction.' },
  wrong_pin: { code: 2001, text: 'The initiator information is invalid.' },
  provider_error: { code: 1036, text: 'An internal error has occurred.' },
  phone_unreachable: { code: 1037, text: 'DS timeout user cannot be reached' },
  recipient_not_found: { code: 7, text: 'Unresolved Receiver Party' },
}

export const wrongInitiator: Result = { code: 2001, text: 'The initiator information is invalid.' }

/** What came of an order that has ended. */
export function resultOf({ state, reason, details }: Order): Result {
  if (details.result_code !== undefined) return ownResult(details.result_code, details.result_text ?? '')
  return state === 'paid' || reason === undefined ? done : results[reason]
}

/** Codes of digits are numbers on the wire. */
const ownResult = (code: string, text: string): Result => ({
  code: /^\d+$/.test(code) ? Number(code) : code,
  text,
})

/** An order that is accepted and then refused for a reason that no outcome has. */
export const refusedWith = (
  details: NewOrder['details'],
  { code, text }: Result,
): Required<Pick<NewOrder, 'details' | 'plan'>> => ({
  details: { ...details, result_code: String(code), result_text: text },
  plan: { end: 'provider_error', when: 'soon', tell: 'once', answer: 'accepted' },
})

/** Why this can't be reversed, if so. */
export function reversalProblem(
  orders: Orders,
  original: Order | undefined,
  minor: bigint,
): Result | undefined {
  if (original?.kind !== 'collect') return { code: 'R000002', text: 'The OriginalTransactionID is invalid.' }
  if (orders.refundable(original) < minor)
    return { code: 'R000001', text: 'The transaction has already been reversed.' }
  return undefined
}

const receiptCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const newReceipt = (): string =>
  receiptCharacters[randomInt(26)] +
  Array.from({ length: 9 }, () => receiptCharacters[randomInt(36)]).join('')

export const mpesa: Protocol = {
  newReceipt,
  told: (order) => (order.callbackUrl === undefined ? [] : [parcel(order.callbackUrl, bodyOf(order))]),
  forged: (order) => {
    if (order.callbackUrl === undefined) return []
    const lie: Order = {
      ...order,
      state: 'paid',
      reason: undefined,
      receipt: newReceipt(),
      minor: order.minor * 10n,
      endedAt: order.endedAt ?? order.createdAt,
    }
    return [parcel(order.callbackUrl, bodyOf(lie))]
  },
  timedOut: (order) => {
    const { timeout } = order.details
    if (timeout === undefined) return []
    const text = 'The service request has timed out in the queue.'
    return [parcel(timeout, { Result: { ...headOf(order), ResultType: 1, ResultCode: 1, ResultDesc: text } })]
  },
  reasonText: (order) => {
    const { code, text } = resultOf(order)
    return `${code} ${text}`
  },
}

const parcel = (url: string, body: unknown): Parcel => ({
  url,
  method: 'POST',
  headers: {},
  body: JSON.stringify(body),
})

const amountOf = ({ minor, currency }: Order): object => exactly(toDecimal(minor, currency))

const bodyOf = (order: Order): unknown => {
  switch (order.details.type) {
    case 'stk':
      return promptBody(order)
    case 'b2c':
      return { Result: { ...headOf(order), ...payoutParameters(order), ...noReference } }
    default:
      return { Result: { ...headOf(order), ...reversalParameters(order), ...noReference } }
  }
}

function promptBody(order: Order): unknown {
  const { code, text } = resultOf(order)
  const items = [
    { Name: 'Amount', Value: amountOf(order) },
    { Name: 'MpesaReceiptNumber', Value: order.receipt },
    { Name: 'Balance' },
    { Name: 'TransactionDate', Value: exactly(digitsOf(order.endedAt)) },
    { Name: 'PhoneNumber', Value: exactly(order.number ?? '0') },
  ]
  const callback = {
    MerchantRequestID: order.details.merchant_request,
    CheckoutRequestID: order.id,
    ResultCode: code,
    ResultDesc: text,
    ...(order.state === 'paid' ? { CallbackMetadata: { Item: items } } : {}),
  }
  return { Body: { stkCallback: callback } }
}

const noReference = { ReferenceData: { ReferenceItem: { Key: 'QueueTimeoutURL', Value: 'none' } } }

const headOf = (order: Order) => {
  const { code, text } = resultOf(order)
  return {
    ResultType: 0,
    ResultCode: code,
    ResultDesc: text,
    OriginatorConversationID: order.id,
    ConversationID: order.details.conversation,
    // Failed ones have a number too; it leads nowhere.
    TransactionID: order.receipt ?? newReceipt(),
  }
}

const parameters = (values: Record<string, unknown>) => ({
  ResultParameters: { ResultParameter: Object.entries(values).map(([Key, Value]) => ({ Key, Value })) },
})

function payoutParameters(order: Order) {
  if (order.state !== 'paid') return {}
  return parameters({
    TransactionAmount: amountOf(order),
    TransactionReceipt: order.receipt,
    ReceiverPartyPublicName: `${order.number} - Simulated Customer`,
    TransactionCompletedDateTime: dottedTime(order.endedAt),
    B2CUtilityAccountAvailableFunds: 1_000_000,
    B2CWorkingAccountAvailableFunds: 1_000_000,
    B2CRecipientIsRegisteredCustomer: 'Y',
    B2CChargesPaidAccountAvailableFunds: 0,
  })
}

function reversalParameters(order: Order) {
  if (order.state !== 'paid') return {}
  return parameters({
    Amount: amountOf(order),
    OriginalTransactionID: order.details.original_receipt,
    Charge: 0,
    CreditPartyPublicName: `${order.number} - Simulated Customer`,
    DebitPartyPublicName: '600000 - Simulated Business',
    TransCompletedTime: exactly(digitsOf(order.endedAt)),
  })
}

/** East African time, which has no summer. */
const eastAfrican = (at: number | undefined): string[] =>
  new Date((at ?? 0) + 3 * 3_600_000).toISOString().slice(0, 19).split(/[-T:]/)

/** `YYYYMMDDHHmmss` */
const digitsOf = (at: number | undefined): string => eastAfrican(at).join('')

/** `DD.MM.YYYY HH:mm:ss` */
function dottedTime(at: number | undefined): string {
  const [year, month, day, hour, minute, second] = eastAfrican(at)
  return `${day}.${month}.${year} ${hour}:${minute}:${second}`
}

interface Question {
  conversation: string
  originator: string
  /** The initiator is who he says. */
  known: boolean
}

const answerHead = ({ conversation, originator }: Question, { code, text }: Result) => ({
  ResultType: 0,
  ResultCode: code,
  ResultDesc: text,
  OriginatorConversationID: originator,
  ConversationID: conversation,
  TransactionID: newReceipt(),
})

const states = { waiting: 'Pending', paid: 'Completed', failed: 'Failed' } as const

export function statusParcel(url: string, question: Question & { order: Order | undefined }): Parcel {
  const { order, known } = question
  if (!known) return parcel(url, { Result: answerHead(question, wrongInitiator) })
  if (order === undefined) {
    const none = { code: 2032, text: 'The transaction does not exist.' }
    return parcel(url, { Result: answerHead(question, none) })
  }
  const values = parameters({
    DebitPartyName:
      order.kind === 'collect' ? `${order.number} - Simulated Customer` : '600000 - Simulated Business',
    CreditPartyName:
      order.kind === 'collect' ? '174379 - Simulated Business' : `${order.number} - Simulated Customer`,
    OriginatorConversationID: order.id,
    InitiatedTime: exactly(digitsOf(order.createdAt)),
    DebitAccountType: order.kind === 'collect' ? 'MMF Account For Customer' : 'Utility Account',
    TransactionReason: order.state === 'failed' ? resultOf(order).text : undefined,
    ReasonType: order.kind === 'collect' ? 'Pay Bill Online' : 'Business Payment to Customer via API',
    TransactionStatus: states[order.state],
    FinalisedTime: order.endedAt === undefined ? undefined : exactly(digitsOf(order.endedAt)),
    Amount: amountOf(order),
    ConversationID: order.details.conversation,
    ReceiptNo: order.receipt,
  })
  return parcel(url, { Result: { ...answerHead(question, done), ...values } })
}

export function balanceParcel(url: string, question: Question & { balance: bigint }): Parcel {
  if (!question.known) return parcel(url, { Result: answerHead(question, wrongInitiator) })
  const money = toDecimal(question.balance, 'KES')
  const accounts = [
    `Working Account|KES|${money}|${money}|0.00|0.00`,
    'Utility Account|KES|0.00|0.00|0.00|0.00',
    'Charges Paid Account|KES|0.00|0.00|0.00|0.00',
  ]
  const values = parameters({ AccountBalance: accounts.join('&') })
  return parcel(url, { Result: { ...answerHead(question, done), ...values } })
}
