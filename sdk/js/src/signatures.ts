// The two signatures of a notification, verified in constant time by the platform's own cryptography, so that the same
// code runs in Node and at the edge. `SVC-Signature` covers the body and nothing else; the Standard Webhooks one also
// covers the id and the time of the attempt, so that an old request can't be played again.

export interface Signed {
  id: string
  timestamp: string
  /** `v1,<base64> v1,<base64>`: any one that fits will do. */
  signature: string
  body: Uint8Array<ArrayBuffer>
}

/** Key: what the base64 of the secret stands for. */
export async function isWebhookSignature(secret: string, signed: Signed): Promise<boolean> {
  const key = await keyOf(fromBase64(secret.slice(prefix.length)))
  const head = new TextEncoder().encode(`${signed.id}.${signed.timestamp}.`)
  const content = joined(head, signed.body)
  for (const part of signed.signature.split(' ', signaturesMost)) {
    const [version, text = ''] = part.split(',', 2)
    const given = version === 'v1' ? fromBase64(text) : undefined
    if (given !== undefined && (await crypto.subtle.verify('HMAC', key, given, content))) return true
  }
  return false
}

/** Key: the secret as it is written, prefix and all. */
export async function isBodySignature(
  secret: string,
  { signatures, body }: { signatures: string; body: Uint8Array<ArrayBuffer> },
): Promise<boolean> {
  const key = await keyOf(new TextEncoder().encode(secret))
  for (const text of signatures.split(',', signaturesMost)) {
    const given = fromHex(text)
    if (given !== undefined && (await crypto.subtle.verify('HMAC', key, given, body))) return true
  }
  return false
}

const prefix = 'whsec_'
const signaturesMost = 10

/** A Client Secret: `whsec_` and base64 of at least 24 bytes. */
export const isSecret = (text: string): boolean =>
  text.startsWith(prefix) && (fromBase64(text.slice(prefix.length))?.length ?? 0) >= 24

async function keyOf(bytes: Uint8Array<ArrayBuffer> | undefined): ReturnType<typeof crypto.subtle.importKey> {
  if (bytes === undefined) throw new TypeError('clientSecret is whsec_ and base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + body.length)
  whole.set(head)
  whole.set(body, head.length)
  return whole
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text === '' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Lower-case, 64 digits: what the service writes, and nothing else. */
function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[0-9a-f]{64}$/.test(text)) return undefined
  return Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16))
}

/** What stands for a body that has no id of its own. */
export async function digestOf(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
