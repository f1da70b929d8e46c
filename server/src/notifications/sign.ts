// The two signatures of a notification. The service's own covers the body and nothing else, as its interface promises;
// the Standard Webhooks one also covers the id and the time of the attempt, so that an old request can't be played again.
// Pure: the SDKs' test vectors are made with these functions.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { check } from '../base/check.ts'
import { recent } from '../base/recent.ts'

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

/** Made once: the library takes several times longer over plain bytes than over a key. */
const keys = recent<KeyObject>(1_000)

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret)
  if (known !== undefined) return known
  check(secret.startsWith(prefix), 'a Client Secret begins with whsec_')
  const bytes = Buffer.from(secret.slice(prefix.length), 'base64')
  check(bytes.length >= 24, 'a Client Secret has at least 24 bytes')
  const key = createSecretKey(bytes)
  keys.set(secret, key)
  return key
}

/** For `SVC-Signature-All`, while two secrets are good. */
export const allBodySignatures = (keys: SigningKeys, body: string): string =>
  keys.all.map((secret) => bodySignature(secret, body)).join(',')

/** For `webhook-signature`: receivers take any one that fits. */
export const allWebhookSignatures = (keys: SigningKeys, message: Message): string =>
  keys.all.map((secret) => webhookSignature(secret, message)).join(' ')
