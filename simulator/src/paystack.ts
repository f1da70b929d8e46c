// Paystack as its callers see it: card payments on its own page, charges of mobile money, refunds, transfers. One key is
// the credential of a caller and signs what is told. Amounts are whole subunits.
import { randomBytes, randomInt } from 'node:crypto'
import type { Books } from './books.ts'
import type { Cards } from './cards.ts'
import type { Journal } from './journal.ts'
import { exactly, type JsonObject, objectAt, readObject, textAt, wordAt } from './json.ts'
import { fromSubunits, isCurrency, toSubunits } from './money.ts'
import type { Order, Orders } from './orders.ts'
import { planOf } from './outcomes.ts'
import { chargeData, paystackAccount, refundData, transferData } from './paystack-data.ts'
import { type Answer, json, type Request, type Route } from './server.ts'
import { sameText } from './tokens.ts'

export interface PaystackOptions {
  orders: Orders
  books: Books
  cards: Cards
  journal: Journal
  /** Where the card page is. */
  baseUrl: string
}

const currencies = ['NGN', 'GHS', 'ZAR', 'KES', 'USD']

interface Call {
  options: PaystackOptions
  request: Request
  /** Of a POST. */
  body: JsonObject
}

export function paystackRoutes(options: PaystackOptions): Route[] {
  const route = (method: string, path: string, work: (call: Call) => Answer): Route => ({
    method,
    path: `/paystack${path}`,
    handle: (request) => admit(options, request, work),
  })
  return [
    route('POST', '/transaction/initialize', initialize),
    route('GET', '/transaction/verify/:reference', verifyCharge),
    route('POST', '/charge', charge),
    route('GET', '/charge/:reference', verifyCharge),
    route('POST', '/transferrecipient', makeRecipient),
    route('POST', '/transfer', transfer),
    route('GET', '/transfer/verify/:reference', verifyTransfer),
    route('POST', '/refund', refund),
    route('GET', '/refund', listRefunds),
    route('GET', '/refund/:id', showRefund),
    route('GET', '/balance', showBalance),
  ]
}

function admit(options: PaystackOptions, request: Request, work: (call: Call) => Answer): Answer {
  if (!sameText(request.headers.authorization ?? '', `Bearer ${paystackAccount.secretKey}`))
    return refuse(401, { code: 'invalid_Key', message: 'Invalid key' })
  const body = request.method === 'GET' ? {} : readObject(request.body)
  if (body === undefined) return refuse(400, { code: 'invalid_params', message: 'Invalid JSON was sent' })
  return work({ options, request, body })
}

interface Refusal {
  code: string
  message: string
}

const refuse = (status: number, { code, message }: Refusal): Answer =>
  json(status, {
    status: false,
    message,
    meta: { nextStep: 'Look at the message and at the documentation of this endpoint' },
    type: status >= 500 ? 'api_error' : 'validation_error',
    code,
  })

const invalid = (message: string): Answer => refuse(400, { code: 'invalid_params', message })

const allow = (message: string, data: unknown, status = 200): Answer =>
  json(status, { status: true, message, data })

/** Whole subunits, as a number or as its digits. */
function amountAt(body: JsonObject, currency: string): bigint | undefined {
  const written = wordAt(body, 'amount') ?? ''
  return /^[1-9]\d{0,15}$/.test(written) ? fromSubunits(BigInt(written), currency) : undefined
}

const mailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const referenceForm = /^[A-Za-z0-9.=_-]{1,100}$/
const newReference = (): string => randomBytes(8).toString('hex')

interface Wanted {
  reference: string
  email: string
  currency: string
  minor: bigint
}

/** What a payment on the page and a charge have in common. */
function readPayment({ options, body }: Call): Wanted | Answer {
  const email = textAt(body, 'email') ?? ''
  const currency = textAt(body, 'currency') ?? 'NGN'
  const reference = textAt(body, 'reference') ?? newReference()
  const minor = amountAt(body, currency)
  if (!mailForm.test(email))
    return refuse(400, { code: 'invalid_email_address', message: 'Invalid Email Address Passed' })
  if (!currencies.includes(currency) || !isCurrency(currency))
    return refuse(403, { code: 'unsupported_currency', message: 'Currency not supported by merchant' })
  if (minor === undefined) return refuse(400, { code: 'invalid_amount', message: 'Invalid Amount Sent' })
  if (!referenceForm.test(reference)) return invalid('Reference has characters that are not allowed')
  if (options.orders.find('paystack', reference) !== undefined)
    return refuse(400, { code: 'duplicate_reference', message: 'Duplicate Transaction Reference' })
  return { reference, email, currency, minor }
}

