// Sealed values: opened only at their own place, with a key that is known; nothing of the text shows.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { openSeal } from './seal.ts'
import { Secret } from './secret.ts'

const one = new Secret(randomBytes(32))
const other = new Secret(randomBytes(32))
const place = { table: 'merchants.client_secrets', row: 'sec_1', column: 'sealed' }
const text = 'whsec_c2VjcmV0IMOpIPCfpqE='

describe('a seal', () => {
  test('opens what it has sealed', () => {
    const seal = openSeal(one)
    for (const value of [text, '', 'é🦡', 'x'.repeat(10_000)])
      assert.equal(seal.open(seal.seal(value, place), place), value)
  })

  test('makes another value each time, and shows nothing of the text', () => {
    const seal = openSeal(one)
    const [first, second] = [seal.seal(text, place), seal.seal(text, place)]
    assert.notDeepEqual(first, second)
    assert.ok(!first.includes('whsec_'))
    assert.equal(first.length, 1 + 8 + 12 + Buffer.byteLength(text) + 16)
  })

  for (const [what, moved] of Object.entries({
    'another row': { ...place, row: 'sec_2' },
    'another column': { ...place, column: 'other' },
    'another table': { ...place, table: 'merchants.answers' },
    'parts that run together to the same text': { ...place, table: 'merchants', row: 'client_secrets' },
  }))
    test(`a value that was moved to ${what} does not open`, () => {
      const seal = openSeal(one)
      assert.throws(() => seal.open(seal.seal(text, place), moved))
    })

  test('a value in which any byte was changed does not open', () => {
    const seal = openSeal(one)
    const sealed = seal.seal(text, place)
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      assert.throws(() => seal.open(changed, place), `byte ${at}`)
    }
    for (const length of [0, 5, 9, 20, 36, sealed.length - 1])
      assert.throws(() => seal.open(sealed.subarray(0, length), place), `${length} bytes`)
  })

  test('another key does not open it; as the one that was replaced it does', () => {
    const sealed = openSeal(one).seal(text, place)
    assert.throws(() => openSeal(other).open(sealed, place), /still known/)
    const replaced = openSeal(new Secret(other.reveal(), [one]))
    assert.equal(replaced.open(sealed, place), text)
    assert.ok(
      !sealed.subarray(0, replaced.head.length).equals(replaced.head),
      'it is seen to be of the old key',
    )
    const anew = replaced.seal(text, place)
    assert.ok(anew.subarray(0, replaced.head.length).equals(replaced.head))
    assert.equal(openSeal(other).open(anew, place), text)
  })
})
