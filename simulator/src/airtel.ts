// Airtel Money's Open API as its callers see it: tokens, the encryption key, collections (signed ones too), enquiries,
// refunds, disbursements with an encrypted PIN. Its envelope says yes or no by codes; the HTTP status says little.
import { createDecipheriv, createHmac, randomInt } from 'node:crypto'
import type { Books } from './books.ts'
import type { Parcel } from './callbacks.ts'
import { type JsonObject, numeralAt, objectAt, readObject, textAt } from './json.ts'
import { airtelPublicKey, decrypted } from './keys.ts'
import type { Knobs } from './knobs.ts'
import { readMinor, toDecimal } from './money.ts'
import type { Order, Orders, Protocol } from './orders.ts'
import type { Reason } from './outcomes.ts'
import { type Answer, json, type Request, type Route, text } from './server.ts'
import { issueToken, judgeToken, sameText } from './tokens.ts'

export const airtelAccount = {
  clientId: 'simulator',
  clientSecret: 'simulator-secret',
  pin: '1234',
  hashKey: 'simulator-hash-key',
} as const

interface Country {
  currency: string
  callingCode: string
}

const countries: Readonly<Record<string, Country>> = {
  UG: { currency: 'UGX', callingCode: '256' },
  KE: { currency: 'KES', callingCode: '254' },
  TZ: { currency: 'TZS', callingCode: '255' },
  RW: { currency: 'RWF', callingCode: '250' },
}

export interface AirtelOptions {
  orders: Orders
  books: Books
  knobs: () => Knobs
  now: () => number
}

const tokenSeconds = 180

interface Call {
  options: AirtelOptions
  request: Request
  country: Country
  code: string
}

export function airtelRoutes(options: AirtelOptions): Route[] {
  const inside = (work: (call: Call) => Answer) => (request: Request) => {
    const call = admit(options, request)
    return 'status' in call ? call : work(call)
  }
  const signed = (work: (call: Call) => Answer) =>
    inside((call) => signatureFault(call.request) ?? work(call))
  const post = (path: string, handle: Route['handle'] & object): Route => ({ method: 'POST', path, handle })
  const get = (path: string, work: (call: Call) => Answer): Route => ({
    method: 'GET',
    path,
    handle: inside(work),
  })
  return [
    post('/airtel/auth/oauth2/token', (request) => giveToken(options, request)),
    get('/airtel/v1/rsa/encryption-keys', giveKey),
    post('/airtel/merchant/v1/payments', inside(collect)),
    post('/airtel/merchant/v2/payments', signed(collect)),
    get('/airtel/standard/v1/payments/:id', (call) => enquire(call, 'collect')),
    post('/airtel/standard/v1/payments/refund', inside(refund)),
    post('/airtel/standard/v2/payments/refund', signed(refund)),
    post('/airtel/standard/v1/disbursements', inside(disburse)),
    post('/airtel/standard/v2/disbursements', signed(disburse)),
    get('/airtel/standard/v1/disbursements/:id', (call) => enquire(call, 'payout')),
    get('/airtel/standard/v2/disbursements/:id', (call) => enquire(call, 'payout')),
    get('/airtel/standard/v1/users/balance', showBalance),
    get('/airtel/standard/v1/users/:msisdn', showUser),
  ]
}

// --- who is calling -------------------------------------------------------------------------------------------------

function giveToken({ knobs, now }: AirtelOptions, { body }: Request): Answer {
  const given = readObject(body)
  if (textAt(given, 'grant_type') !== 'client_credentials')
    return json(400, { error: 'unsupported_grant_type', error_description: 'Unsupported grant type' })
  const known =
    textAt(given, 'client_id') === airtelAccount.clientId &&
    textAt(given, 'client_secret') === airtelAccount.clientSecret
  if (!known)
    return json(401, { error: 'invalid_client', error_description: 'Invalid client authentication' })
  const seconds = knobs().token_seconds || tokenSeconds
  const token = issueToken({ purpose: 'airtel', now: now() }, seconds)
  return json(200, { access_token: token, expires_in: seconds, token_type: 'bearer' })
}

