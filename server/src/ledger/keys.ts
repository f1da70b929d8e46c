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
  const hex = secret.mac().hex(JSON.stringify(parts))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = value as Record<string, unknown>
  const parts: string[] = []
  for (const name of Object.keys(value).sort()) {
    if (unkept.has(name) || fields[name] === undefined) continue
    parts.push(`${JSON.stringify(name)}:${canonical(fields[name])}`)
  }
  return `{${parts.join()}}`
}
