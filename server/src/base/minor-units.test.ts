// Minor units as other services write them are read and written exactly, or refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromMinorText, minorMax, minorToJson } from './money.ts'

const seed = Number(process.env.SEED ?? 1)

test('what is written is read again', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, minorMax), (minor) => {
      const text = JSON.stringify({ amount: minorToJson({ minor, currency: 'KES' }) })
      assert.equal(text, `{"amount":${minor}}`)
      assert.deepEqual(fromMinorText(`${minor}`, 'KES'), { minor, currency: 'KES' })
    }),
    { seed },
  )
})

test('what is not whole, not above zero or too large is none', () => {
  const none = ['', '0', '-1', '1.0', '1e3', '01', ' 1', '0x1', 'NaN', `${minorMax + 1n}`, '1'.repeat(400)]
  for (const text of none) assert.equal(fromMinorText(text, 'KES'), undefined, text)
})
