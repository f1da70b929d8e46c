// Paystack: cards on its own page, where the customer goes and comes back from; refunds; payouts by transfer. What is
// particular: the secret key is the only credential and signs the webhooks too; our ids are its references; webhooks go
// to one address that is set in the dashboard.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { check } from '../../base/check.ts'
import { minorToJson } from '../../base/money.ts'
import {
  type Adapter,
  type Callback,
  type Delivery,
  type Exchange,
  NoAnswer,
  type Ordered,
  type WireAnswer,
  type WireOperation,
  type WireRequest,
} from '../contract.ts'
import { isObject, type Json, at as placeOf, readJson, textAt } from '../json.ts'
import { textOf } from '../settings.ts'
import {
  dataOf,
  readCharge,
  readInitialized,
  readNotTold,
  readOrder,
  readRefund,
  readRefusal,
  readTransfer,
} from './answers.ts'
import { cardCurrencies, type PaystackSettings } from './settings.ts'

export type { PaystackSettings } from './settings.ts'
export { settingsFrom, simulatorSettings } from './settings.ts'

export const paystack: Adapter<PaystackSettings> = {
  id: 'paystack',
  name: 'Card',
  kind: 'card',
  serves: [
    ...cardCurrencies.map((currency) => ({ currency, kinds: ['collect', 'refund'] as const })),
    { currency: 'NGN', kinds: ['payout'], way: { name: 'Bank account', kind: 'bank' } },
    { currency: 'KES', kinds: ['payout'], way: { name: 'M-Pesa, by Paystack', kind: 'mobile_money' } },
  ],
  phonePrefixes: [],
  // A refund has no reference of ours that Paystack would compare.
  idempotent: { collect: true, payout: true, refund: false },
  askAfter: [15, 30, 60, 120, 300, 900, 1_800, 3_600],
  settlesWithinSeconds: 60,
  problems,
  // biome-ignore lint/correctness/useYield: the secret key is the token, and there is nobody to ask for it
  *token(settings) {
    return { value: textOf(settings.secretKey), seconds: 3600 }
  },
  tokenRefused: () => false,
  start,
  ask,
  readCallback,
  callbackAnswer: { status: 200, body: '{}' },
  secretFields: ['authorization', 'x-paystack-signature', 'authorization_code', 'signature'],
}

function problems({ kind, amount: { currency }, phone, account }: Ordered): Record<string, string> {
  if (!paystack.serves.some((row) => row.currency === currency && row.kinds.includes(kind)))
    return { currency: `Paystack has no ${kind} in ${currency}` }
  if (kind !== 'payout') return {}
  if (currency === 'KES' && !/^\+254\d{9}$/.test(phone ?? ''))
    return { phone: 'Phone must be a number of M-Pesa in Kenya, like +2547…' }
  if (currency === 'NGN' && bankAccountOf(account) === undefined)
    return { account: 'Account must be the code of the bank and the account number, like 058-0123456789' }
  return {}
}

/** `058-0123456789` → both parts; undefined when it is none. */
function bankAccountOf(account: string | undefined): { bank: string; number: string } | undefined {
  const [, bank, number] = /^(\d{3,6})[ /-](\d{10})$/.exec(account ?? '') ?? []
  return bank === undefined || number === undefined ? undefined : { bank, number }
}

// --- orders ---------------------------------------------------------------------------------------------------------

function start(operation: WireOperation, settings: PaystackSettings): Exchange {
  switch (operation.kind) {
    case 'collect':
      return collect(operation, settings)
    case 'payout':
      return payout(operation, settings)
    case 'refund':
      return refund(operation, settings)
  }
}

function* collect(operation: WireOperation, settings: PaystackSettings): Exchange {
  const { id, amount, email, returnUrl, reference } = operation
  const answer = yield post(settings, '/transaction/initialize', {
    email: email ?? settings.emailOfNobody,
    amount: minorToJson(amount),
    currency: amount.currency,
    reference: id,
    callback_url: returnUrl,
    channels: ['card'],
    metadata: { reference },
  })
  return readInitialized(answer, id)
}

function* payout(operation: WireOperation, settings: PaystackSettings): Exchange {
  const recipient = yield* makeRecipient(operation, settings)
  if (typeof recipient !== 'string') return recipient.refused
  const { id, amount, about, at } = operation
  const answer = yield post(settings, '/transfer', {
    source: 'balance',
    amount: minorToJson(amount),
    currency: amount.currency,
    recipient,
    reference: id,
    reason: about,
  })
  return readOrder(answer, { kind: 'payout', id, at })
}

/** Comes before the transfer: whatever goes wrong here, no money was ordered. */
function* makeRecipient(
  operation: WireOperation,
  settings: PaystackSettings,
): Exchange<string | { refused: ReturnType<typeof readRefusal> }> {
  let answer: WireAnswer
  try {
    answer = yield post(settings, '/transferrecipient', recipientOf(operation))
  } catch (error) {
    if (error instanceof NoAnswer) throw new NoAnswer(error.message, { notSent: true })
    throw error
  }
  const code = textAt(dataOf(answer), 'recipient_code')
  if (code !== undefined) return code
  const refused = readRefusal(answer, 'payout')
  if (refused.state === 'failed') return { refused }
  throw new NoAnswer(`Paystack made no recipient: ${answer.status}`, { notSent: true })
}

