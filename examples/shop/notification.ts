// Reads a notification of the payment service. The signature comes first: nothing of an unsigned body is looked at.
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Notification {
  refTrx: string
  amount: number
  currency: string
  status: 'completed' | 'failed'
}

interface Received {
  /** As it came, byte for byte: what JSON.parse and JSON.stringify make of it may differ. */
  body: Buffer
  signature: string
  clientSecret: string
}

export function readNotification({
  body,
  signature,
  clientSecret,
}: Received): { notification: Notification } | { refusal: 'signature' | 'shape' } {
  if (!isSignature({ body, signature, clientSecret })) return { refusal: 'signature' }
  try {
    const { data, status } = JSON.parse(body.toString('utf8')) as {
      data: { ref_trx: string; amount: number; currency_code: string }
      status: string
    }
    if (status !== 'completed' && status !== 'failed') return { refusal: 'shape' }
    return {
      notification: { refTrx: data.ref_trx, amount: data.amount, currency: data.currency_code, status },
    }
  } catch {
    return { refusal: 'shape' }
  }
}

/** HMAC-SHA256 of the body under the Client Secret, in hex, compared in constant time. */
function isSignature({ body, signature, clientSecret }: Received): boolean {
  const expected = Buffer.from(createHmac('sha256', clientSecret).update(body).digest('hex'))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
