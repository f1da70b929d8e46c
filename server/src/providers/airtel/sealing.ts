// Airtel's encryption: of the payout PIN, and of whole messages where signing is on. The public key is fetched for each
// order: it may change at any time, and an order that was sealed with an old one is refused.
import {
  constants,
  createCipheriv,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'

/** From the base64 DER that Airtel serves; undefined when it is none, or no RSA key. */
export function readKey(text: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}

export const sealPin = (pin: Buffer, key: KeyObject): string => seal(pin, key)

/** The body encrypted with a key for this message alone, and that key for Airtel's eyes. */
export function signMessage(body: string, key: KeyObject): { 'x-signature': string; 'x-key': string } {
  const messageKey = randomBytes(32)
  const vector = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', messageKey, vector)
  const signature = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()])
  const pair = `${messageKey.toString('base64')}:${vector.toString('base64')}`
  return { 'x-signature': signature.toString('base64'), 'x-key': seal(Buffer.from(pair), key) }
}

const seal = (bytes: Buffer, key: KeyObject): string =>
  publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, bytes).toString('base64')
