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
  scripts: JSON.stringify({
    data: {
      ref_trx: 'ዕቃ-1',
      description: 'Kahawa ☕ <b>&\'\u2028"\\ 🧺',
      ipn_url: 'https://duka.example/ipn?a=/b&c=é',
      cancel_redirect: null,
      success_redirect: null,
      merchant_name: 'ዱካ',
      amount: 9_007_199_254_740_991,
      currency_code: 'UGX',
    },
    message: 'Payment Completed',
    status: 'completed',
    timestamp,
  }),
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

const raised = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))

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
    { name: 'header names in capitals', headers: raised(good()), ...fine },
    {
      name: 'other scripts, and characters that some encoders escape',
      headers: good({ body: bodies.scripts }),
      body: bodies.scripts,
      ...fine,
    },
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
    { name: 'ten signatures, the last one fits', headers: amongOthers(9), ...fine },
  ]
}

/** The signatures that fit, behind so many that don't. */
function amongOthers(count: number): Record<string, string> {
  const theirs = good({ secrets: [strangers] })
  const mine = good()
  const all = (name: string, separator: string) =>
    [...Array<string>(count).fill(theirs[name] ?? ''), mine[name] ?? ''].join(separator)
  return {
    ...mine,
    [names.signatureAll]: all(names.signature, ','),
    'webhook-signature': all('webhook-signature', ' '),
  }
}

/** How a signature is written, to the letter. */
function misspeltDeliveries(): Delivery[] {
  // Its signature has a slash and ends in a sign of equality.
  const headers = good({ body: bodies.callback })
  const hex = headers[names.signature] ?? ''
  const base64 = headers['webhook-signature'] ?? ''
  const body = bodies.callback
  const otherwise = (name: string, change: Record<string, string>): Delivery => {
    const isBody = names.signature in change
    return {
      name,
      headers: { ...headers, ...change },
      body,
      standard: isBody ? 'ok' : 'signature_wrong',
      body_only: isBody ? 'signature_wrong' : 'ok',
    }
  }
  return [
    otherwise('base64 without its end', { 'webhook-signature': base64.replace(/=+$/, '') }),
    otherwise('base64 of addresses', {
      'webhook-signature': base64.replaceAll('+', '-').replaceAll('/', '_'),
    }),
    otherwise('base64 and something behind it', { 'webhook-signature': `${base64}AAAA` }),
    otherwise('no version', { 'webhook-signature': base64.slice('v1,'.length) }),
    otherwise('hexadecimal in capitals', { [names.signature]: hex.toUpperCase() }),
    otherwise('hexadecimal with its algorithm', { [names.signature]: `sha256=${hex}` }),
    otherwise('hexadecimal and something behind it', { [names.signature]: `${hex}00` }),
    {
      name: 'letters that no signature has',
      headers: {
        ...headers,
        [names.signature]: 'é'.repeat(64),
        'webhook-signature': `v1,${'é'.repeat(44)}`,
      },
      body,
      ...wrong,
    },
    { name: 'eleven signatures, the last one fits', headers: amongOthers(10), ...wrong },
    {
      name: 'of SVC-Signature-All none fits, of SVC-Signature one does',
      headers: { ...good(), [names.signatureAll]: '0'.repeat(64) },
      standard: 'ok',
      body_only: 'signature_wrong',
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
    ...[
      '2026-03-14',
      '',
      '-1773480413',
      '+1773480413',
      '1773480413.0',
      '1e9',
      '0x69b4d05d',
      '177348041300',
    ].map((time) => ({
      name: time === '' ? 'an empty time' : `a time that is no number of seconds: ${time}`,
      headers: { ...headers, 'webhook-timestamp': time },
      standard: 'timestamp_invalid' as const,
      body_only: 'ok' as const,
    })),
    {
      name: 'old and forged: forged counts',
      headers: good({ secrets: [strangers] }),
      now: timestamp + 9_999,
      ...wrong,
    },
  ]
}

/** Signed, so it is ours; but nothing that can be worked on. */
function unreadableDeliveries(): Delivery[] {
  const contents: Record<string, string> = {
    'no JSON': 'no json',
    empty: '',
    null: 'null',
    'a list': '[]',
    'a text': '"payment.completed"',
    'of an unknown kind': '{}',
    'of an unknown status': '{"data":{"ref_trx":"1"},"status":"pending"}',
    'without data': '{"event":"payment.completed"}',
    'with data that is null': '{"event":"payment.completed","data":null}',
    'with data that is a text': '{"event":"payment.completed","data":"{}"}',
    'cut off': bodies.callback.slice(0, -1),
    'followed by something': `${bodies.callback}{}`,
    'with a number that is none': '{"event":"payment.completed","data":{"amount":NaN}}',
    'with a byte order mark': `\ufeff${bodies.callback}`,
  }
  return Object.entries(contents).map(([name, body]) => ({
    name: `signed, and ${name}`,
    headers: good({ body }),
    body,
    standard: 'unreadable',
    body_only: 'unreadable',
  }))
}

export function deliveries() {
  const cases = [
    ...genuineDeliveries(),
    ...forgedDeliveries(),
    ...misspeltDeliveries(),
    ...oddDeliveries(),
    ...unreadableDeliveries(),
  ]
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
