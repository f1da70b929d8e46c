// The vectors of signatures: what the server signs, and what a receiver makes of deliveries, genuine and not.
import { brandHeaders } from '../server/src/base/brand-headers.ts'
import * as notifications from '../server/src/notifications/notifications.ts'
import { failureOf, failures } from '../server/src/payments/payments.ts'

const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`
const secret = secretOf('the secret of the test vectors')
const nextSecret = secretOf('the next secret of the vectors')
const strangers = secretOf('a secret that is nobody else s')
const id = 'msg_5Hh2mC0Zr3qXw8Vb1KtYpe'
const timestamp = 1_773_480_413

/** As they are sent. */
const bodies = {
  gateway: JSON.stringify({
    data: {
      ref_trx: 'ORDER-1001',
      description: 'Two bags of coffee',
      ipn_url: 'https://duka.example/ipn',
      cancel_redirect: 'https://duka.example/basket',
      success_redirect: 'https://duka.example/thanks?order=1001&lang=sw',
      merchant_name: 'Duka la Amina',
      amount: 56_000,
      currency_code: 'UGX',
    },
    message: 'Payment Completed',
    status: 'completed',
    timestamp,
  }),
  callback: JSON.stringify({
    event: 'payment.completed',
    data: {
      reference: 'PY-7K3MQ-9WD2X-PB4',
      amount: 1_250.5,
      currency: 'KES',
      merchant_id: '48213377',
      timestamp,
    },
  }),
  failed: failedBody(),
}

function failedBody(): string {
  const code = 'insufficient_balance'
  const error = { ...failureOf(code), retryable: failures[code]?.retryable ?? false }
  const data = {
    reference: 'PY-7K3MQ-9WD2X-PB4',
    amount: 0.01,
    currency: 'USD',
    merchant_id: '48213377',
    timestamp,
  }
  return JSON.stringify({ event: 'payment.failed', data: { ...data, error }, error })
}

const texts: Record<string, string> = {
  'a gateway notification': bodies.gateway,
  'a callback': bodies.callback,
  'a failure': bodies.failed,
  'slashes, quotes and other scripts': JSON.stringify({
    a: 'https://x.example/a?b=c&d',
    b: '"\\\u0007',
    c: 'Kahawa ☕ መልካም 🧺',
  }),
  'line separators, which some encoders escape': JSON.stringify({ a: "\u2028\u2029<>&'" }),
  'an empty object': '{}',
  'no body at all': '',
}

/** One secret, one body: what each family makes of it. */
export function signatures() {
  const cases = Object.entries(texts).flatMap(([name, body]) =>
    [secret, nextSecret].map((key, at) => ({
      name: at === 0 ? name : `${name}, with another secret`,
      secret: key,
      id,
      timestamp,
      body,
      body_base64: Buffer.from(body).toString('base64'),
      svc_signature: notifications.bodySignature(key, body),
      webhook_signature: notifications.webhookSignature(key, { id, timestamp, body }),
    })),
  )
  return { about: 'What each family of signatures makes of a body.', cases }
}

const names = brandHeaders('SVC')

interface Sent {
  body: string
  secrets: string[]
  id?: string
  at?: number
}

/** The headers of a delivery, as the server sends them. */
function headersOf({ body, secrets, id: webhookId = id, at = timestamp }: Sent): Record<string, string> {
  const message = { id: webhookId, timestamp: at, body }
  const all = secrets.map((key) => notifications.bodySignature(key, body))
  return {
    'Content-Type': 'application/json',
    [names.signature]: all[0] ?? '',
    ...(all.length > 1 ? { [names.signatureAll]: all.join(',') } : {}),
    [names.apiVersion]: 'v1',
    [names.webhookId]: webhookId,
    [names.webhookAttempt]: '1',
    [names.eventSequence]: '2',
    'webhook-id': webhookId,
    'webhook-timestamp': String(at),
    'webhook-signature': secrets.map((key) => notifications.webhookSignature(key, message)).join(' '),
  }
}

type Verdict =
  | 'ok'
  | 'signature_missing'
  | 'signature_wrong'
  | 'timestamp_invalid'
  | 'too_old'
  | 'too_new'
  | 'unreadable'

interface Delivery {
  name: string
  /** Of the receiver. */
  secrets?: string[]
  now?: number
  headers: Record<string, string>
  body?: string
  /** With the Standard Webhooks headers, and with `SVC-Signature` alone. */
  standard: Verdict
  body_only: Verdict
}

const good = (more: Partial<Sent> = {}) => headersOf({ body: bodies.gateway, secrets: [secret], ...more })

const without = (headers: Record<string, string>, ...gone: string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !gone.includes(name)))

const lowered = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const wrong = { standard: 'signature_wrong', body_only: 'signature_wrong' } as const
const fine = { standard: 'ok', body_only: 'ok' } as const

function genuineDeliveries(): Delivery[] {
  const rotating = good({ secrets: [secret, nextSecret] })
  return [
    { name: 'a gateway notification', headers: good(), ...fine },
    {
      name: 'a callback',
      headers: good({ body: bodies.callback }),
      body: bodies.callback,
      ...fine,
    },
    { name: 'a failure', headers: good({ body: bodies.failed }), body: bodies.failed, ...fine },
    { name: 'header names in small letters', headers: lowered(good()), ...fine },
    { name: 'the secret is being replaced, the receiver has the old one', headers: rotating, ...fine },
    {
      name: 'the secret is being replaced, the receiver has the new one',
      headers: rotating,
      secrets: [nextSecret],
      ...fine,
    },
    {
      name: 'the receiver has both',
      headers: good({ secrets: [nextSecret] }),
      secrets: [secret, nextSecret],
      ...fine,
    },
    {
      name: 'signatures of other versions beside it',
      headers: { ...good(), 'webhook-signature': `v1a,AAAA v2,BBBB ${good()['webhook-signature']}` },
      ...fine,
    },
  ]
}

function forgedDeliveries(): Delivery[] {
  const headers = good()
  const hex = headers[names.signature] ?? ''
  return [
    { name: 'signed with a secret of somebody else', headers: good({ secrets: [strangers] }), ...wrong },
    { name: 'another amount', headers, body: bodies.gateway.replace('56000', '57000'), ...wrong },
    { name: 'one byte more', headers, body: `${bodies.gateway}\n`, ...wrong },
    {
      name: 'encoded again with escaped slashes',
      headers,
      body: bodies.gateway.replaceAll('/', '\\/'),
      ...wrong,
    },
    {
      name: 'encoded again with spaces',
      headers,
      body: bodies.gateway.replaceAll('":', '": ').replaceAll(',"', ', "'),
      ...wrong,
    },
    {
      name: 'another id',
      headers: { ...headers, 'webhook-id': 'msg_0000000000000000000000' },
      standard: 'signature_wrong',
      body_only: 'ok',
    },
    {
      name: 'another time',
      headers: { ...headers, 'webhook-timestamp': String(timestamp + 1) },
      standard: 'signature_wrong',
      body_only: 'ok',
    },
    {
      name: 'the first half of the signatures',
      headers: {
        ...headers,
        [names.signature]: hex.slice(0, 32),
        'webhook-signature': headers['webhook-signature']?.slice(0, 20) ?? '',
      },
      ...wrong,
    },
    {
      name: 'empty signatures',
      headers: { ...headers, [names.signature]: '', 'webhook-signature': '' },
      ...wrong,
    },
    {
      name: 'signatures that are none',
      headers: { ...headers, [names.signature]: 'true', 'webhook-signature': 'v1,true' },
      ...wrong,
    },
    {
      name: 'the signatures of the two families exchanged',
      headers: {
        ...headers,
        [names.signature]: headers['webhook-signature'] ?? '',
        'webhook-signature': `v1,${hex}`,
      },
      ...wrong,
    },
    {
      name: 'a signature of another version',
      headers: {
        ...headers,
        'webhook-signature': (headers['webhook-signature'] ?? '').replace('v1,', 'v2,'),
      },
      standard: 'signature_wrong',
      body_only: 'ok',
    },
  ]
}

function oddDeliveries(): Delivery[] {
  const headers = good()
  const standard = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
  const text = 'no json'
  return [
    ...standard.map((name) => ({
      name: `without ${name}`,
      headers: without(headers, name),
      standard: 'signature_missing' as const,
      body_only: 'ok' as const,
    })),
    {
      name: 'without SVC-Signature',
      headers: without(headers, names.signature),
      standard: 'ok',
      body_only: 'signature_missing',
    },
    {
      name: 'without any signature',
      headers: { 'Content-Type': 'application/json' },
      standard: 'signature_missing',
      body_only: 'signature_missing',
    },
    { name: 'as old as may be', headers, now: timestamp + 300, ...fine },
    { name: 'a second too old', headers, now: timestamp + 301, standard: 'too_old', body_only: 'ok' },
    { name: 'as new as may be', headers, now: timestamp - 300, ...fine },
    { name: 'a second too new', headers, now: timestamp - 301, standard: 'too_new', body_only: 'ok' },
    {
      name: 'a time that is no number',
      headers: { ...headers, 'webhook-timestamp': '2026-03-14' },
      standard: 'timestamp_invalid',
      body_only: 'ok',
    },
    {
      name: 'old and forged: forged counts',
      headers: good({ secrets: [strangers] }),
      now: timestamp + 9_999,
      ...wrong,
    },
    {
      name: 'signed, and no JSON',
      headers: good({ body: text }),
      body: text,
      standard: 'unreadable',
      body_only: 'unreadable',
    },
    {
      name: 'signed, and of an unknown kind',
      headers: good({ body: '{}' }),
      body: '{}',
      standard: 'unreadable',
      body_only: 'unreadable',
    },
  ]
}

export function deliveries() {
  const cases = [...genuineDeliveries(), ...forgedDeliveries(), ...oddDeliveries()]
  return {
    about: 'What a receiver makes of a delivery, with a tolerance of 300 seconds.',
    tolerance_seconds: 300,
    cases: cases.map(({ secrets = [secret], now = timestamp, body = bodies.gateway, ...rest }) => ({
      ...rest,
      secrets,
      now,
      body,
      body_base64: Buffer.from(body).toString('base64'),
    })),
  }
}