function recipientOf({ amount: { currency }, phone, account, reference }: WireOperation) {
  const common = { name: reference, currency }
  if (currency === 'KES')
    return {
      type: 'mobile_money',
      ...common,
      account_number: `0${(phone ?? '').slice(4)}`,
      bank_code: 'MPESA',
    }
  const bank = bankAccountOf(account)
  check(bank, 'the account was checked before')
  return { type: 'nuban', ...common, account_number: bank.number, bank_code: bank.bank }
}

function* refund(operation: WireOperation, settings: PaystackSettings): Exchange {
  const { original, amount, about } = operation
  check(original, 'a refund has what it gives back')
  const answer = yield post(settings, '/refund', {
    transaction: original.id,
    amount: minorToJson(amount),
    currency: amount.currency,
    customer_note: about,
    merchant_note: noteOf(operation),
  })
  const data = dataOf(answer)
  return data === undefined ? readRefusal(answer, 'refund') : readRefund(data)
}

/** A refund has no reference of ours, so its note carries the id. */
const noteOf = ({ reference, id }: WireOperation): string => `${reference} ${id}`
const idInNote = (note: string | undefined): string | undefined => uuidForm.exec(note ?? '')?.[0]
const uuidForm = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/

// --- questions ------------------------------------------------------------------------------------------------------

function* ask(operation: WireOperation, settings: PaystackSettings): Exchange {
  const { id, kind, at } = operation
  if (kind === 'refund') return yield* askRefund(operation, settings)
  const path = kind === 'collect' ? `/transaction/verify/${id}` : `/transfer/verify/${id}`
  const answer = yield get(settings, path)
  return dataOf(answer) === undefined ? readNotTold(answer) : readOrder(answer, { kind, id, at })
}

/** By Paystack's number for it; when that never arrived, by our note in the list of the payment's refunds. */
function* askRefund(operation: WireOperation, settings: PaystackSettings): Exchange {
  const { id, providerReference, original } = operation
  check(original, 'a refund has what it gives back')
  if (providerReference !== undefined) {
    const answer = yield get(settings, `/refund/${encodeURIComponent(providerReference)}`)
    const data = dataOf(answer)
    return data === undefined ? readNotTold(answer) : readRefund(data)
  }
  const payment = encodeURIComponent(original.providerReference ?? original.id)
  const answer = yield get(settings, `/refund?transaction=${payment}&perPage=100`)
  const list = dataOf(answer)
  if (!Array.isArray(list)) return { state: 'unknown', detail: `Paystack answered ${answer.status}` }
  const found = list.find((row) => idInNote(textAt(row, 'merchant_note')) === id)
  return found === undefined
    ? { state: 'absent', detail: 'Paystack has no refund with our note' }
    : readRefund(found)
}

const get = (settings: PaystackSettings, path: string): WireRequest => ({
  method: 'GET',
  path,
  headers: credential(settings),
})

const post = (settings: PaystackSettings, path: string, body: object): WireRequest => ({
  method: 'POST',
  path,
  headers: { ...credential(settings), 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const credential = ({ secretKey }: PaystackSettings) => ({ authorization: `Bearer ${textOf(secretKey)}` })

// --- webhooks -------------------------------------------------------------------------------------------------------

function readCallback(delivery: Delivery, settings: PaystackSettings): Callback {
  if (!isSigned(delivery, settings)) return { ok: false, reason: 'the signature is missing or wrong' }
  const body = readJson(delivery.body)
  const event = textAt(body, 'event') ?? ''
  const data = placeOf(body, 'data')
  const read = Object.hasOwn(events, event) ? events[event] : undefined
  if (read === undefined || !isObject(data))
    return { ok: true, signed: true, heard: { state: 'unknown', detail: 'an event that is of no use here' } }
  const { id, heard } = read(data)
  const operationId = uuidForm.exec(id ?? '')?.[0]
  return { ok: true, signed: true, operationId: operationId === id ? operationId : undefined, heard }
}

type EventReader = (data: Json) => { id: string | undefined; heard: ReturnType<typeof readCharge> }
const aboutCharge: EventReader = (data) => ({ id: textAt(data, 'reference'), heard: readCharge(data) })
const aboutTransfer: EventReader = (data) => ({ id: textAt(data, 'reference'), heard: readTransfer(data) })
const aboutRefund: EventReader = (data) => ({
  id: idInNote(textAt(data, 'merchant_note')),
  heard: readRefund(data),
})

/** Disputes and the rest are the operator's matter, in Paystack's dashboard. */
const events: Readonly<Record<string, EventReader>> = {
  'charge.success': aboutCharge,
  'transfer.success': aboutTransfer,
  'transfer.failed': aboutTransfer,
  'transfer.reversed': aboutTransfer,
  'refund.pending': aboutRefund,
  'refund.processing': aboutRefund,
  'refund.processed': aboutRefund,
  'refund.failed': aboutRefund,
  'refund.needs-attention': aboutRefund,
}

function isSigned({ headers, body }: Delivery, { secretKey }: PaystackSettings): boolean {
  const given = Buffer.from(headers['x-paystack-signature'] ?? '', 'hex')
  const right = createHmac('sha512', secretKey.reveal()).update(body).digest()
  return given.length === right.length && timingSafeEqual(given, right)
}
