// JWTs: EdDSA, one header, fixed claims. What is in one can be made again from its session's row, so that a lost answer
// can be repeated byte for byte. Here is what a token says; whether it is still good is for the feed and the clock.
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { ownText } from '../base/own-text.ts'
import { recent } from '../base/recent.ts'
import type { Secret } from '../base/secret.ts'
import { deriveKey, deriveKeys, macOf } from './keys.ts'

export interface Claims {
  user: string
  session: string
  /** Which token of its session it is; the first has 1. */
  generation: number
  /** Unix seconds. */
  issuedAt: number
  expiresAt: number
}

export interface Tokens {
  sign(claims: Claims): string
  /** What it says, if it is one of ours; that may be long over. */
  read(token: string): Claims | undefined
}

export const tokenSeconds = 86_400
const audience = 'mfuko-api'
const tokenMax = 1_024
/** What was verified is remembered: the signature takes a hundred times as long as everything else. */
const rememberedMost = 10_000
const endLength = 32

export function openTokens(secret: Secret, { issuer }: { issuer: string }): Tokens {
  const keys = deriveKeys(secret, 'jwt').map(({ bytes }) => signingKey(bytes))
  const byHeader = new Map(keys.map((key) => [key.header, key.publicKey]))
  const idKey = deriveKey(secret, 'jti')
  // By the end of the signature, which says which one it may be at a tenth of the length.
  const remembered = recent<{ token: string; claims: Claims }>(rememberedMost)
  const [first] = keys as [SigningKey, ...SigningKey[]]
  return {
    sign: ({ user, session, generation, issuedAt, expiresAt }) => {
      const payload = {
        iss: issuer,
        aud: audience,
        sub: user,
        sid: session,
        jti: macOf(idKey, [session, String(generation)])
          .subarray(0, 16)
          .toString('base64url'),
        gen: generation,
        iat: issuedAt,
        nbf: issuedAt,
        exp: expiresAt,
        amr: ['pwd'],
      }
      const text = `${first.header}.${encode(payload)}`
      return `${text}.${sign(null, Buffer.from(text), first.privateKey).toString('base64url')}`
    },
    read: (token) => {
      const end = token.slice(-endLength)
      const known = remembered.get(end)
      if (known?.token === token) return known.claims
      const claims = readToken(token, { byHeader, issuer })
      if (claims !== undefined) remembered.set(end, { token: ownText(token), claims })
      return claims
    },
  }
}

interface SigningKey {
  /** The only header a token of this key can have. */
  header: string
  privateKey: KeyObject
  publicKey: KeyObject
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** PKCS #8 of an Ed25519 key, up to its 32 bytes. */
const ed25519Start = Buffer.from('302e020100300506032b657004220420', 'hex')

function signingKey(seed: Buffer): SigningKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([ed25519Start, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey)
  const kid = hash('sha256', publicKey.export({ format: 'der', type: 'spki' }), 'buffer')
    .toString('base64url')
    .slice(0, 16)
  return { header: encode({ alg: 'EdDSA', typ: 'at+jwt', kid }), privateKey, publicKey }
}

interface Trust {
  byHeader: Map<string, KeyObject>
  issuer: string
}

/** By the exact text of the header, so that there is nothing in it to be misled by: no `alg`, no key from elsewhere. */
function readToken(token: string, { byHeader, issuer }: Trust): Claims | undefined {
  if (token.length > tokenMax) return undefined
  const [header = '', payload = '', signature = '', ...more] = token.split('.')
  const publicKey = byHeader.get(header)
  if (publicKey === undefined || more.length > 0) return undefined
  const bytes = Buffer.from(signature, 'base64url')
  // Of the many ways to write the same bytes only one is taken.
  if (bytes.toString('base64url') !== signature) return undefined
  if (!verify(null, Buffer.from(`${header}.${payload}`), publicKey, bytes)) return undefined
  return claimsOf(Buffer.from(payload, 'base64url').toString(), issuer)
}

const userForm = /^usr_[0-9A-Za-z]{22}$/
const sessionForm = /^ses_[0-9A-Za-z]{22}$/

function claimsOf(json: string, issuer: string): Claims | undefined {
  const { iss, aud, sub, sid, jti, gen, iat, nbf, exp, amr } = parsed(json)
  const good =
    iss === issuer &&
    aud === audience &&
    isText(sub, userForm) &&
    isText(sid, sessionForm) &&
    isText(jti, /^[\w-]{22}$/) &&
    isCount(gen) &&
    isCount(iat) &&
    nbf === iat &&
    isCount(exp) &&
    exp > iat &&
    exp <= iat + tokenSeconds &&
    Array.isArray(amr)
  return good ? { user: sub, session: sid, generation: gen, issuedAt: iat, expiresAt: exp } : undefined
}

function parsed(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const isText = (value: unknown, form: RegExp): value is string =>
  typeof value === 'string' && form.test(value)
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
