// Airtel Money, by the Open API of Airtel Africa. What is particular: ids have no hyphens, phone numbers no country
// code, amounts are whole; payouts carry an encrypted PIN; callbacks go to one address that is set in the portal, and
// are a reason to enquire, also when they are signed.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { check } from '../../base/check.ts'
import { currencies, toJson } from '../../base/money.ts'
import type { Secret } from '../../base/secret.ts'
import {
  type Adapter,
  type Callback,
  type Delivery,
  type Exchange,
  type Heard,
  NoAnswer,
  type Ordered,
  type Token,
  type WireAnswer,
  type WireOperation,
  type WireRequest,
} from '../contract.ts'
import { at, isObject, quoted, readJson, textAt } from '../json.ts'
import { textOf } from '../settings.ts'
import { readEnquiry, readStarted } from './answers.ts'
import { isFailure, meaningOf } from './codes.ts'
import { type AirtelSettings, type Country, countries, type Market } from './markets.ts'
import { readKey, sealPin, signMessage } from './sealing.ts'

export type { AirtelSettings } from './markets.ts'
export { settingsFrom, simulatorSettings } from './markets.ts'

const kinds = ['collect', 'payout', 'refund'] as const

export const airtel: Adapter<AirtelSettings> = {
  id: 'airtel',
  name: 'Airtel Money',
  kind: 'mobile_money',
  serves: [
    { currency: 'UGX', country: 'UG', kinds },
    { currency: 'KES', country: 'KE', kinds },
    { currency: 'TZS', country: 'TZ', kinds },
    { currency: 'RWF', country: 'RW', kinds },
  ],
  phonePrefixes: [
    ...['70', '74', '75'].map((start) => `+256${start}`),
    ...['10', '73', '750', '751', '752', '753', '754', '755', '756', '762', '78'].map(
      (start) => `+254${start}`,
    ),
    ...['68', '69', '78'].map((start) => `+255${start}`),
    ...['72', '73'].map((start) => `+250${start}`),
  ],
  // A refund has no id of ours: nobody could tell whether a second one is the first again.
  idempotent: { collect: true, payout: true, refund: false },
  askAfter: [3, 10, 30, 60, 300, 900, 1_800, 3_600],
  settlesWithinSeconds: 120,
  refundsWholeOnly: true,
  problems,
  token,
  tokenRefused: ({ status }) => status === 401,
  start,
  ask,
  readCallback,
  callbackAnswer: { status: 200, body: '{}' },
  secretFields: ['authorization', 'client_secret', 'access_token', 'pin', 'x-key', 'x-signature', 'hash'],
}

function problems({ kind, amount, phone }: Ordered): Record<string, string> {
  const country = countries[amount.currency]
  if (country === undefined) return { currency: `Airtel Money has no ${amount.currency}` }
  const found: Record<string, string> = {}
  // It tells no amount in its answers: one that it rounded would not be noticed.
  const whole = 10n ** BigInt(currencies[amount.currency].digits)
  if (amount.minor % whole !== 0n) found.amount = 'Amount must be whole for Airtel Money'
  const isSubscriber = phone?.startsWith(country.callingCode) && /^\+\d{12}$/.test(phone)
  if (kind !== 'refund' && !isSubscriber)
    found.phone = `Phone must be a number of ${country.code}, like ${country.callingCode}7…, for Airtel Money in ${amount.currency}`
  return found
}

// --- tokens and keys ------------------------------------------------------------------------------------------------

function* token(settings: AirtelSettings, product: string): Exchange<Token> {
  const market = Object.entries(settings.markets).find(([currency]) => currency === product)?.[1]
  check(market, 'a token is asked for a market that is set up')
  const answer = yield {
    method: 'POST',
    path: '/auth/oauth2/token',
    headers: { 'content-type': 'application/json', accept: '*/*' },
    body: JSON.stringify({
      client_id: market.clientId,
      client_secret: textOf(market.clientSecret),
      grant_type: 'client_credentials',
    }),
  }
  const body = readJson(answer.body)
  const value = textAt(body, 'access_token')
  const seconds = textAt(body, 'expires_in') ?? ''
  if (answer.status === 200 && value !== undefined && /^\d{1,6}$/.test(seconds))
    return { value, seconds: Number(seconds) }
  throw new NoAnswer(`Airtel gave no token: ${answer.status} ${quoted(textAt(body, 'error_description'))}`, {
    notSent: true,
  })
}

