// What Daraja is sent. Names of fields, misspelled ones too, are Safaricom's.
import { constants, publicEncrypt } from 'node:crypto'
import { check } from '../../base/check.ts'
import { toJson } from '../../base/money.ts'
import type { Secret } from '../../base/secret.ts'
import type { ProviderSettings, WireOperation, WireRequest } from '../contract.ts'
import { textOf } from '../settings.ts'

export interface MpesaSettings extends ProviderSettings {
  consumerKey: string
  consumerSecret: Secret
  /** The paybill that people pay to. */
  shortcode: string
  passkey: Secret
  /** Where payouts come from. */
  payoutShortcode: string
  initiator: string
  initiatorPassword: Secret
  /** Safaricom's, in PEM: the initiator's password travels encrypted for it. */
  certificate: string
}

export const phoneForm = /^\+254[17]\d{8}$/

export const push = (operation: WireOperation, settings: MpesaSettings): WireRequest => {
  const phone = numberOf(operation.phone)
  return post('/mpesa/stkpush/v1/processrequest', {
    ...sealed(operation, settings),
    TransactionType: 'CustomerPayBillOnline',
    Amount: shillings(operation),
    PartyA: phone,
    PartyB: settings.shortcode,
    PhoneNumber: phone,
    CallBackURL: operation.callbackUrl,
    // Longer ones make the push fail.
    AccountReference: operation.reference.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 12),
    TransactionDesc: plain(operation.about, 13) || 'Payment',
  })
}

export const pushQuery = (operation: WireOperation, settings: MpesaSettings, name: string): WireRequest =>
  post('/mpesa/stkpushquery/v1/query', { ...sealed(operation, settings), CheckoutRequestID: name })

export const payout = (operation: WireOperation, settings: MpesaSettings, phone: string): WireRequest =>
  post('/mpesa/b2c/v3/paymentrequest', {
    OriginatorConversationID: operation.id,
    InitiatorName: settings.initiator,
    SecurityCredential: credential(settings),
    CommandID: 'BusinessPayment',
    Amount: shillings(operation),
    PartyA: settings.payoutShortcode,
    PartyB: numberOf(phone),
    ...words(operation),
    QueueTimeOutURL: operation.callbackUrl,
    ResultURL: operation.callbackUrl,
  })

export const reversal = (operation: WireOperation, settings: MpesaSettings, receipt: string): WireRequest =>
  post('/mpesa/reversal/v1/request', {
    Initiator: settings.initiator,
    SecurityCredential: credential(settings),
    CommandID: 'TransactionReversal',
    TransactionID: receipt,
    Amount: shillings(operation),
    ReceiverParty: settings.shortcode,
    RecieverIdentifierType: '11',
    ...words(operation),
    QueueTimeOutURL: operation.callbackUrl,
    ResultURL: operation.callbackUrl,
  })

/**
 * Asked by the name that the order has in the conversation, since the receipt is what is not known yet. A payout that was
 * never answered has ours; a reversal has none but Safaricom's.
 */
export const transactionStatus = (
  operation: WireOperation,
  settings: MpesaSettings,
  answerUrl: string,
): WireRequest =>
  post('/mpesa/transactionstatus/v1/query', {
    Initiator: settings.initiator,
    SecurityCredential: credential(settings),
    CommandID: 'TransactionStatusQuery',
    ...(operation.receipt === undefined ? {} : { TransactionID: operation.receipt }),
    OriginalConversationID: operation.providerReference ?? operation.id,
    PartyA: isReversal(operation) ? settings.shortcode : settings.payoutShortcode,
    IdentifierType: '4',
    ...words(operation),
    QueueTimeOutURL: answerUrl,
    ResultURL: answerUrl,
  })

export const isReversal = ({ kind, original }: WireOperation): boolean =>
  kind === 'refund' && original?.receipt !== undefined

const post = (path: string, body: Record<string, unknown>): WireRequest => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
  token: 'api',
})

/** Who asks, and when: the password is good together with this time only. */
function sealed({ at }: WireOperation, { shortcode, passkey }: MpesaSettings) {
  const timestamp = nairobiTime(at)
  return {
    BusinessShortCode: shortcode,
    Password: Buffer.from(`${shortcode}${textOf(passkey)}${timestamp}`).toString('base64'),
    Timestamp: timestamp,
  }
}

const eastAfricaMs = 3 * 3_600_000

/** `20261231235959`: Kenya has had no other offset since 1960. */
export const nairobiTime = (at: Date): string =>
  new Date(at.getTime() + eastAfricaMs).toISOString().replaceAll(/\D/g, '').slice(0, 14)

/** Encrypted anew each time: the padding is random. */
const credential = ({ certificate, initiatorPassword }: MpesaSettings): string =>
  publicEncrypt(
    { key: certificate, padding: constants.RSA_PKCS1_PADDING },
    initiatorPassword.reveal(),
  ).toString('base64')

function shillings({ amount }: WireOperation) {
  check(amount.currency === 'KES' && amount.minor % 100n === 0n, 'M-Pesa moves whole Kenyan shillings')
  return toJson(amount)
}

const numberOf = (phone: string | undefined): string => {
  check(phone !== undefined && phoneForm.test(phone), 'M-Pesa is given a Kenyan number')
  return phone.slice(1)
}

const words = ({ about, reference }: WireOperation) => ({
  Remarks: plain(about, 100) || reference,
  Occasion: reference.slice(0, 100),
})

/** Letters and digits only: what else is in it may make the push fail. */
const plain = (text: string, most: number): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9 ]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, most)
    .trim()
