// M-Pesa in Kenya, by Safaricom's Daraja: a prompt on the phone (STK push) collects, B2C pays out, a reversal gives back.
// What must stay true: only the answer to a question of ours says what came of an order. Callbacks are not signed; the
// answer to a question about a payout or a reversal comes later, to an address of its own. A push has no id of ours:
// sent twice it asks the person twice, so it never is.
import type { Config } from '../../config.ts'
import {
  type Adapter,
  type Exchange,
  NoAnswer,
  type Token,
  type WireAnswer,
  type WireOperation,
} from '../contract.ts'
import { readJson, textAt } from '../json.ts'
import { allOrNone, secretOf, textOf } from '../settings.ts'
import { readAsked, readAskedPush, readCallback, readStarted } from './answers.ts'
import type { MpesaSettings } from './requests.ts'
import * as requests from './requests.ts'

export type { MpesaSettings }

/** Safaricom's upper bound for one movement; payouts have a lower one too. In shillings. */
const most = 250_000n
const leastPayout = 10n

export const mpesa: Adapter<MpesaSettings> = {
  id: 'mpesa',
  name: 'M-Pesa',
  kind: 'mobile_money',
  serves: [{ currency: 'KES', country: 'KE', kinds: ['collect', 'payout', 'refund'] }],
  // Safaricom's own ranges. Numbers can be taken to another network, so this is a guess and no rule.
  phonePrefixes: [
    ...['70', '71', '72', '740', '741', '742', '743', '745', '746', '748', '757', '758', '759', '768', '769'],
    ...['79', '110', '111', '112', '113', '114', '115'],
  ].map((range) => `+254${range}`),
  idempotent: { collect: false, payout: true, refund: false },
  // The prompt stays open for a minute.
  askAfter: [30, 60, 90, 150, 300, 600, 1_800, 3_600],
  settlesWithinSeconds: 600,
  problems,
  token,
  tokenRefused,
  start,
  ask,
  readCallback: (delivery) => ({ ok: true, signed: false, heard: readCallback(delivery) }),
  callbackAnswer: { status: 200, body: '{"ResultCode":0,"ResultDesc":"Accepted"}' },
  secretFields: ['authorization', 'password', 'securitycredential', 'access_token'],
}

export function settingsFrom(config: Config): MpesaSettings | undefined {
  const given = allOrNone('M-Pesa', {
    MPESA_CONSUMER_KEY: config.MPESA_CONSUMER_KEY,
    MPESA_CONSUMER_SECRET: config.MPESA_CONSUMER_SECRET,
    MPESA_SHORTCODE: config.MPESA_SHORTCODE,
    MPESA_PASSKEY: config.MPESA_PASSKEY,
    MPESA_B2C_SHORTCODE: config.MPESA_B2C_SHORTCODE,
    MPESA_INITIATOR: config.MPESA_INITIATOR,
    MPESA_INITIATOR_PASSWORD: config.MPESA_INITIATOR_PASSWORD,
    MPESA_CERTIFICATE_FILE: config.MPESA_CERTIFICATE_FILE,
  })
  if (given === undefined) return undefined
  return {
    baseUrl: config.MPESA_BASE_URL ?? 'https://api.safaricom.co.ke',
    consumerKey: given.MPESA_CONSUMER_KEY,
    consumerSecret: secretOf(given.MPESA_CONSUMER_SECRET),
    shortcode: given.MPESA_SHORTCODE,
    passkey: secretOf(given.MPESA_PASSKEY),
    payoutShortcode: given.MPESA_B2C_SHORTCODE,
    initiator: given.MPESA_INITIATOR,
    initiatorPassword: secretOf(given.MPESA_INITIATOR_PASSWORD),
    certificate: given.MPESA_CERTIFICATE_FILE,
  }
}

/** What the simulator at that address accepts. */
export const simulatorSettings = (simulatorUrl: string): MpesaSettings => ({
  baseUrl: `${simulatorUrl}/daraja`,
  consumerKey: 'simulator-key',
  consumerSecret: secretOf('simulator-secret'),
  shortcode: '174379',
  passkey: secretOf('simulator-passkey'),
  payoutShortcode: '600000',
  initiator: 'simulator',
  initiatorPassword: secretOf('simulator-password'),
  certificate: simulatorKey,
})

