// The SDK agrees with the server on every vector: what is signed, what a receiver makes of a delivery, what an amount is,
// what an error says, and what may be tried again. The files are made with the server's own functions.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type Currency, currencies, formatAmount, fromMinor, isAmount, toMinor } from '../src/amounts.ts'
import { failureOf } from '../src/errors.ts'
import { createReceiver, NotificationError } from '../src/receiver.ts'
import { mayRepeat } from '../src/retry.ts'
import { isBodySignature, isWebhookSignature } from '../src/signatures.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), 'utf8'))
const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

describe('signatures', () => {
  const { cases } = read('signatures')
  for (const one of cases)
    test(one.name, async () => {
      const body = bytes(one.body_base64)
      assert.deepEqual(body, new Uint8Array(new TextEncoder().encode(one.body)))
      const signed = { id: one.id, timestamp: String(one.timestamp), signature: one.webhook_signature, body }
      assert.equal(await isWebhookSignature(one.secret, signed), true)
      assert.equal(await isBodySignature(one.secret, { signatures: one.svc_signature, body }), true)
      const other = cases.find(({ secret }: { secret: string }) => secret !== one.secret)
      assert.equal(await isWebhookSignature(other.secret, signed), false)
      assert.equal(await isBodySignature(other.secret, { signatures: one.svc_signature, body }), false)
    })
})

describe('deliveries', () => {
  const { cases, tolerance_seconds: toleranceSeconds } = read('deliveries')
  for (const one of cases)
    for (const [signature, expected] of [
      ['standard', one.standard],
      ['body', one.body_only],
    ] as const)
      test(`${one.name} (${signature}): ${expected}`, async () => {
        const receiver = createReceiver({
          clientSecret: one.secrets,
          toleranceSeconds,
          signature,
          now: () => one.now,
        })
        const { headers } = one
        const verdict = await receiver.read({ headers, body: bytes(one.body_base64) }).then(
          () => 'ok',
          (error: unknown) => (error instanceof NotificationError ? error.reason : String(error)),
        )
        assert.equal(verdict, expected)
        const again = await receiver.read({ headers: new Headers(headers), body: one.body }).then(
          () => 'ok',
          (error: NotificationError) => error.reason,
        )
        assert.equal(again, expected, 'the same with Headers and text')
      })
})

describe('amounts', () => {
  const vectors = read('amounts')
  test('the currencies', () => assert.deepEqual({ ...currencies }, vectors.currencies))
  for (const { text, currency, minor, decimal, payable, exact_as_float: isExact } of vectors.cases)
    test(`${text.slice(0, 30)} ${currency}: ${minor}`, () => {
      assert.equal(isAmount(text, currency), payable)
      if (minor === null) {
        assert.throws(() => toMinor(text, currency), RangeError)
        return
      }
      assert.equal(toMinor(text, currency).toString(), minor)
      assert.equal(fromMinor(BigInt(minor), currency), decimal)
      // What came as a JSON number is still the same amount, or is refused.
      const number = JSON.parse(decimal)
      if (isExact) assert.equal(toMinor(number, currency).toString(), minor)
      else assert.throws(() => toMinor(number, currency), RangeError)
    })

  test('what is no currency', () => {
    for (const code of ['EUR', 'usd', '', 'toString'])
      assert.throws(() => toMinor('1', code as Currency), RangeError)
  })

  test('for people', () => {
    assert.equal(formatAmount(10_000, 'UGX'), 'UGX 10,000')
    assert.equal(formatAmount('1250.5', 'KES'), 'KES 1,250.50')
    assert.equal(formatAmount(9_007_199_254_740_991n, 'USD'), 'USD 90,071,992,547,409.91')
    assert.equal(formatAmount(1_250.5, 'KES', 'fr'), 'KES 1\u202f250,50')
    assert.equal(fromMinor(-5n, 'USD'), '-0.05')
  })
})

describe('errors', () => {
  for (const { name, status, headers = {}, body, expected } of read('errors').cases)
    test(name, () => {
      const given = new Headers(headers)
      const parsed = (() => {
        try {
          return JSON.parse(body)
        } catch {
          return body
        }
      })()
      const failure = failureOf({
        status,
        body: parsed,
        requestId: given.get('x-request-id'),
        retryAfter: given.get('retry-after'),
      })
      assert.deepEqual(
        {
          code: failure.code,
          request_id: failure.requestId ?? null,
          errors: failure.errors ?? {},
          retry_after: failure.retryAfterSeconds ?? null,
          attempts_left: failure.attemptsLeft ?? null,
        },
        expected,
      )
    })
})

test('what may be tried again', () => {
  for (const { method, has_key: hasKey, status, repeat } of read('retries').cases)
    assert.equal(mayRepeat({ method, hasKey, status }), repeat, `${method} ${hasKey} ${status}`)
})
