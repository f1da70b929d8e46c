// References: every number has one, which leads back to it and to no other, however it was heard.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeReference, encodeReference } from './reference.ts'
import { Secret } from './secret.ts'

const secretOf = (text: string) => new Secret(createHash('sha256').update(text).digest())
const secret = secretOf('one')

test('leads back to its number', () => {
  const ids = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
  fc.assert(
    fc.property(ids, (id) => {
      const text = encodeReference(secret, { kind: 'TR', id })
      assert.match(text, /^TR-[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{3}$/)
      assert.deepEqual(decodeReference(secret, text), { kind: 'TR', id })
    }),
  )
})

test('as somebody heard it', () => {
  for (let id = 1n; id < 200n; id++) {
    const text = encodeReference(secret, { kind: 'WD', id })
    const heard = text.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    assert.deepEqual(decodeReference(secret, ` ${heard} `), { kind: 'WD', id })
  }
})

test('neighbours look unlike, kinds and secrets make others', () => {
  const seen = new Set<string>()
  for (let id = 1n; id < 5_000n; id++) seen.add(encodeReference(secret, { kind: 'TR', id }))
  assert.equal(seen.size, 4_999)
  const first = [...seen].filter((text) => text.startsWith([...seen][0]?.slice(0, 5) ?? ''))
  assert.ok(first.length < 40, `${first.length} begin alike`)
  const one = encodeReference(secret, { kind: 'TR', id: 7n })
  assert.notEqual(one.slice(2), encodeReference(secret, { kind: 'DP', id: 7n }).slice(2))
  assert.notEqual(one, encodeReference(secretOf('two'), { kind: 'TR', id: 7n }))
})

for (const text of [
  '',
  'TR',
  'TR-',
  'TR-UUUUU-UUUUU-UUU',
  'TR-00000-00000-0000',
  'ZZZZZZZZZZZZZZZZ',
  '🦊',
  'x'.repeat(500),
]) {
  test(`is none: ${text.slice(0, 20)}`, () => assert.equal(decodeReference(secret, text), undefined))
}
