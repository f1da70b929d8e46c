// Deliveries as the service makes them, and as it never would: for trying a receiver.
import { createHmac, randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

export interface Order {
  kind: 'gateway' | 'callback'
  /** `ref_trx`, or our reference. */
  ref: string
  amount: number
  currency: string
  merchantId: string
  merchantName: string
  url: string
}

export interface Signed {
  id: string
  at: number
  body: string
}

export interface Wrapping {
  body: string
  secret: string
  id?: string
  sequence?: number
  /** How long ago it was signed. */
  ageSeconds?: number
  /** Instead of the right ones. */
  bodySignature?: string
  webhookSignature?: string | ((signed: Signed) => string)
}

export interface Delivery {
  id: string
  headers: Record<string, string>
  body: string
}

export const newId = (): string => `msg_${randomBytes(11).toString('hex')}`

const nowSeconds = () => Math.floor(Date.now() / 1_000)

/** The body of an event, byte for byte as the service writes it. */
export function bodyOf(order: Order, event: string, more: { amount?: number; words?: string } = {}): string {
  const { kind, ref, currency, merchantId, merchantName, url } = order
  const { amount = order.amount, words = 'Two bags' } = more
  const timestamp = nowSeconds()
  if (kind === 'callback') {
    const data = { reference: ref, amount, currency, merchant_id: merchantId, timestamp }
    return JSON.stringify({ event, data })
  }
  const status = event.replace('payment.', '')
  const data = {
    ref_trx: ref,
    description: words,
    ipn_url: url,
    cancel_redirect: null,
    success_redirect: null,
    merchant_name: merchantName,
    amount,
    currency_code: currency,
  }
  const message = status === 'completed' ? 'Payment Completed' : 'Payment Failed'
  return JSON.stringify({ data, message, status, timestamp })
}

export const bodySignature = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body).digest('hex')

export function webhookSignature(secret: string, signed: Signed): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const { id, at, body } = signed
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
}

export function wrapped(prefix: string, wrapping: Wrapping): Delivery {
  const { body, secret, id = newId(), sequence = 1, ageSeconds = 0 } = wrapping
  const at = nowSeconds() - ageSeconds
  const { webhookSignature: given = (signed: Signed) => webhookSignature(secret, signed) } = wrapping
  const headers = {
    'content-type': 'application/json',
    [`${prefix}-Signature`]: wrapping.bodySignature ?? bodySignature(secret, body),
    [`${prefix}-API-Version`]: 'v1',
    [`${prefix}-Webhook-ID`]: id,
    [`${prefix}-Webhook-Attempt`]: '1',
    [`${prefix}-Event-Sequence`]: String(sequence),
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': typeof given === 'string' ? given : given({ id, at, body }),
  }
  return { id, headers, body }
}

export interface Answer {
  /** 0: there was none. */
  status: number
  ms: number
  text: string
}

const limitMs = 20_000

/** By Node's own client, which can send a body in two pieces with a pause between them. */
export function deliver(
  target: string,
  { headers, body }: Delivery,
  { pauseMs = 0, signal }: { pauseMs?: number; signal: AbortSignal },
): Promise<Answer> {
  const begun = performance.now()
  const bytes = Buffer.from(body)
  return new Promise((resolve) => {
    const end = (status: number, text: string) => resolve({ status, ms: performance.now() - begun, text })
    const send = target.startsWith('https:') ? httpsRequest : httpRequest
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
    const options = { method: 'POST', signal: limit, agent: false } as const
    const sent = send(target, { ...options, headers: { ...headers, 'content-length': bytes.length } })
    sent.on('error', (error) => end(0, limit.aborted ? 'no answer in 20 seconds' : error.message))
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', (error) => end(0, error.message))
      response.on('end', () => end(response.statusCode ?? 0, Buffer.concat(chunks).toString().slice(0, 500)))
    })
    const half = Math.floor(bytes.length / 2)
    sent.write(bytes.subarray(0, half))
    setTimeout(() => sent.end(bytes.subarray(half)), pauseMs)
  })
}
