// The two signatures of a notification. The service's own covers the body and nothing else, as its interface promises;
// the Standard Webhooks one also covers the id and the time of the attempt, so that an old request can't be played again.
// Pure: the SDKs' test vectors are made with these functions.
import { createHmac } from 'node:crypto'
import { check } from '../base/check.ts'

/** Client Secrets as merchants know them: `whsec_` and base64. */
export interface SigningKeys {
  /** Signs the header that holds one signature. While a secret is being replaced, that is the old one. */
  current: string
  /** All that are good at the moment, the one above included. */
  all: readonly string[]
}

/** Lower-case hex. The secret is used as it is written, prefix and all. */
export const bodySignature = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body, 'utf8').digest('hex')

export interface Message {
  id: string
  /** Unix seconds, of the attempt. */
  timestamp: number
  body: string
}

/** `v1,` and base64. Here the key is what the secret's base64 stands for. */
export const webhookSignature = (secret: string, { id, timestamp, body }: Message): string =>
  `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64')}`

const prefix = 'whsec_'

function keyOf(secret: string): Buffer {
  check(secret.startsWith(prefix), 'a Client Secret begins with whsec_')
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  check(key.length >= 24, 'a Client Secret has at least 24 bytes')
  return key
}

/** For `SVC-Signature-All`, while two secrets are good. */
export const allBodySignatures = (keys: SigningKeys, body: string): string =>
  keys.all.map((secret) => bodySignature(secret, body)).join(',')

/** For `webhook-signature`: receivers take any one that fits. */
export const allWebhookSignatures = (keys: SigningKeys, message: Message): string =>
  keys.all.map((secret) => webhookSignature(secret, message)).join(' ')
