// Values without I/O: secrets don't print, ids are well formed, broken promises throw.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { check } from './check.ts'
import { newId, randomBase62 } from './ids.ts'
import { Secret } from './secret.ts'

test('a secret prints as three stars everywhere', () => {
  const secret = new Secret(Buffer.from('very-hidden-words'))
  for (const shown of [`${secret}`, JSON.stringify({ secret }), inspect({ secret }), String(secret)]) {
    assert.doesNotMatch(shown, /hidden/)
    assert.match(shown, /\*\*\*/)
  }
  assert.equal(secret.reveal().toString(), 'very-hidden-words')
})

test('secrets compare by their bytes', () => {
  const secret = new Secret(Buffer.from('abc'))
  assert.equal(secret.equals(new Secret(Buffer.from('abc'))), true)
  assert.equal(secret.equals(new Secret(Buffer.from('abd'))), false)
  assert.equal(secret.equals(new Secret(Buffer.from('abcd'))), false)
})

test('ids carry their kind and use every character', () => {
  assert.match(newId('req'), /^req_[0-9A-Za-z]{22}$/)
  assert.equal(new Set(randomBase62(20_000)).size, 62)
  assert.notEqual(newId('req'), newId('req'))
})

test('a broken promise throws', () => {
  assert.throws(() => check(false, 'the sum is zero'), /the sum is zero/)
  check(true, 'nothing')
})
