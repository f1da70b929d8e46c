// M-Pesa's Daraja as its callers see it: tokens, STK push and its query, B2C, transaction status, reversal, balance. What
// is asked is checked as strictly as there: a refusal names the field.
import { randomInt } from 'node:crypto'
import type { Books } from './books.ts'
import type { Callbacks } from './callbacks.ts'
import {
  balanceParcel,
  refusedWith,
  resultOf,
  reversalProblem,
  statusParcel,
  wrongInitiator,
} from './daraja-results.ts'
import { type JsonObject, readObject, textAt, wordAt } from './json.ts'
import { darajaCertificate, decrypted } from './keys.ts'
import type { Knobs } from './knobs.ts'
import { readMinor } from './money.ts'
import type { Order, Orders } from './orders.ts'
import { type Answer, json, type Request, type Route, text } from './server.ts'
import { isBasic, issueToken, judgeToken, sameText } from './tokens.ts'

export const darajaAccount = {
  name: 'simulator-key',
  password: 'simulator-secret',
  shortcode: '174379',
  passkey: 'simulator-passkey',
  payoutShortcode: '600000',
  initiator: 'simulator',
  initiatorPassword: 'simulator-password',
} as const

export interface DarajaOptions {
  orders: Orders
  callbacks: Callbacks
  books: Books
  knobs: () => Knobs
  now: () => number
  answerMs: number
}

const tokenSeconds = 3599
const amountMax = 250_000_00n

export function darajaRoutes(options: DarajaOptions): Route[] {
  const post = (path: string, work: (options: DarajaOptions, body: JsonObject) => Answer): Route => ({
    method: 'POST',
    path: `/daraja${path}`,
    handle: (request) => withToken(options, request, work),
  })
  return [
    { method: 'GET', path: '/daraja/oauth/v1/generate', handle: (request) => giveToken(options, request) },
    {
      method: 'GET',
      path: '/daraja/certificate.pem',
      handle: () => text(200, darajaCertificate, 'application/x-pem-file'),
    },
    post('/mpesa/stkpush/v1/processrequest', pushPrompt),
    post('/mpesa/stkpushquery/v1/query', queryPrompt),
    post('/mpesa/b2c/v3/paymentrequest', payOut),
    post('/mpesa/b2c/v1/paymentrequest', payOut),
    post('/mpesa/transactionstatus/v1/query', askStatus),
    post('/mpesa/reversal/v1/request', reverse),
    post('/mpesa/accountbalance/v1/query', askBalance),
  ]
}

function giveToken({ knobs, now }: DarajaOptions, { headers, query }: Request): Answer {
  if (query.get('grant_type') !== 'client_credentials')
    return refuse(400, '400.008.02', 'Invalid grant type passed')
  if (!isBasic(headers.authorization, darajaAccount))
    return refuse(400, '400.008.01', 'Invalid Authentication passed')
  const seconds = knobs().token_seconds || tokenSeconds
  const token = issueToken({ purpose: 'mpesa', now: now() }, seconds)
  return json(200, { access_token: token, expires_in: String(seconds) })
}

function withToken(
  options: DarajaOptions,
  { headers, body }: Request,
  work: (options: DarajaOptions, body: JsonObject) => Answer,
): Answer {
  const token = judgeToken({ purpose: 'mpesa', now: options.now() }, headers.authorization)
  if (token === 'unknown') return refuse(404, '404.001.03', 'Invalid Access Token')
  if (token === 'expired') return refuse(401, '401.003.01', 'Error Occurred - Invalid Access Token')
  const object = readObject(body)
  if (object === undefined) return refuse(400, '400.002.05', 'Invalid Request Payload')
  return work(options, object)
}

const requestId = (): string => `${randomInt(10_000, 99_999)}-${randomInt(10_000_000, 99_999_999)}-1`

const refuse = (status: number, errorCode: string, errorMessage: string): Answer =>
  json(status, { requestId: requestId(), errorCode, errorMessage })

