// Words that nobody else would ever write, in the places where secrets are sent (fields, headers, addresses), and in places
// where they are not expected. Where one is seen afterwards, something has been told that should not be.
import { randomBytes } from 'node:crypto'
import type { Input } from '../../../server/test/fuzz/inputs.ts'
import type { Route } from '../../../server/test/route-table.ts'
import type { Chance } from '../../../simulator/src/chance.ts'

export interface Canaries {
  /** Sent as passwords, keys and tokens: must be seen nowhere at all. */
  secret: string[]
  /** Sent in other fields: may be shown to their owner, and must not be in a log or an error. */
  stray: string[]
  /** The same request, with canaries in it. */
  carry(input: Input, route: Route): Input
}

const words = (count: number): string[] =>
  Array.from({ length: count }, () => `Kanari${randomBytes(12).toString('hex')}`)

export function openCanaries(chance: Chance, count: number): Canaries {
  const [secret, stray] = [words(count), words(count)]
  const pick = (from: readonly string[]) => from[chance.below(from.length)] ?? ''
  const birds: Birds = {
    secret: () => pick(secret),
    stray: () => pick(stray),
    happens: (share) => chance.happens(share),
    oneOf: (all) => all[chance.below(all.length)] as (typeof all)[number],
  }
  return {
    secret,
    stray,
    carry: (input, route) => {
      const ways = [inBody, inHeaders, inQuery, ...(route.path.includes(':') ? [inPath] : [])]
      // One thing at a time, mostly: a request that is good in all else gets far.
      const first = birds.happens(0.5) ? inBody : birds.oneOf(ways)
      const changed = first(input, birds)
      return birds.happens(0.3) ? birds.oneOf(ways)(changed, birds) : changed
    },
  }
}

interface Birds {
  secret(): string
  stray(): string
  happens(share: number): boolean
  oneOf<T>(all: readonly T[]): T
}

const secretField = /password|pin|token|secret|code$|proof|key/
const namesToAdd = ['password', 'pin', 'token', 'client_secret', 'api_key', 'authorization', 'card_number']

/** In the fields that hold a secret; where there is none, in one that nobody asked for. */
function inBody(input: Input, birds: Birds): Input {
  const fields = fieldsOf(input)
  if (fields === undefined) return input
  const names = Object.keys(fields)
  const kept = names.filter((name) => secretField.test(name) && name !== 'currency_code')
  const strays = names.filter((name) => !kept.includes(name))
  const changed = { ...fields }
  if (kept.length > 0) changed[birds.oneOf(kept)] = birds.secret()
  else changed[birds.oneOf(namesToAdd)] = birds.secret()
  if (strays.length > 0 && birds.happens(0.4)) changed[birds.oneOf(strays)] = birds.stray()
  return { ...input, body: bodyOf(input, changed) }
}

const isForm = ({ headers }: Input) => headers['content-type']?.includes('urlencoded') ?? false

function fieldsOf(input: Input): Record<string, unknown> | undefined {
  if (input.body === undefined) return undefined
  if (isForm(input)) return Object.fromEntries(new URLSearchParams(input.body.toString()))
  try {
    const value: unknown = JSON.parse(input.body.toString())
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const bodyOf = (input: Input, fields: Record<string, unknown>): Buffer =>
  Buffer.from(
    isForm(input) ? new URLSearchParams(fields as Record<string, string>).toString() : JSON.stringify(fields),
  )

function inHeaders(input: Input, birds: Birds): Input {
  const word = birds.secret()
  const header = birds.oneOf<Record<string, string>>([
    { authorization: `Bearer ${word}` },
    { authorization: `Bearer eyJhbGciOiJFZERTQSJ9.${word}.${word}` },
    { authorization: `Basic ${Buffer.from(`a:${word}`).toString('base64')}` },
    { 'x-svc-key': `svc_live_${word}` },
    { 'svc-api-key': `svc_test_${word}`, 'svc-merchant-key': '12345678' },
    { 'x-api-key': word, 'x-merchant-key': word },
    { cookie: `co=${word}; __Host-co=${word}; __Host-session=${word}` },
    { 'idempotency-key': word },
    { 'user-agent': birds.stray(), referer: `https://duka.example/?token=${word}` },
    { 'x-forwarded-for': word, 'x-request-id': word },
  ])
  return { ...input, headers: { ...input.headers, ...header } }
}

function inQuery(input: Input, birds: Birds): Input {
  const pair = birds.oneOf([
    `api_key=svc_live_${birds.secret()}`,
    `password=${birds.secret()}`,
    `access_token=${birds.secret()}`,
    `cursor=${birds.stray()}`,
    `limit=${birds.stray()}`,
    `q=${birds.stray()}`,
  ])
  return { ...input, url: `${input.url}${input.url.includes('?') ? '&' : '?'}${pair}` }
}

/** In the place of the first part that looks like a name of something. */
function inPath(input: Input, birds: Birds): Input {
  const [path = '', query] = input.url.split('?')
  const parts = path.split('/')
  const at = Math.min(parts.length - 1, 3)
  parts[at] = birds.happens(0.5) ? birds.stray() : birds.secret()
  return { ...input, url: query === undefined ? parts.join('/') : `${parts.join('/')}?${query}` }
}
