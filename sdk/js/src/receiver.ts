// Receives notifications: the signature first, over the bytes as they came; then the time, then whether it came before.
// Nothing of an unsigned body is looked at.
import { type DuplicateGuard, rememberInMemory } from './seen.ts'
import { digestOf, isBodySignature, isSecret, isWebhookSignature } from './signatures.ts'

export interface ReceiverOptions {
  /** Of the mode of your key: `whsec_…`. Several while one is being replaced. */
  clientSecret: string | readonly string[]
  /** Default: in the memory of this process. */
  seen?: DuplicateGuard
  /** How far the time of an attempt may be off, either way. Default: 300. */
  toleranceSeconds?: number
  /**
   * `standard`: the `webhook-…` headers, which cover id and time too. `body`: `SVC-Signature` alone, for when a proxy
   * drops the others; then nothing tells how old a request is, and equal bodies count as the same. Default: standard.
   */
  signature?: 'standard' | 'body'
  /** Default: SVC. */
  headerPrefix?: string
  /** Unix seconds. For tests. */
  now?: () => number
}

export type Reason =
  | 'signature_missing'
  | 'signature_wrong'
  | 'timestamp_invalid'
  | 'too_old'
  | 'too_new'
  | 'unreadable'

/** Not to be believed. Answer 403, log the id. */
export class NotificationError extends Error {
  override readonly name: string = 'NotificationError'
  readonly reason: Reason
  /** As it was sent: nobody has vouched for it. */
  readonly webhookId: string | undefined

  constructor(reason: Reason, webhookId: string | undefined) {
    super(sentences[reason])
    this.reason = reason
    this.webhookId = webhookId
  }
}

const sentences: Record<Reason, string> = {
  signature_missing: 'The notification is not signed: its signature headers are missing',
  signature_wrong:
    'The signature does not fit. Check that it is the Client Secret of this mode, and that the body is the bytes as they came',
  timestamp_invalid: 'The time of the notification is not a number of seconds',
  too_old:
    'The notification is too old: it may have been recorded and played again. Check the clock of this computer',
  too_new: 'The notification is from the future. Check the clock of this computer',
  unreadable: 'The notification is signed, but not what this version understands',
}

interface About {
  /** The same over all attempts and replays. */
  id: string
  /** 1 for the first. */
  attempt: number
  /** The place among the events of the payment: a lower one than you had before is old news. */
  sequence: number
}

export type PaymentEvent = 'payment.pending' | 'payment.completed' | 'payment.failed' | 'payment.refunded'

/** To the `ipn_url` of a payment that was asked for with `initiatePayment`. */
export interface GatewayNotification extends About {
  kind: 'gateway'
  event: 'payment.completed' | 'payment.failed'
  status: 'completed' | 'failed'
  message: string
  timestamp: number
  data: {
    ref_trx: string
    description: string | null
    ipn_url: string | null
    cancel_redirect: string | null
    success_redirect: string | null
    merchant_name: string
    amount: number
    currency_code: string
  }
}

/** To the `callback_url` of a payment that was asked for with `pay`. */
export interface CallbackNotification extends About {
  kind: 'callback'
  event: PaymentEvent
  data: {
    reference: string
    amount: number
    currency: string
    merchant_id: string
    timestamp: number
    /** Of `payment.refunded`: what went back this time. */
    refund_amount?: number
    error?: PaymentFailure
  }
  error?: PaymentFailure
}

export interface PaymentFailure {
  code: string
  message: string
  retryable: boolean
}

export type Notification = GatewayNotification | CallbackNotification

/** Node's headers, `Headers`, or an object; names in any case. */
export type IncomingHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface Incoming {
  headers: IncomingHeaders
  /** The bytes as they came. Not what a parser made of them. */
  body: Uint8Array | string
}

/** What to answer. */
export interface Outcome {
  status: number
  body: { message: string }
  /** Why it was refused, or what the handler threw. */
  error?: unknown
}

export type Handler = (notification: Notification) => Promise<unknown> | unknown

export interface Receiver {
  /** Verifies and reads it. Throws `NotificationError`. Does not ask whether it came before. */
  read(incoming: Incoming): Promise<Notification>
  /** All of it: verifies, asks whether it came before, lets it be worked on once, and says what to answer. */
  receive(incoming: Incoming, handler: Handler): Promise<Outcome>
}