function problems({ kind, amount, phone }: Pick<WireOperation, 'kind' | 'amount' | 'phone'>) {
  const found: Record<string, string> = {}
  if (amount.currency !== 'KES') found.currency = 'M-Pesa takes KES only'
  else if (amount.minor % 100n !== 0n) found.amount = 'Amount must be in whole shillings for M-Pesa'
  else if (amount.minor > most * 100n) found.amount = `Amount must be at most ${most} for M-Pesa`
  else if (kind === 'payout' && amount.minor < leastPayout * 100n)
    found.amount = `Amount must be at least ${leastPayout} for a payout by M-Pesa`
  if (kind !== 'refund' && (phone === undefined || !requests.phoneForm.test(phone)))
    found.phone = 'Phone must be a Kenyan mobile number, like +254712345678'
  return found
}

function* token(settings: MpesaSettings): Exchange<Token> {
  const basic = Buffer.from(`${settings.consumerKey}:${textOf(settings.consumerSecret)}`).toString('base64')
  const answer = yield {
    method: 'GET',
    path: '/oauth/v1/generate?grant_type=client_credentials',
    headers: { Authorization: `Basic ${basic}` },
  }
  const body = readJson(answer.body)
  const value = textAt(body, 'access_token')
  const seconds = textAt(body, 'expires_in')
  if (answer.status === 200 && value !== undefined && /^\d{1,6}$/.test(seconds ?? ''))
    return { value, seconds: Number(seconds) }
  const code = textAt(body, 'errorCode') ?? 'no error code'
  throw new NoAnswer(`M-Pesa gave no token: HTTP ${answer.status}, ${code.slice(0, 40)}`, { notSent: true })
}

function tokenRefused({ status, body }: WireAnswer): boolean {
  if (status === 401) return true
  return status === 404 && textAt(readJson(body), 'errorCode') === '404.001.03'
}

function* start(operation: WireOperation, settings: MpesaSettings): Exchange {
  switch (operation.kind) {
    case 'collect':
      return readStarted(yield requests.push(operation, settings), {
        kind: 'collect',
        reference: 'CheckoutRequestID',
      })
    case 'payout':
      return yield* pay(operation, settings)
    case 'refund': {
      const receipt = operation.original?.receipt
      // A push whose callback got lost has no receipt that we know, and a reversal needs it: then it is paid back.
      if (receipt === undefined) return yield* pay(operation, settings)
      return readStarted(yield requests.reversal(operation, settings, receipt), {
        kind: 'refund',
        reference: 'OriginatorConversationID',
      })
    }
    default:
      return operation.kind satisfies never
  }
}

function* pay(operation: WireOperation, settings: MpesaSettings): Exchange {
  const phone = operation.phone
  if (phone === undefined || !requests.phoneForm.test(phone))
    return { state: 'failed', code: 'recipient_not_found', detail: 'There is no M-Pesa number to pay to' }
  return readStarted(yield requests.payout(operation, settings, phone), {
    kind: 'payout',
    reference: 'OriginatorConversationID',
  })
}

/** A payout is known by our own name. A push and a reversal are not: that M-Pesa does not know ours says nothing. */
function* ask(operation: WireOperation, settings: MpesaSettings, answerUrl: string): Exchange {
  const { kind, providerReference: name } = operation
  const isOurs = kind !== 'collect' && !requests.isReversal(operation)
  if (name === undefined && !isOurs)
    return { state: 'unknown', detail: 'M-Pesa never named it, so there is nothing to ask for' }
  if (kind === 'collect' && name !== undefined)
    return readAskedPush(yield requests.pushQuery(operation, settings, name), name)
  return readAsked(yield requests.transactionStatus(operation, settings, answerUrl))
}

/** Public: of the key pair that the simulator has. */
const simulatorKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvrGpcn9TVvVDCWODaXwh
xd2RBVBq1RN3Clyc0HDMgJpiv4RhYPcIrVXAHWpme/MZbOwCRwtZ3IL6LK4BUl6B
QnO3IRF+mJ7QuJ+wts/fIMeaN5P97mxV3LJTNIKD//KvkN5mKwQ5MlL7SIKg5uot
cnq6qXA+CdHi1x2B0uu8mq3nf51kNkaS/KWKFmkRS/Wc5EVr3eBLqmWYW/r1iFYl
leRCCg8WHl6w50koayfn/4Z0Jf8qGTrZXZXYy63d/7LobVlux9uoWtzlmdJLE/yU
IUmb05BvUwQjOfgr0cKNpd4Sdx0x+H9/MccFaMhcykbNook78CBk/oj5gvvupBOd
1QIDAQAB
-----END PUBLIC KEY-----`
