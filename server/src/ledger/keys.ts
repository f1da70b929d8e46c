// Keys of requests that may be repeated. What is stored is a keyed hash of who asked for what under which key, and
// one of the body without PIN and password: a copy of the table gives nothing away, and can't be searched for a PIN.
import type { Secret } from '../base/secret.ts'

export interface RequestKey {
  /** Of principal, mode, route and the caller's own key. */
  id: string
  /** Of the body, so that the same key with another body is noticed. */
  fingerprint: string
}

export interface KeyedRequest {
  principal: { kind: string; id: string }
  mode: string
  /** Method and route template. */
  route: string
  key: string
  /** As validated: unknown fields are gone, and key order does not matter. */
  body: object
}

const unkept = new Set(['pin', 'password'])

export function requestKey(secret: Secret, request: KeyedRequest): RequestKey {
  const { principal, mode, route, key, body } = request
  return {
    id: keyed(secret, ['key', principal.kind, principal.id, mode, route, key]),
    fingerprint: keyed(secret, ['body', canonical(body)]),
  }
}

/** 128 bits, in the form of a uuid. */
function keyed(secret: Secret, parts: string[]): string {
  // As JSON, so that no two lists of parts run together to the same text.
  const bytes = secret.mac().binary(JSON.stringify(parts))
  let at = 0
  for (let index = 0; index < 16; index++) {
    if (uuidRoom[at] === dash) at += 1
    const byte = bytes.charCodeAt(index)
    uuidRoom[at++] = hexDigits[byte >> 4] as number
    uuidRoom[at++] = hexDigits[byte & 15] as number
  }
  return uuidRoom.toString('latin1')
}

/** A text that is put together from parts is slower to find and to compare, and keys are, often. */
const uuidRoom = Buffer.from('00000000-0000-0000-0000-000000000000')
const hexDigits = Buffer.from('0123456789abcdef')
const dash = 0x2d

/** JSON with the keys of every object in one order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = value as Record<string, unknown>
  if (isOrdered(fields)) return JSON.stringify(fields)
  const parts: string[] = []
  for (const name of Object.keys(value).sort()) {
    if (unkept.has(name) || fields[name] === undefined) continue
    parts.push(`${JSON.stringify(name)}:${canonical(fields[name])}`)
  }
  return `{${parts.join()}}`
}

/** Would JSON.stringify write it just so? Asking it once for all fields takes a fifth of the time. */
function isOrdered(fields: Record<string, unknown>): boolean {
  let before = ''
  for (const name of Object.keys(fields)) {
    if (name < before || unkept.has(name) || typeof fields[name] === 'object') return false
    before = name
  }
  return true
}
