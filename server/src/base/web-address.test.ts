// Which texts are addresses of the web, and which hosts lie below which. What is refused here never reaches a resolver.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hostOf, isBelow, webAddressProblem } from './web-address.ts'

const good = [
  'https://shop.example',
  'http://shop.example:8080/ipn?x=1#top',
  'HTTPS://Shop.Example/',
  'https://xn--caf-dma.example/',
  'https://shop.example/a%20b',
  'https://shop.example/?q=é',
  'http://127.0.0.1:3000/back',
  'http://[::1]/',
  'http://localhost:3000',
  `https://shop.example/${'a'.repeat(2_000)}`,
]

const bad = [
  '',
  'shop.example',
  '//shop.example',
  'https:shop.example',
  'https:/shop.example',
  'https:///shop.example',
  'https://',
  'https://?x',
  'https://#x',
  'ftp://shop.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://user@shop.example',
  'https://user:word@shop.example',
  'https://shop.example@evil.example',
  'https://shop.example\\@evil.example',
  'https:\\\\shop.example',
  ' https://shop.example',
  'https://shop.example ',
  'https://shop.example/a b',
  'https://shop.example/\t',
  'https://shop.example/\r\nX: y',
  'https://shop.example/\u0000',
  'https://café.example',
  'https://shop.example/é',
  'https://shop.example:99999/',
  'https://%zz/',
  `https://shop.example/${'a'.repeat(2_048)}`,
]

describe('addresses', () => {
  for (const text of good)
    test(`good: ${text.slice(0, 60)}`, () => assert.equal(webAddressProblem(text), undefined))
  for (const text of bad)
    test(`refused: ${JSON.stringify(text).slice(0, 60)}`, () =>
      assert.notEqual(webAddressProblem(text), undefined))
})

describe('hosts', () => {
  const rows: [host: string, base: string, below: boolean][] = [
    ['shop.example', 'shop.example', true],
    ['pay.shop.example', 'shop.example', true],
    ['a.b.shop.example', 'shop.example', true],
    ['evilshop.example', 'shop.example', false],
    ['shop.example.evil', 'shop.example', false],
    ['example', 'shop.example', false],
    ['127.0.0.1', '127.0.0.1', true],
    ['1.127.0.0.1', '127.0.0.1', false],
  ]
  for (const [host, base, below] of rows)
    test(`${host} is ${below ? '' : 'not '}below ${base}`, () => assert.equal(isBelow(host, base), below))

  test('all spellings have one form', () => {
    assert.equal(hostOf('https://Shop.Example./x'), 'shop.example')
    assert.equal(hostOf('http://0x7f.1/'), '127.0.0.1')
  })
})