const badField = (field: string): Answer => refuse(400, '400.002.02', `Bad Request - Invalid ${field}`)

const brokenAnswer = (): Answer => refuse(500, '500.003.1001', 'Internal Server Error')

const isCustomer = (value: string | undefined): value is string => /^254[17]\d{8}$/.test(value ?? '')
const isWebAddress = (value: string | undefined): value is string => /^https?:\/\/\S+$/.test(value ?? '')

/** Whole shillings. */
function amountAt(body: JsonObject): bigint | undefined {
  const written = wordAt(body, 'Amount') ?? ''
  const minor = /^[1-9]\d{0,8}$/.test(written) ? readMinor(written, 'KES') : undefined
  return minor !== undefined && minor <= amountMax ? minor : undefined
}

/** The Password is made from the shortcode, the passkey and exactly that Timestamp. */
function passwordFault(body: JsonObject): Answer | undefined {
  const shortcode = wordAt(body, 'BusinessShortCode')
  const timestamp = wordAt(body, 'Timestamp') ?? ''
  if (!/^\d{5,7}$/.test(shortcode ?? '')) return badField('BusinessShortCode')
  if (!isTimestamp(timestamp)) return badField('Timestamp')
  if (shortcode !== darajaAccount.shortcode) return refuse(500, '500.001.1001', 'Merchant does not exist')
  const wanted = Buffer.from(`${shortcode}${darajaAccount.passkey}${timestamp}`).toString('base64')
  if (!sameText(textAt(body, 'Password') ?? '', wanted))
    return refuse(500, '500.001.1001', '[MerchantValidate] - Wrong credentials')
  return undefined
}

const isTimestamp = (value: string): boolean =>
  /^20\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d[0-5]\d$/.test(value)

function pushPrompt({ orders, now }: DarajaOptions, body: JsonObject): Answer {
  const fault = passwordFault(body)
  if (fault !== undefined) return fault
  const type = textAt(body, 'TransactionType')
  const minor = amountAt(body)
  const number = wordAt(body, 'PhoneNumber')
  const callbackUrl = textAt(body, 'CallBackURL')
  const reference = wordAt(body, 'AccountReference') ?? ''
  const about = textAt(body, 'TransactionDesc') ?? ''
  if (type !== 'CustomerPayBillOnline' && type !== 'CustomerBuyGoodsOnline')
    return badField('TransactionType')
  if (minor === undefined) return badField('Amount')
  if (!isCustomer(wordAt(body, 'PartyA'))) return badField('PartyA')
  if (!isCustomer(number)) return badField('PhoneNumber')
  if (!/^\d{5,7}$/.test(wordAt(body, 'PartyB') ?? '')) return badField('PartyB')
  if (!isWebAddress(callbackUrl)) return badField('CallBackURL')
  if (!/^.{1,12}$/.test(reference)) return badField('AccountReference')
  if (about === '' || about.length > 182) return badField('TransactionDesc')
  if (orders.isBroken({ number, kind: 'collect' })) return brokenAnswer()
  const merchantRequest = requestId()
  const { id } = orders.place({
    provider: 'mpesa',
    id: `ws_CO_${stamp(now())}${randomInt(100_000_000, 999_999_999)}`,
    kind: 'collect',
    currency: 'KES',
    ...{ reference, number, minor, callbackUrl },
    details: { type: 'stk', merchant_request: merchantRequest },
  })
  return json(200, {
    MerchantRequestID: merchantRequest,
    CheckoutRequestID: id,
    ResponseCode: '0',
    ResponseDescription: 'Success. Request accepted for processing',
    CustomerMessage: 'Success. Request accepted for processing',
  })
}

/** `DDMMYYYYHHmmss`, as their ids have it. */
const stamp = (at: number): string => {
  const [year, month, day, ...time] = new Date(at).toISOString().slice(0, 19).split(/[-T:]/)
  return [day, month, year, ...time].join('')
}