function admit(options: AirtelOptions, request: Request): Call | Answer {
  const { headers } = request
  const token = judgeToken({ purpose: 'airtel', now: options.now() }, headers.authorization)
  if (token !== 'good')
    return json(401, { error: 'invalid_token', error_description: 'The token is not active' })
  const code = headers['x-country'] ?? ''
  const country = Object.hasOwn(countries, code) ? countries[code] : undefined
  if (country === undefined) return refuse(400, { result: 'ESB000034', message: 'Invalid Country Name' })
  if (headers['x-currency'] !== country.currency)
    return refuse(400, { result: 'ESB000035', message: 'Invalid Currency Code' })
  return { options, request, country, code }
}

/** The key and the start of the cipher, sealed for us; with them the body, which must be the one that came. */
function signatureFault({ headers, body }: Request): Answer | undefined {
  const [key = '', start = ''] = (decrypted('airtel', headers['x-key']) ?? '').split(':')
  const forbidden = {
    result: 'ESB000008',
    response: 'DP00800001026',
    message: 'X-signature and payload did not match',
  }
  try {
    const cipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(start, 'base64'))
    const bytes = Buffer.from(headers['x-signature'] ?? '', 'base64')
    const signedBody = Buffer.concat([cipher.update(bytes), cipher.final()]).toString('utf8')
    return sameText(signedBody, body) ? undefined : refuse(403, forbidden)
  } catch {
    return refuse(403, forbidden)
  }
}

// --- the envelope ---------------------------------------------------------------------------------------------------

interface Refusal {
  result: string
  response?: string
  message: string
}

const refuse = (status: number, { result, response, message }: Refusal): Answer =>
  json(status, {
    status: {
      ...(response === undefined ? {} : { response_code: response }),
      code: String(status),
      success: false,
      result_code: result,
      message,
    },
  })

const badField = (field: string): Answer =>
  refuse(400, { result: 'ESB000008', message: `Field validation error: ${field}` })

const allow = (data: unknown, response?: string): Answer =>
  json(200, {
    data,
    status: {
      ...(response === undefined ? {} : { response_code: response }),
      code: '200',
      success: true,
      result_code: 'ESB000010',
      message: 'SUCCESS',
    },
  })

/** Not even theirs: the page of a server that stands before them. */
const brokenAnswer = (): Answer =>
  text(500, '<html><body><h1>500 Internal Server Error</h1></body></html>', 'text/html')

// --- orders ---------------------------------------------------------------------------------------------------------

const nameForm = /^[A-Za-z0-9]{4,64}$/

interface Wanted {
  id: string
  reference: string
  minor: bigint
  number: string
}

/** What a collection and a disbursement have in common. */
function readOrder(
  { country, options }: Call,
  body: JsonObject,
  party: JsonObject | undefined,
): Wanted | Answer {
  const transaction = objectAt(body, 'transaction')
  const id = textAt(transaction, 'id') ?? ''
  const reference = textAt(body, 'reference') ?? ''
  const msisdn = textAt(party, 'msisdn') ?? ''
  const minor = readMinor(numeralAt(transaction, 'amount') ?? '', country.currency)
  if (!nameForm.test(reference)) return badField('reference')
  if (!nameForm.test(id)) return badField('transaction.id')
  if (!/^[1-9]\d{8}$/.test(msisdn))
    return refuse(400, { result: 'ESB000033', message: 'Invalid MSISDN Length' })
  if (minor === undefined)
    return refuse(400, { result: 'ESB000008', response: 'DP00800001004', message: 'Invalid Amount' })
  if (options.orders.find('airtel', id) !== undefined)
    return refuse(400, { result: 'ESB000041', message: 'External Transaction ID already exists' })
  return { id, reference, minor, number: country.callingCode + msisdn }
}

function collect(call: Call): Answer {
  const { orders } = call.options
  const body = readObject(call.request.body)
  if (body === undefined) return badField('body')
  const [subscriber, transaction] = [objectAt(body, 'subscriber'), objectAt(body, 'transaction')]
  for (const place of [subscriber, transaction]) {
    if (textAt(place, 'country') !== call.code)
      return refuse(400, { result: 'ESB000034', message: 'Invalid Country Name' })
    if (textAt(place, 'currency') !== call.country.currency)
      return refuse(400, { result: 'ESB000035', message: 'Invalid Currency Code' })
  }
  const wanted = readOrder(call, body, subscriber)
  if ('status' in wanted) return wanted
  if (orders.isBroken({ number: wanted.number, kind: 'collect' })) return brokenAnswer()
  place(call, wanted, 'collect')
  return allow({ transaction: { id: wanted.id, status: 'SUCCESS' } }, 'DP00800001006')
}

