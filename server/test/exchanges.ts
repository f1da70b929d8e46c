// Plays the provider in an exchange: answers each request with the next answer, without any network.
import assert from 'node:assert/strict'
import type { Exchange, WireAnswer, WireOperation, WireRequest } from '../src/providers/providers.ts'

/** An error is thrown into the exchange, as the caller does when there is no answer. */
export type GivenAnswer = [status: number, body: string] | Error

export interface Played<Result> {
  requests: WireRequest[]
  result: Result
}

export function play<Result>(exchange: Exchange<Result>, answers: GivenAnswer[]): Played<Result> {
  const requests: WireRequest[] = []
  let step = exchange.next()
  while (!step.done) {
    requests.push(step.value)
    const given = answers[requests.length - 1] ?? assert.fail(`no answer to ${step.value.path}`)
    step = given instanceof Error ? exchange.throw(given) : exchange.next(answer(...given))
  }
  assert.equal(requests.length, answers.length, 'every answer was asked for')
  return { requests, result: step.value }
}

export const answer = (status: number, body: string): WireAnswer => ({ status, headers: {}, body })

/** `2019-12-19 10:20:36` in Nairobi. */
const at = new Date('2019-12-19T07:20:36.000Z')

export const wireOperation = (
  given: Partial<WireOperation> & Pick<WireOperation, 'amount'>,
): WireOperation => ({
  id: '0b6f7a52-9c1e-4f0e-8a55-3d1f6c2b7e90',
  kind: 'collect',
  phone: undefined,
  email: undefined,
  account: undefined,
  reference: 'DP-7K3MQ-9WD2X-PB4',
  about: 'Dépôt – Mfuko <1>',
  callbackUrl: 'https://pay.example.com/hooks/p/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  at,
  returnUrl: undefined,
  providerReference: undefined,
  receipt: undefined,
  original: undefined,
  ...given,
})

export interface Leaf {
  path: (string | number)[]
  value: unknown
}

/** Every place in a JSON value, its root included. */
export function placesOf(value: unknown, path: Leaf['path'] = []): Leaf[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [{ path, value }, ...inner.flatMap(([name, part]) => placesOf(part, [...path, name]))]
}

/** The same value with something else in that place. */
export function withAt(value: unknown, path: Leaf['path'], other: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return other
  const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [...value] : { ...Object(value) }
  Reflect.set(copy, name, withAt(Reflect.get(copy, name), rest, other))
  return copy
}