/** Comes before the order: whatever goes wrong here, the order has not been sent. */
function* publicKey(place: Place): Exchange<KeyObject> {
  let answer: WireAnswer
  try {
    answer = yield request(place, { method: 'GET', path: '/v1/rsa/encryption-keys' })
  } catch (error) {
    if (error instanceof NoAnswer) throw new NoAnswer(error.message, { notSent: true })
    throw error
  }
  const key = readKey(textAt(readJson(answer.body), 'data', 'key') ?? '')
  if (answer.status === 200 && key !== undefined) return key
  throw new NoAnswer(`Airtel gave no encryption key: ${answer.status}`, { notSent: true })
}

// --- orders and enquiries -------------------------------------------------------------------------------------------

interface Place {
  country: Country
  market: Market
  currency: string
}

function placeOf({ amount }: WireOperation, { markets }: AirtelSettings): Place {
  const country = countries[amount.currency]
  const market = markets[amount.currency]
  check(country && market, 'an order is for a market that is set up')
  return { country, market, currency: amount.currency }
}

/** Airtel takes letters and digits only. */
const airtelId = (id: string): string => id.replaceAll('-', '')

function* start(operation: WireOperation, settings: AirtelSettings): Exchange {
  const place = placeOf(operation, settings)
  const { kind } = operation
  if (kind === 'refund' && operation.original?.receipt === undefined)
    return {
      state: 'failed',
      code: 'provider_error',
      detail: "what it gives back has no receipt of Airtel's",
    }
  const key = kind === 'payout' || settings.signing ? yield* publicKey(place) : undefined
  const path = paths(settings.signing)[kind]
  const body = JSON.stringify(bodies[kind](operation, { ...place, settings, key }))
  const signed = settings.signing && key ? signMessage(body, key) : {}
  const answer = yield request(place, { method: 'POST', path, headers: signed, body })
  return readStarted(answer, { kind, id: airtelId(operation.id) })
}

const paths = (signing: boolean) => ({
  collect: signing ? '/merchant/v2/payments/' : '/merchant/v1/payments/',
  payout: signing ? '/standard/v2/disbursements/' : '/standard/v1/disbursements/',
  refund: signing ? '/standard/v2/payments/refund' : '/standard/v1/payments/refund',
})

type Surroundings = Place & { settings: AirtelSettings; key: KeyObject | undefined }

function collectBody(operation: WireOperation, { country, currency }: Surroundings) {
  const where = { country: country.code, currency }
  return {
    reference: referenceOf(operation),
    subscriber: { ...where, msisdn: msisdnOf(operation, country) },
    transaction: { amount: toJson(operation.amount), ...where, id: airtelId(operation.id) },
  }
}

function payoutBody(operation: WireOperation, { country, market, currency, settings, key }: Surroundings) {
  check(key, 'a payout has the key for its PIN')
  const { signing } = settings
  return {
    payee: {
      msisdn: msisdnOf(operation, country),
      ...(signing ? { currency, name: referenceOf(operation) } : {}),
    },
    reference: referenceOf(operation),
    pin: sealPin(market.pin.reveal(), key),
    transaction: {
      amount: toJson(operation.amount),
      id: airtelId(operation.id),
      ...(signing ? { type: 'B2C' } : {}),
    },
  }
}

const refundBody = ({ original }: WireOperation) => ({ transaction: { airtel_money_id: original?.receipt } })

const bodies = { collect: collectBody, payout: payoutBody, refund: refundBody }