function queryPrompt({ orders }: DarajaOptions, body: JsonObject): Answer {
  const fault = passwordFault(body)
  if (fault !== undefined) return fault
  const order = orders.find('mpesa', textAt(body, 'CheckoutRequestID') ?? '')
  if (order?.details.type !== 'stk') return badField('CheckoutRequestID')
  if (order.state === 'waiting') return refuse(500, '500.001.1001', 'The transaction is being processed')
  const { code, text: description } = resultOf(order)
  return json(200, {
    ResponseCode: '0',
    ResponseDescription: 'The service request has been accepted successsfully',
    MerchantRequestID: order.details.merchant_request,
    CheckoutRequestID: order.id,
    ResultCode: String(code),
    ResultDesc: description,
  })
}

interface Addresses {
  result: string
  timeout: string
}

/** Where the result goes; an answer when one of the two is none. */
function addressesOf(body: JsonObject): Addresses | Answer {
  const [result, timeout] = [textAt(body, 'ResultURL'), textAt(body, 'QueueTimeOutURL')]
  if (!isWebAddress(result)) return badField('ResultURL')
  if (!isWebAddress(timeout)) return badField('QueueTimeOutURL')
  return { result, timeout }
}

/** A wrong password is found out only when the request is worked on: by result code 2001. */
const isInitiator = (body: JsonObject, field: string): boolean =>
  textAt(body, field) === darajaAccount.initiator &&
  sameText(decrypted('daraja', textAt(body, 'SecurityCredential')) ?? '', darajaAccount.initiatorPassword)

const accepted = (conversation: string, originator: string): Answer =>
  json(200, {
    ConversationID: conversation,
    OriginatorConversationID: originator,
    ResponseCode: '0',
    ResponseDescription: 'Accept the service request successfully.',
  })

const newConversation = (now: number): string => {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '')
  const tail = Array.from({ length: 20 }, () => randomInt(16).toString(16)).join('')
  return `AG_${day}_${tail}`
}

const commands = ['SalaryPayment', 'BusinessPayment', 'PromotionPayment']

function payOut(options: DarajaOptions, body: JsonObject): Answer {
  const { orders, now } = options
  const minor = amountAt(body)
  const number = wordAt(body, 'PartyB')
  const addresses = addressesOf(body)
  const originator = textAt(body, 'OriginatorConversationID') ?? requestId()
  if (!commands.includes(textAt(body, 'CommandID') ?? '')) return badField('CommandID')
  if (minor === undefined) return badField('Amount')
  if (wordAt(body, 'PartyA') !== darajaAccount.payoutShortcode) return badField('PartyA')
  if (!isCustomer(number)) return badField('PartyB')
  if ('status' in addresses) return addresses
  if (!/^.{1,100}$/.test(textAt(body, 'Remarks') ?? '')) return badField('Remarks')
  if ((textAt(body, 'Occasion') ?? '').length > 100) return badField('Occasion')
  if (!/^\S{1,64}$/.test(originator)) return badField('OriginatorConversationID')
  if (textAt(body, 'SecurityCredential') === undefined) return badField('SecurityCredential')
  if (orders.find('mpesa', originator) !== undefined)
    return refuse(500, '500.002.1001', 'Duplicate OriginatorConversationID.')
  if (orders.isBroken({ number, kind: 'payout' })) return brokenAnswer()
  const conversation = newConversation(now())
  const details = { type: 'b2c', conversation, timeout: addresses.timeout }
  orders.place({
    provider: 'mpesa',
    id: originator,
    kind: 'payout',
    currency: 'KES',
    reference: originator,
    ...{ number, minor, callbackUrl: addresses.result },
    ...(isInitiator(body, 'InitiatorName') ? { details } : refusedWith(details, wrongInitiator)),
  })
  return accepted(conversation, originator)
}

