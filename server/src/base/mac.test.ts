// It is HMAC-SHA256, whatever the lengths of key and text, and in whatever order it is asked.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { openMac } from './mac.ts'

test('the same as createHmac', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    // Around the longest that is hashed in one go.
    fc
      .tuple(fc.integer({ min: 1_330, max: 1_360 }), fc.constantFrom('a', 'ÿ', '€'))
      .map(([n, c]) => c.repeat(n)),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.array(texts, { maxLength: 4 }), (bytes, list) => {
      const key = Buffer.from(bytes)
      const mac = openMac(key)
      for (const text of list) {
        const expected = createHmac('sha256', key).update(text).digest()
        assert.equal(mac.binary(text), expected.toString('binary'))
        assert.deepEqual(mac.bytes(text), expected)
      }
    }),
  )
})

test('of a text of any length', () => {
  const text = '😀'.repeat(5_000)
  const expected = createHmac('sha256', 'key').update(text).digest()
  assert.deepEqual(openMac(Buffer.from('key')).bytes(text), expected)
})

test('what was given out stays as it is', () => {
  const mac = openMac(Buffer.from('key'))
  const first = mac.bytes('one')
  const kept = Buffer.from(first)
  mac.bytes('another')
  assert.deepEqual(first, kept)
})
