// API keys: a made one is read again, any slip is noticed without a database, and one is found inside other text.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findApiKey, newApiKey, readApiKey } from './api-key.ts'

describe('API keys', () => {
  test('are made in the form that is documented, and read again', () => {
    for (const mode of ['live', 'test'] as const) {
      const key = newApiKey(mode)
      assert.match(key.text, new RegExp(`^svc_${mode}_[0-9A-Za-z]{49}$`))
      assert.match(key.prefix, new RegExp(`^svc_${mode}_[0-9A-Za-z]{12}$`))
      assert.ok(key.text.startsWith(key.prefix))
      assert.deepEqual(readApiKey(key.text), key)
    }
  })

  test('no two are alike', () => {
    const texts = new Set(Array.from({ length: 1_000 }, () => newApiKey('live').text))
    assert.equal(texts.size, 1_000)
  })

  test('a slip in any place is noticed', () => {
    const { text } = newApiKey('live')
    for (let place = 0; place < text.length; place++) {
      const slipped = text.slice(0, place) + (text[place] === 'a' ? 'b' : 'a') + text.slice(place + 1)
      assert.equal(readApiKey(slipped), undefined, slipped)
    }
    for (const other of [
      text.slice(1),
      `${text}0`,
      ` ${text}`,
      text.replace('live', 'test'),
      text.toUpperCase(),
      '',
    ])
      assert.equal(readApiKey(other), undefined, other)
  })

  test('whatever is read does not throw, and is no key', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (text) => {
        assert.equal(readApiKey(text), undefined)
        assert.equal(findApiKey(text), undefined)
      }),
    )
  })

  test('one is found inside other text, and only a real one', () => {
    const { text, prefix } = newApiKey('test')
    assert.equal(findApiKey(`/api/pay?key=${text}&amount=5`)?.prefix, prefix)
    assert.equal(findApiKey(`{"description":"my key is ${text}, keep it"}`)?.prefix, prefix)
    assert.equal(findApiKey(`svc_test_${'x'.repeat(49)} ${text}`)?.prefix, prefix)
    assert.equal(findApiKey(`the keys begin with svc_test_ and svc_live_`), undefined)
    assert.equal(findApiKey(`svc_test_${'x'.repeat(49)}`), undefined)
  })
})
