// The body reader agrees with JSON.parse on everything it accepts, refuses what JSON.parse refuses and a little
// more, and keeps the text of numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AppError } from '../base/errors.ts'
import { numberText, readJson } from './json-body.ts'

const seed = Number(process.env.SEED ?? 1)
const read = (text: string) => readJson(Buffer.from(text))
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const parses = (text: string) => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

test('reads what JSON.parse reads', () => {
  const shallow = fc.jsonValue({ maxDepth: 6 }).filter((value) => JSON.stringify(value).length < 3_000)
  fc.assert(
    fc.property(shallow, fc.constantFrom(0, 1, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      if (/\\u0000/.test(text)) return
      assert.deepEqual(plain(read(text)), JSON.parse(text))
    }),
    { seed, numRuns: 2_000 },
  )
})

test('accepts no text that JSON.parse refuses', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '1',
    '-',
    '.5',
    '1e5',
    '01',
    'true',
    'nul',
    ' ',
    '\\',
    '\t',
    '+',
  ]
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      const expected = parses(text)
      let ours: unknown
      try {
        ours = { value: plain(read(text)) }
      } catch (error) {
        assert.ok(error instanceof AppError && error.code === 'bad_request')
        if (expected !== undefined) assert.match(error.message, /twice/)
        return
      }
      assert.deepEqual(ours, plain(expected))
    }),
    { seed, numRuns: 20_000 },
  )
})

const refused: [what: string, body: string | Buffer, why: RegExp][] = [
  ['nothing', '', /ends too early/],
  ['an open object', '{"a":1', /ends too early/],
  ['a trailing comma', '{"a":1,}', /position 7/],
  ['two values', '{} {}', /follows after its end/],
  ['a duplicate key', '{"a":1,"a":2}', /"a" appears twice/],
  ['a duplicate key written differently', '{"a":1,"\\u0061":2}', /"a" appears twice/],
  ['a lone surrogate', '{"a":"\\ud800"}', /half of a character/],
  ['NUL', '{"a":"\\u0000"}', /NUL/],
  ['a control character', '{"a":"\n"}', /position 5/],
  ['bad UTF-8', Buffer.from([0x22, 0xff, 0x22]), /not UTF-8/],
  ['21 levels', `${'['.repeat(21)}${']'.repeat(21)}`, /deeper than 20/],
  ['201 keys', `{${Array.from({ length: 201 }, (_, n) => `"k${n}":0`).join()}}`, /more than 200 keys/],
  ['NaN', '{"a":NaN}', /unexpected/],
  ['a hexadecimal number', '{"a":0x10}', /unexpected/],
  ['single quotes', "{'a':1}", /unexpected/],
]

for (const [what, body, why] of refused) {
  test(`refuses ${what}`, () => {
    assert.throws(() => readJson(Buffer.from(body)), { code: 'bad_request', message: why })
  })
}

test('20 levels and 200 keys are fine', () => {
  read(`${'['.repeat(20)}${']'.repeat(20)}`)
  read(`{${Array.from({ length: 200 }, (_, n) => `"k${n}":0`).join()}}`)
})

test('keeps the text of numbers', () => {
  for (const text of [
    '100.00000000000000001',
    '9007199254740993',
    '5000.0',
    '5e3',
    '-0',
    '1e400',
    '12',
    '0.1',
  ]) {
    const body = read(`{"amount":${text},"list":[${text}]}`) as { amount: number; list: number[] }
    assert.equal(numberText(body, 'amount', body.amount), text)
    assert.equal(numberText(body.list, 0, body.list[0] ?? Number.NaN), text)
  }
})

test('__proto__ is a key like any other', () => {
  const body = read('{"__proto__":{"admin":true}}') as object
  assert.deepEqual(Object.keys(body), ['__proto__'])
  assert.equal('admin' in body, false)
  assert.equal(({} as { admin?: boolean }).admin, undefined)
})

test('an object has what was sent and nothing else', () => {
  const body = read('{"a":{}}') as { a: object }
  for (const name of ['toString', 'constructor', 'hasOwnProperty', '__proto__', 'valueOf', 'toJSON']) {
    assert.equal(name in body.a, false, name)
    assert.equal(Object.keys(read(`{"${name}":1}`) as object)[0], name)
    assert.throws(() => read(`{"${name}":1,"${name}":1}`), /appears twice/)
  }
  // Nor does one body leave something to the next.
  assert.throws(() => Object.assign(Object.getPrototypeOf(body), { admin: true }), TypeError)
})

test('reads 64 KiB of anything in bounded time', () => {
  for (const text of [
    `"${'a'.repeat(65_000)}"`,
    `[${'0,'.repeat(30_000)}0]`,
    `"${'\\u0041'.repeat(10_000)}"`,
    ' '.repeat(60_000),
  ]) {
    const begun = performance.now()
    try {
      read(text)
    } catch (error) {
      assert.ok(error instanceof AppError)
    }
    assert.ok(performance.now() - begun < 5_000)
  }
})