function disburse(call: Call): Answer {
  const { orders } = call.options
  const body = readObject(call.request.body)
  if (body === undefined) return badField('body')
  const payee = objectAt(body, 'payee')
  const pin = decrypted('airtel', textAt(body, 'pin'))
  if (call.request.path.includes('/v2/')) {
    if (!['B2C', 'B2B'].includes(textAt(objectAt(body, 'transaction'), 'type') ?? ''))
      return badField('transaction.type')
    if (textAt(payee, 'currency') !== call.country.currency) return badField('payee.currency')
  }
  const wanted = readOrder(call, body, payee)
  if ('status' in wanted) return wanted
  if (pin === undefined || !sameText(pin, airtelAccount.pin))
    return json(400, { status_code: 'ROUTER115', status_message: 'Pin you have entered is incorrect.' })
  if (orders.isBroken({ number: wanted.number, kind: 'payout' })) return brokenAnswer()
  place(call, wanted, 'payout')
  const transaction = { reference_id: wanted.reference, airtel_money_id: '', id: wanted.id, status: 'TIP' }
  return allow({ transaction }, 'DP00900001006')
}

const place = ({ options, country }: Call, wanted: Wanted, kind: 'collect' | 'payout'): Order =>
  options.orders.place({
    provider: 'airtel',
    ...wanted,
    kind,
    currency: country.currency,
    callbackUrl: undefined,
    details: {},
  })

/** Whole, at once, and by Airtel's own id of the payment. */
function refund({ options, request }: Call): Answer {
  const { orders } = options
  const receipt = textAt(objectAt(readObject(request.body), 'transaction'), 'airtel_money_id') ?? ''
  const original = orders.findByReceipt('airtel', receipt)
  if (original?.kind !== 'collect')
    return refuse(404, { result: 'ESB000045', message: 'Transaction not found' })
  if (orders.refundable(original) < original.minor)
    return refuse(400, { result: 'ESB000011', message: 'Transaction has already been refunded' })
  const placed = orders.place({
    provider: 'airtel',
    id: `refund${receipt.replaceAll(/[^A-Za-z0-9]/g, '')}x${randomInt(1_000_000)}`,
    kind: 'refund',
    reference: original.reference,
    number: original.number,
    minor: original.minor,
    currency: original.currency,
    callbackUrl: undefined,
    original: original.id,
    details: {},
  })
  orders.end(placed, placed.plan.end)
  const ended = orders.find('airtel', placed.id)
  if (ended?.state !== 'paid') return refuse(400, { result: 'ESB000011', message: 'Failed' })
  return allow({ transaction: { airtel_money_id: ended.receipt, status: 'SUCCESS' } })
}

// --- what became of them --------------------------------------------------------------------------------------------

const collectCodes: Record<Reason, string> = {
  payer_limit_reached: 'DP00800001003',
  payer_not_found: 'DP00800001010',
  cancelled_by_customer: 'DP00800001008',
  insufficient_balance: 'DP00800001007',
  wrong_pin: 'DP00800001002',
  provider_error: 'DP00800001009',
  phone_unreachable: 'DP00800001005',
  recipient_not_found: 'DP00800001010',
}

/** Who gets a payout types no PIN and sees no prompt: what they can't do wrong is a plain failure. */
const payoutCodes: Record<Reason, string> = {
  payer_limit_reached: 'DP00900001003',
  payer_not_found: 'DP00900001010',
  cancelled_by_customer: 'DP00900001013',
  insufficient_balance: 'DP00900001007',
  wrong_pin: 'DP00900001005',
  provider_error: 'DP00900001005',
  phone_unreachable: 'DP00900001005',
  recipient_not_found: 'DP00900001012',
}

const messages: Record<Reason, string> = {
  payer_limit_reached: 'The User has exceeded their wallet allowed transaction limit.',
  payer_not_found:
    'Payee is already initiated for churn or barred or not registered on Airtel Money platform.',
  cancelled_by_customer: 'The transaction was refused.',
  insufficient_balance: 'User wallet does not have enough money to cover the payable amount.',
  wrong_pin: 'Incorrect pin has been entered.',
  provider_error: 'This is a generic refusal that has several possible causes.',
  phone_unreachable: "User didn't enter the pin.",
  recipient_not_found: 'Mobile number entered is incorrect.',
}

