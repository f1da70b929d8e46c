// What providers send is read without losing a digit, and without trusting that it is what it should be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, nameAt, quoted, readAmount, readJson, textAt } from './json.ts'

test('numbers keep the text they were written as', () => {
  const body = readJson('{"a":9007199254740993,"b":1.00,"c":[1e3],"d":"0","e":0}')
  assert.deepEqual(body, { a: '9007199254740993', b: '1.00', c: ['1e3'], d: '0', e: '0' })
  assert.equal(readAmount(textAt(body, 'a'), 'USD'), undefined)
  assert.deepEqual(readAmount('90071992547409.91', 'USD'), { minor: 9_007_199_254_740_991n, currency: 'USD' })
  assert.deepEqual(readAmount(textAt(body, 'b'), 'KES'), { minor: 100n, currency: 'KES' })
  assert.equal(readAmount('100', 'EUR'), undefined)
  assert.equal(readAmount('0', 'KES'), undefined)
  assert.equal(readAmount('0.001', 'KES'), undefined)
})

test('what is no JSON is nothing', () => {
  for (const text of ['', '{', '<html>', '['.repeat(200_000), `${'['.repeat(200_000)}${']'.repeat(200_000)}`])
    assert.equal(readJson(text), undefined)
})

test('only what was sent is found', () => {
  const body = readJson('{"a":{"b":"x","empty":"","list":["y"]},"__proto__":{"hidden":"z"}}')
  assert.equal(textAt(body, 'a', 'b'), 'x')
  for (const path of [
    ['a'],
    ['a', 'empty'],
    ['a', 'list'],
    ['a', 'list', '0'],
    ['a', 'b', 'length'],
    ['hidden'],
    ['toString'],
  ])
    assert.equal(textAt(body, ...path), undefined, path.join('.'))
  assert.equal(at(undefined, 'a'), undefined)
  assert.equal(nameAt(readJson('{"id":"ws_CO_1"}'), 'id'), 'ws_CO_1')
  for (const id of ['two words', 'x'.repeat(101), 'a\nb', 'é'])
    assert.equal(nameAt(readJson(JSON.stringify({ id })), 'id'), undefined)
})

test('what is quoted is one short line', () => {
  assert.equal(quoted('a\n\u0000b\u202e'), 'a  b')
  assert.equal(quoted('x'.repeat(500)).length, 200)
  assert.equal(quoted(undefined), '')
})
