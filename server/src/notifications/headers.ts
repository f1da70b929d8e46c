import { brandHeaders } from '../base/brand-headers.ts'
import type { Config } from '../config.ts'
import { allBodySignatures, allWebhookSignatures, bodySignature, type SigningKeys } from './sign.ts'

export interface Envelope {
  id: string
  sequence: number
  /** 1 for the first. */
  attempt: number
  body: string
  /** Of the attempt. */
  at: Date
}

export type Addressing = (envelope: Envelope, keys: SigningKeys) => string[]

/** Names and values in turn. The length and the host are added on the way. */
export function openHeaders(config: Pick<Config, 'HEADER_PREFIX' | 'BRAND_NAME' | 'BASE_URL'>): Addressing {
  const names = brandHeaders(config.HEADER_PREFIX)
  const product = config.BRAND_NAME.replace(/[^A-Za-z0-9]/g, '') || 'Notifications'
  const agent = `${product}-Notify/1${config.BASE_URL === undefined ? '' : ` (+${config.BASE_URL}/docs)`}`
  return ({ id, sequence, attempt, body, at }, keys) => {
    const timestamp = Math.floor(at.getTime() / 1_000)
    return [
      ...['Content-Type', 'application/json'],
      ...['User-Agent', agent],
      ...[names.signature, bodySignature(keys.current, body)],
      ...(keys.all.length > 1 ? [names.signatureAll, allBodySignatures(keys, body)] : []),
      ...[names.apiVersion, 'v1'],
      ...[names.webhookId, id],
      ...[names.webhookAttempt, String(attempt)],
      ...[names.eventSequence, String(sequence)],
      ...['webhook-id', id],
      ...['webhook-timestamp', String(timestamp)],
      ...['webhook-signature', allWebhookSignatures(keys, { id, timestamp, body })],
    ]
  }
}