function initialize(call: Call): Answer {
  const { options, body } = call
  const wanted = readPayment(call)
  if ('status' in wanted) return wanted
  const callbackUrl = textAt(body, 'callback_url')
  if (callbackUrl !== undefined && !/^https?:\/\/\S+$/.test(callbackUrl))
    return invalid('callback_url is not valid')
  const accessCode = options.cards.open({ ...wanted, callbackUrl })
  return allow('Authorization URL created', {
    authorization_url: `${options.baseUrl}/paystack/pay/${accessCode}`,
    access_code: accessCode,
    reference: wanted.reference,
  })
}

/** Mobile money by way of Paystack: the phone decides, as with the networks themselves. */
function charge(call: Call): Answer {
  const { options, body } = call
  const wanted = readPayment(call)
  if ('status' in wanted) return wanted
  const mobile = objectAt(body, 'mobile_money')
  if (mobile === undefined) return invalid('Only charges of mobile_money are simulated')
  const number = (textAt(mobile, 'phone') ?? '').replace(/^\+/, '').replace(/^0(?=\d{9}$)/, '254')
  if (!/^[1-9]\d{7,14}$/.test(number)) return invalid('Invalid phone number')
  if (options.orders.isBroken({ number, kind: 'collect' })) return brokenAnswer()
  const { reference, email, currency, minor } = wanted
  const order = options.orders.place({
    provider: 'paystack',
    id: reference,
    kind: 'collect',
    ...{ reference, number, minor, currency },
    callbackUrl: undefined,
    details: { type: 'charge', email, number: newNumber(), channel: 'mobile_money' },
  })
  const display = 'Please complete the authorization process on your mobile phone'
  return allow('Charge attempted', { ...chargeData(order), status: 'pay_offline', display_text: display })
}

const brokenAnswer = (): Answer => refuse(500, { code: 'unknown', message: 'An error occurred' })
const newNumber = (): string => String(randomInt(1_000_000_000, 9_999_999_999))

function verifyCharge({ options, request }: Call): Answer {
  const order = options.orders.find('paystack', request.params.reference ?? '')
  if (order?.kind !== 'collect')
    return refuse(400, { code: 'transaction_not_found', message: 'Transaction reference not found.' })
  return allow('Verification successful', chargeData(order))
}

// --- transfers ------------------------------------------------------------------------------------------------------

interface Recipient {
  code: string
  type: string
  name: string
  /** International, when it is a phone. */
  number: string
  account: string
  bank: string
  currency: string
}

const recipientsOf = ({ journal }: PaystackOptions) => journal.map<Recipient>('paystack recipients')

function makeRecipient({ options, body }: Call): Answer {
  const type = textAt(body, 'type') ?? ''
  const name = textAt(body, 'name') ?? ''
  const account = textAt(body, 'account_number') ?? ''
  const bank = textAt(body, 'bank_code') ?? ''
  const currency = textAt(body, 'currency') ?? 'NGN'
  if (!['nuban', 'ghipss', 'mobile_money', 'basa', 'mobile_money_business'].includes(type))
    return invalid('Invalid type')
  if (name === '') return invalid('Name is required')
  if (!currencies.includes(currency)) return invalid('Currency is not supported')
  if (bank === '') return invalid('Bank code is required')
  const isAccount = type === 'nuban' ? /^\d{10}$/.test(account) : /^\d{6,16}$/.test(account)
  if (!isAccount) return refuse(400, { code: 'invalid_bank_code', message: 'Account number is invalid' })
  const isPhone = type === 'mobile_money'
  const number = isPhone ? account.replace(/^0/, '254') : account
  const recipient = {
    code: `RCP_${randomBytes(8).toString('hex')}`,
    ...{ type, name, number, account, bank, currency },
  }
  recipientsOf(options).set(recipient.code, recipient)
  const data = {
    active: true,
    currency,
    domain: 'test',
    id: exactly(newNumber()),
    name,
    recipient_code: recipient.code,
    type,
    is_deleted: false,
    details: {
      authorization_code: null,
      account_number: account,
      account_name: null,
      bank_code: bank,
      bank_name: bank,
    },
  }
  return allow('Transfer recipient created successfully', data, 201)
}