export function createReceiver(options: ReceiverOptions): Receiver {
  const secrets = [options.clientSecret].flat() as string[]
  if (secrets.length === 0 || !secrets.every(isSecret))
    throw new TypeError('clientSecret is missing or not one: it begins with whsec_')
  const seen = options.seen ?? rememberInMemory()
  const read = async (incoming: Incoming) => {
    const body = bytesOf(incoming.body)
    const header = openHeaders(incoming.headers, options.headerPrefix ?? 'SVC')
    await verify({ options, secrets, header, body })
    return parsed(body, header)
  }
  return {
    read,
    receive: async (incoming, handler) => {
      let notification: Notification
      try {
        notification = await read(incoming)
      } catch (error) {
        if (error instanceof NotificationError) return { ...refused, error }
        throw error
      }
      // The id is under the signature only together with the time.
      const id = options.signature === 'body' ? await digestOf(bytesOf(incoming.body)) : notification.id
      return workOnce({ id, notification, handler, seen })
    },
  }
}

const refused = { status: 403, body: { message: 'The signature of the notification is not good' } }

interface Work {
  id: string
  notification: Notification
  handler: Handler
  seen: DuplicateGuard
}

async function workOnce({ id, notification, handler, seen }: Work): Promise<Outcome> {
  const state = await seen.begin(id)
  if (state === 'done') return { status: 200, body: { message: 'Received before' } }
  // It comes again, and by then it is known what became of it.
  if (state === 'busy') return { status: 409, body: { message: 'Being worked on' } }
  try {
    await handler(notification)
  } catch (error) {
    await seen.forget(id)
    return { status: 500, body: { message: 'Not worked on; send it again' }, error }
  }
  await seen.done(id)
  return { status: 200, body: { message: 'Received' } }
}

type Header = (name: string) => string | undefined

interface Openable {
  /** Of the service's own headers. */
  own: Header
  standard: Header
}

function openHeaders(headers: IncomingHeaders, prefix: string): Openable {
  const plain = isHeaders(headers)
    ? headers
    : new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const find: Header = (name) => {
    const value = plain.get(name.toLowerCase())
    // A header that came twice is nobody's.
    return typeof value === 'string' ? value : undefined
  }
  return { own: (name) => find(`${prefix}-${name}`), standard: find }
}

const isHeaders = (headers: IncomingHeaders): headers is Headers => typeof headers.get === 'function'

function bytesOf(body: Uint8Array | string): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return new Uint8Array(body)
  throw new TypeError(
    'The body was parsed already. The signature is over the bytes as they came: pass those.',
  )
}

interface Verifying {
  options: ReceiverOptions
  secrets: readonly string[]
  header: Openable
  body: Uint8Array<ArrayBuffer>
}

async function verify({ options, secrets, header, body }: Verifying): Promise<void> {
  const webhookId = header.standard('webhook-id') ?? header.own('Webhook-ID')
  const refuse = (reason: Reason) => new NotificationError(reason, webhookId)
  if (options.signature === 'body') {
    const signatures = header.own('Signature-All') ?? header.own('Signature')
    if (signatures === undefined) throw refuse('signature_missing')
    for (const secret of secrets) if (await isBodySignature(secret, { signatures, body })) return
    throw refuse('signature_wrong')
  }
  const id = header.standard('webhook-id')
  const timestamp = header.standard('webhook-timestamp')
  const signature = header.standard('webhook-signature')
  if (id === undefined || timestamp === undefined || signature === undefined)
    throw refuse('signature_missing')
  if (!/^\d{1,11}$/.test(timestamp)) throw refuse('timestamp_invalid')
  const isGenuine = async () => {
    for (const secret of secrets)
      if (await isWebhookSignature(secret, { id, timestamp, signature, body })) return true
    return false
  }
  if (!(await isGenuine())) throw refuse('signature_wrong')
  const now = options.now?.() ?? Math.floor(Date.now() / 1_000)
  const tolerance = options.toleranceSeconds ?? 300
  if (Number(timestamp) < now - tolerance) throw refuse('too_old')
  if (Number(timestamp) > now + tolerance) throw refuse('too_new')
}

function parsed(body: Uint8Array, header: Openable): Notification {
  const id = header.standard('webhook-id') ?? header.own('Webhook-ID') ?? ''
  const about = {
    id,
    attempt: Number(header.own('Webhook-Attempt') ?? 1),
    sequence: Number(header.own('Event-Sequence') ?? 0),
  }
  try {
    const content = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
    if (typeof content.data === 'object' && content.data !== null) {
      if (typeof content.event === 'string') return { ...content, ...about, kind: 'callback' }
      if (content.status === 'completed' || content.status === 'failed')
        return { ...content, ...about, kind: 'gateway', event: `payment.${content.status}` }
    }
  } catch {
    // Said below.
  }
  throw new NotificationError('unreadable', id)
}
