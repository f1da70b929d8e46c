// Tokens: what we sign is read again, and nothing else is. A key that was replaced still verifies.
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { Secret } from '../base/secret.ts'
import { type Claims, openTokens } from './tokens.ts'

const secretOf = (word: string, older: Secret[] = []) =>
  new Secret(createHash('sha256').update(word).digest(), older)
const issuer = 'https://mfuko.example'
const tokens = openTokens(secretOf('one'), { issuer })
const claims: Claims = {
  user: 'usr_5Hh2mC0Zr3qXw8Vb1KtYpe',
  session: 'ses_5Hh2mC0Zr3qXw8Vb1KtYpe',
  generation: 3,
  issuedAt: 1_773_478_800,
  expiresAt: 1_773_565_200,
}
const token = tokens.sign(claims)
const [header = '', payload = '', signature = ''] = token.split('.')
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('what it says, byte for byte the same each time', () => {
  assert.equal(tokens.sign(claims), token)
  assert.deepEqual(tokens.read(token), claims)
  assert.deepEqual(Object.keys(decoded(header)), ['alg', 'typ', 'kid'])
  assert.deepEqual({ ...decoded(header), kid: '' }, { alg: 'EdDSA', typ: 'at+jwt', kid: '' })
  const { jti, ...said } = decoded(payload)
  assert.match(jti, /^[\w-]{22}$/)
  assert.deepEqual(said, {
    iss: issuer,
    aud: 'mfuko-api',
    sub: claims.user,
    sid: claims.session,
    gen: 3,
    iat: claims.issuedAt,
    nbf: claims.issuedAt,
    exp: claims.expiresAt,
    amr: ['pwd'],
  })
  assert.notEqual(decoded(tokens.sign({ ...claims, generation: 4 }).split('.')[1] ?? '').jti, jti)
  assert.ok(token.length < 1_024)
})

test('anything else is refused', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const signed = (head: object, body: object) => {
    const text = `${encoded(head)}.${encoded(body)}`
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
  }
  const head = decoded(header)
  const body = decoded(payload)
  const last = signature.at(-1) === 'A' ? 'B' : 'A'
  const forged: Record<string, string> = {
    empty: '',
    'a word': 'token',
    'two parts': `${header}.${payload}`,
    'four parts': `${token}.x`,
    'no signature': `${header}.${payload}.`,
    'another signature': `${header}.${payload}.${last}${signature.slice(1)}`,
    'the same signature, written otherwise': `${token.slice(0, -1)}${'BCDE'.includes(token.at(-1) ?? '') ? 'F' : 'B'}`,
    padded: `${token}==`,
    'another payload': `${header}.${encoded({ ...body, sub: 'usr_5Hh2mC0Zr3qXw8Vb1KtYpf' })}.${signature}`,
    'alg none': `${encoded({ ...head, alg: 'none' })}.${payload}.`,
    'alg HS256': signed({ ...head, alg: 'HS256' }, body),
    'a key of their own': signed(head, body),
    'a key they bring': signed({ ...head, jwk: privateKey.export({ format: 'jwk' }) }, body),
    'another kid': signed({ ...head, kid: 'x' }, body),
    'typ JWT': signed({ ...head, typ: 'JWT' }, body),
    'a header with more': `${encoded({ ...head, crit: ['exp'] })}.${payload}.${signature}`,
    'too long': `${token}${'A'.repeat(1_024)}`,
  }
  for (const [what, text] of Object.entries(forged)) assert.equal(tokens.read(text), undefined, what)
})

test('of another issuer, or with claims that we never make: refused', () => {
  assert.equal(openTokens(secretOf('one'), { issuer: 'https://other.example' }).read(token), undefined)
  const wrong: Partial<Claims>[] = [
    { user: 'mer_5Hh2mC0Zr3qXw8Vb1KtYpe' },
    { session: '' },
    { generation: 0 },
    { generation: 1.5 },
    { expiresAt: claims.issuedAt },
    { expiresAt: claims.issuedAt + 86_401 },
    { issuedAt: -5 },
  ]
  for (const change of wrong)
    assert.equal(tokens.read(tokens.sign({ ...claims, ...change })), undefined, JSON.stringify(change))
})

test('a key that was replaced verifies, and signs no more', () => {
  const replaced = openTokens(secretOf('two', [secretOf('one')]), { issuer })
  assert.deepEqual(replaced.read(token), claims)
  const younger = replaced.sign(claims)
  assert.notEqual(younger.split('.')[0], header)
  assert.deepEqual(replaced.read(younger), claims)
  assert.equal(tokens.read(younger), undefined)
  assert.equal(openTokens(secretOf('two'), { issuer }).read(token), undefined)
})