function transfer({ options, body }: Call): Answer {
  const { orders } = options
  const recipient = recipientsOf(options).get(textAt(body, 'recipient') ?? '')
  const reference = textAt(body, 'reference') ?? newReference()
  if (textAt(body, 'source') !== 'balance') return invalid('Source must be balance')
  if (recipient === undefined)
    return refuse(404, { code: 'not_found', message: 'Recipient specified is invalid' })
  const { currency, number, type } = recipient
  if ((textAt(body, 'currency') ?? currency) !== currency)
    return invalid('Currency is not that of the recipient')
  const minor = amountAt(body, currency)
  if (minor === undefined) return refuse(400, { code: 'invalid_amount', message: 'Amount is not valid' })
  if (!/^[a-z0-9_-]{16,50}$/.test(reference))
    return invalid('Reference must be 16 to 50 of a-z, 0-9, - and _')
  if (orders.find('paystack', reference) !== undefined)
    return refuse(400, {
      code: 'duplicate_transfer_reference',
      message: 'Please provide a unique reference. Reference already exists on a transfer',
    })
  if (orders.isBroken({ number, kind: 'payout' })) return brokenAnswer()
  const isPhone = type === 'mobile_money'
  const plan = planOf({ number, kind: 'payout' })
  const order = orders.place({
    provider: 'paystack',
    id: reference,
    kind: 'payout',
    ...{ reference, number, minor, currency },
    callbackUrl: undefined,
    // A bank account has nobody who could answer a prompt.
    ...(isPhone || plan.when !== 'person' ? {} : { plan: { ...plan, when: 'soon' as const } }),
    details: {
      type: 'transfer',
      number: newNumber(),
      transfer_code: `TRF_${randomBytes(8).toString('hex')}`,
      recipient: recipient.code,
      reason: textAt(body, 'reason') ?? '',
      ...(isPhone ? {} : { account_type: type }),
    },
  })
  return allow('Transfer has been queued', transferData(order))
}

function verifyTransfer({ options, request }: Call): Answer {
  const order = options.orders.find('paystack', request.params.reference ?? '')
  if (order?.details.type !== 'transfer')
    return refuse(404, { code: 'not_found', message: 'Transfer not found' })
  return allow('Transfer retrieved', transferData(order))
}

// --- refunds --------------------------------------------------------------------------------------------------------

/** By its reference, or by Paystack's own number. */
function findPayment({ orders }: PaystackOptions, name: string): Order | undefined {
  const found = orders.find('paystack', name) ?? orders.find('paystack', referenceOfNumber(orders, name))
  return found?.kind === 'collect' ? found : undefined
}

const referenceOfNumber = (orders: Orders, number: string): string =>
  orders.list({ limit: Number.POSITIVE_INFINITY }).find(({ details }) => details.number === number)?.id ?? ''

function refund({ options, body }: Call): Answer {
  const { orders } = options
  const original = findPayment(options, wordAt(body, 'transaction') ?? '')
  if (original === undefined)
    return refuse(404, { code: 'transaction_not_found', message: 'Transaction not found' })
  if (original.state !== 'paid')
    return refuse(400, {
      code: 'transaction_not_successful',
      message: 'Only successful transactions can be refunded',
    })
  const { currency } = original
  const left = orders.refundable(original)
  const minor = body.amount === undefined ? left : amountAt(body, currency)
  if ((textAt(body, 'currency') ?? currency) !== currency)
    return invalid('Currency is not that of the transaction')
  if (left === 0n)
    return refuse(400, { code: 'transaction_reversed', message: 'Transaction has been fully reversed' })
  if (minor === undefined || minor > left)
    return refuse(400, {
      code: 'refund_amount_exceeds',
      message: `Refund amount cannot be more than ${toSubunits(left, currency)}, what is left of the transaction`,
    })
  const number = newNumber()
  const order = orders.place({
    provider: 'paystack',
    id: number,
    kind: 'refund',
    reference: original.reference,
    number: undefined,
    ...{ minor, currency },
    callbackUrl: undefined,
    original: original.id,
    details: {
      type: 'refund',
      number,
      transaction_number: original.details.number ?? '',
      merchant_note: textAt(body, 'merchant_note') ?? '',
      customer_note: textAt(body, 'customer_note') ?? '',
    },
  })
  return allow('Refund has been queued for processing', refundData(order))
}

function showRefund({ options, request }: Call): Answer {
  const order = options.orders.find('paystack', request.params.id ?? '')
  if (order?.kind !== 'refund') return refuse(404, { code: 'not_found', message: 'Refund not found' })
  return allow('Refund retrieved', refundData(order))
}

const pageMax = 100

function listRefunds({ options, request }: Call): Answer {
  const name = request.query.get('transaction')
  const payment = name === null ? undefined : findPayment(options, name)
  if (name !== null && payment === undefined)
    return refuse(404, { code: 'transaction_not_found', message: 'Transaction not found' })
  const found = options.orders
    .list({ limit: Number.POSITIVE_INFINITY })
    .filter(({ kind, provider }) => kind === 'refund' && provider === 'paystack')
    .filter(({ original }) => payment === undefined || original === payment.id)
  return allow('Refunds retrieved', found.slice(0, pageMax).map(refundData))
}

const showBalance = ({ options }: Call): Answer =>
  allow(
    'Balances retrieved',
    currencies.map((currency) => ({
      currency,
      balance: exactly(toSubunits(options.books.balance('paystack', currency), currency)),
    })),
  )