interface Status {
  status: 'TS' | 'TF' | 'TIP' | 'TA'
  code: string
  message: string
}

function statusOf(order: Order, now: number): Status {
  const codes = order.kind === 'collect' ? collectCodes : payoutCodes
  const start = order.kind === 'collect' ? 'DP0080000' : 'DP0090000'
  if (order.reason !== undefined)
    return { status: 'TF', code: codes[order.reason], message: messages[order.reason] }
  if (order.state === 'paid')
    return { status: 'TS', code: `${start}1001`, message: 'Transaction is successful.' }
  if (now < order.promptEndsAt)
    return {
      status: 'TIP',
      code: `${start}1006`,
      message: 'Transaction in pending state. Please check after sometime.',
    }
  return {
    status: 'TA',
    code: `${start}1000`,
    message: 'The transaction is still processing and is in ambiguous state.',
  }
}

function enquire({ options, request }: Call, kind: 'collect' | 'payout'): Answer {
  const order = options.orders.find('airtel', request.params.id ?? '')
  if (order === undefined || order.kind !== kind) {
    const response = kind === 'collect' ? 'DP00800001025' : 'DP00900001015'
    return refuse(404, { result: 'ESB000045', response, message: 'Transaction Not Found' })
  }
  const { status, code, message } = statusOf(order, options.now())
  const transaction = { airtel_money_id: order.receipt ?? '', id: order.id, message, status }
  return allow({ transaction }, code)
}

export const airtel: Protocol = {
  // `CI260131.1502.C12345`, as their ids look.
  newReceipt: () => {
    const [day, time] = [randomInt(100_000, 999_999), randomInt(1000, 9999)]
    return `CI${day}.${time}.C${randomInt(10_000, 99_999)}`
  },
  told: (order, portal) =>
    order.kind === 'refund' ? [] : parcelsOf(order, { portal, key: airtelAccount.hashKey }),
  forged: (order, portal) => {
    const lie: Order = { ...order, state: 'paid', reason: undefined, receipt: 'CI000000.0000.C00000' }
    return order.kind === 'refund' ? [] : parcelsOf(lie, { portal, key: 'somebody else’s key' })
  },
  reasonText: (order) => {
    const { code, message } = statusOf(order, 0)
    return `${code} ${message}`
  },
}

/** A callback says that it failed, not why. */
function parcelsOf(order: Order, { portal, key }: { portal: readonly string[]; key: string }): Parcel[] {
  const paid = order.state === 'paid'
  const transaction = {
    id: order.id,
    message: paid
      ? `Paid ${order.currency} ${toDecimal(order.minor, order.currency)} TID ${order.receipt}`
      : 'Transaction failed.',
    status_code: paid ? 'TS' : 'TF',
    airtel_money_id: order.receipt ?? '',
  }
  const hash = createHmac('sha256', key).update(JSON.stringify(transaction)).digest('base64')
  const body = JSON.stringify({ transaction, hash })
  return portal.map((url) => ({ url, method: 'POST', headers: {}, body }))
}

// --- the rest -------------------------------------------------------------------------------------------------------

const giveKey = ({ options }: Call): Answer =>
  allow({
    key_id: 'f0d5e1a2-simulator',
    key: airtelPublicKey,
    valid_upto: new Date(options.now() + 86_400_000).toISOString().slice(0, 10),
  })

function showBalance({ options, country: { currency } }: Call): Answer {
  const [whole = '', fraction = '00'] = toDecimal(options.books.balance('airtel', currency), currency).split(
    '.',
  )
  const balance = `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`
  return allow({ balance, currency, account_status: 'Active' })
}

function showUser({ request, country }: Call): Answer {
  const msisdn = request.params.msisdn ?? ''
  if (!/^[1-9]\d{8}$/.test(msisdn))
    return refuse(400, { result: 'ESB000033', message: 'Invalid MSISDN Length' })
  if (/(?:029|089)$/.test(msisdn)) return refuse(404, { result: 'ESB000045', message: 'User not found' })
  return allow({
    first_name: 'Simulated',
    last_name: 'Customer',
    msisdn: country.callingCode + msisdn,
    is_barred: false,
    is_pin_set: true,
    registration: { status: 'SUBS' },
  })
}