function askStatus(options: DarajaOptions, body: JsonObject): Answer {
  const { orders, callbacks, now, answerMs } = options
  const addresses = addressesOf(body)
  const receipt = textAt(body, 'TransactionID') ?? ''
  const originator = textAt(body, 'OriginatorConversationID') ?? textAt(body, 'OriginalConversationID') ?? ''
  if (textAt(body, 'CommandID') !== 'TransactionStatusQuery') return badField('CommandID')
  if (receipt === '' && originator === '') return badField('TransactionID')
  if (!/^\d{5,7}$/.test(wordAt(body, 'PartyA') ?? '')) return badField('PartyA')
  if (wordAt(body, 'IdentifierType') !== '4') return badField('IdentifierType')
  if ('status' in addresses) return addresses
  const named = receipt === '' ? orders.find('mpesa', originator) : orders.findByReceipt('mpesa', receipt)
  // A shortcode is told of its own orders only.
  const found = named && wordAt(body, 'PartyA') === shortcodeOf(named) ? named : undefined
  const question = { conversation: newConversation(now()), originator: requestId() }
  const known = isInitiator(body, 'Initiator')
  const parcel = statusParcel(addresses.result, { ...question, order: found, known })
  const key = found === undefined ? '' : orders.keyOf(found)
  callbacks.tell(key, { parcel, after: answerMs })
  return accepted(question.conversation, question.originator)
}

const shortcodeOf = ({ details }: Order): string =>
  details.type === 'b2c' ? darajaAccount.payoutShortcode : darajaAccount.shortcode

function reverse({ orders, now }: DarajaOptions, body: JsonObject): Answer {
  const addresses = addressesOf(body)
  const minor = amountAt(body)
  const original = orders.findByReceipt('mpesa', textAt(body, 'TransactionID') ?? '')
  if (textAt(body, 'CommandID') !== 'TransactionReversal') return badField('CommandID')
  if ((textAt(body, 'TransactionID') ?? '') === '') return badField('TransactionID')
  if (minor === undefined) return badField('Amount')
  if (!/^\d{5,7}$/.test(wordAt(body, 'ReceiverParty') ?? '')) return badField('ReceiverParty')
  if (wordAt(body, 'RecieverIdentifierType') !== '11') return badField('RecieverIdentifierType')
  if ('status' in addresses) return addresses
  if (orders.isBroken({ number: original?.number, kind: 'refund' })) return brokenAnswer()
  const conversation = newConversation(now())
  const originator = requestId()
  const details = {
    type: 'reversal',
    conversation,
    timeout: addresses.timeout,
    original_receipt: original?.receipt ?? '',
  }
  const problem = isInitiator(body, 'Initiator') ? reversalProblem(orders, original, minor) : wrongInitiator
  orders.place({
    provider: 'mpesa',
    id: originator,
    kind: 'refund',
    currency: 'KES',
    reference: original?.reference ?? '',
    number: original?.number,
    ...{ minor, callbackUrl: addresses.result },
    original: problem === undefined ? original?.id : undefined,
    ...(problem === undefined ? { details } : refusedWith(details, problem)),
  })
  return accepted(conversation, originator)
}

function askBalance({ callbacks, books, now, answerMs }: DarajaOptions, body: JsonObject): Answer {
  const addresses = addressesOf(body)
  if (textAt(body, 'CommandID') !== 'AccountBalance') return badField('CommandID')
  if (wordAt(body, 'IdentifierType') !== '4') return badField('IdentifierType')
  if ('status' in addresses) return addresses
  const question = { conversation: newConversation(now()), originator: requestId() }
  const balance = books.balance('mpesa', 'KES')
  const parcel = balanceParcel(addresses.result, {
    ...question,
    balance,
    known: isInitiator(body, 'Initiator'),
  })
  callbacks.tell('', { parcel, after: answerMs })
  return accepted(question.conversation, question.originator)
}