const msisdnOf = ({ phone }: WireOperation, { callingCode }: Country): string => {
  const number = phone ?? ''
  check(number.startsWith(callingCode), 'the number was checked before')
  return number.slice(callingCode.length)
}

/** 4 to 64 letters and digits. */
const referenceOf = ({ reference, id }: WireOperation): string => {
  const text = reference.replace(/[^A-Za-z0-9]/g, '').slice(0, 64)
  return text.length < 4 ? airtelId(id) : text
}

function* ask(operation: WireOperation, settings: AirtelSettings): Exchange {
  const { kind } = operation
  if (kind === 'refund')
    return { state: 'unknown', detail: 'Airtel answers no questions about refunds: look into its portal' }
  const id = airtelId(operation.id)
  const path = {
    collect: `/standard/v1/payments/${id}`,
    payout: settings.signing
      ? `/standard/v2/disbursements/${id}?transactionType=B2C`
      : `/standard/v1/disbursements/${id}`,
  }[kind]
  const answer = yield request(placeOf(operation, settings), { method: 'GET', path })
  return readEnquiry(answer, { kind, id })
}

const request = ({ country, currency }: Place, order: WireRequest): WireRequest => ({
  ...order,
  headers: {
    'content-type': 'application/json',
    accept: '*/*',
    'x-country': country.code,
    'x-currency': currency,
    ...order.headers,
  },
  token: currency,
})

// --- callbacks ------------------------------------------------------------------------------------------------------

/**
 * A hash that does not fit is refused. One that fits makes a hint, and no more: which text it is made of is not written
 * down anywhere, and neither amount nor reason is told. The enquiry that follows has the last word.
 */
function readCallback(delivery: Delivery, settings: AirtelSettings): Callback {
  const body = readJson(delivery.body)
  const keys = Object.values(settings.markets).flatMap(({ callbackKey }) => callbackKey ?? [])
  if (keys.length > 0 && !keys.some((key) => hashFits(delivery.body, textAt(body, 'hash'), key)))
    return { ok: false, reason: 'the hash is missing or wrong' }
  const transaction = at(body, 'transaction')
  const operationId = uuidOf(textAt(transaction, 'id'))
  if (!isObject(transaction) || operationId === undefined)
    return { ok: true, signed: false, heard: { state: 'unknown', detail: 'a callback of another form' } }
  const heard = heardIn({
    status: textAt(transaction, 'status_code'),
    code: textAt(transaction, 'code'),
    receipt: textAt(transaction, 'airtel_money_id'),
    message: quoted(textAt(transaction, 'message')),
  })
  return { ok: true, signed: false, operationId, heard }
}

function heardIn(told: {
  status: string | undefined
  code: string | undefined
  receipt: string | undefined
  message: string
}): Heard {
  const meaning = meaningOf({ codes: [told.code], message: told.message, kind: 'collect' })
  switch (told.status) {
    case 'TS':
      return { state: 'completed', receipt: told.receipt }
    case 'TF':
      return { state: 'failed', code: isFailure(meaning) ? meaning : 'provider_error', detail: told.message }
    case 'TE':
      return { state: 'failed', code: 'expired', detail: told.message }
    case 'TIP':
    case 'DP':
      return { state: 'pending' }
    default:
      return { state: 'unknown', detail: quoted(`${told.status} ${told.message}`) }
  }
}

/** Public material does not show what exactly is hashed; both readings cover all that we use of the callback. */
function hashFits(body: string, hash: string | undefined, key: Secret): boolean {
  if (hash === undefined) return false
  const given = Buffer.from(hash, 'base64')
  const { transaction } = JSON.parse(body)
  return [JSON.stringify(transaction), JSON.stringify({ transaction })].some((text) => {
    const right = createHmac('sha256', key.reveal())
      .update(text ?? '')
      .digest()
    return given.length === right.length && timingSafeEqual(given, right)
  })
}

/** Back to the form with hyphens; undefined when it is no id of ours. */
function uuidOf(id: string | undefined): string | undefined {
  const found = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(id ?? '')
  return found === null ? undefined : found.slice(1).join('-')
}
