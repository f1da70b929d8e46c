// Which addresses notifications may go to, in all spellings that a URL and the network know. That none of the refused ones
// is ever connected to is tested in ssrf.test.ts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testConfig } from '../../test/helpers.ts'
import { guardOf, originOf } from './guard.ts'

const production = {
  ...testConfig({ ALLOW_PRIVATE_CALLBACKS: 'off' }),
  production: true,
  BASE_URL: 'https://pay.example',
}
const strict = guardOf(production)
const development = guardOf(testConfig())

const networks4 = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
] as const
const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const addressOf = (number: number) => [24, 16, 8, 0].map((shift) => (number / 2 ** shift) & 255).join('.')

describe('IPv4: first, last and middle of every special network, in every form', () => {
  for (const [first, last] of networks4) {
    test(`${first}–${last}`, () => {
      const middle = addressOf(Math.floor((numberOf(first) + numberOf(last)) / 2))
      for (const address of [first, middle, last]) {
        for (const form of forms(address)) assert.equal(strict.isAllowed(form), false, form)
        for (const host of spellings(address))
          assert.notDeepEqual(strict.targetProblems(`https://${host}/ipn`, 'live'), [], host)
      }
    })
  }

  /** As a resolver or a socket may say it. */
  const forms = (address: string) => {
    const hex = numberOf(address).toString(16).padStart(8, '0')
    const [high, low] = [hex.slice(0, 4), hex.slice(4)]
    return [
      address,
      `::ffff:${address}`,
      `::ffff:${high}:${low}`,
      `0:0:0:0:0:ffff:${high}:${low}`,
      `::${address}`,
      `64:ff9b::${address}`,
      `64:ff9b:1::${high}:${low}`,
      `2002:${high}:${low}::1`,
      `2001:0:${high}:${low}::`,
    ]
  }

  /** As somebody may write it into a URL. */
  const spellings = (address: string) => {
    const number = numberOf(address)
    const parts = address.split('.').map(Number)
    const octal = parts.map((part) => `0${part.toString(8)}`).join('.')
    const hexParts = parts.map((part) => `0x${part.toString(16)}`).join('.')
    const [a = 0, b = 0, c = 0, d = 0] = parts
    return [
      address,
      `${address}.`,
      String(number),
      `0x${number.toString(16)}`,
      `0${number.toString(8)}`,
      octal,
      hexParts,
      `${a}.${number % 2 ** 24}`,
      `${a}.${b}.${c * 256 + d}`,
      ...forms(address)
        .slice(1)
        .map((form) => `[${form}]`),
    ]
  }
})

test('IPv6: only the public part, without what stands for something else', () => {
  const refused = [
    '::',
    '::1',
    'fc00::1',
    'fd00::9',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
    '64:ff9b::8.8.8.8',
    '2001::1',
    '2001:1ff:ffff::',
    '2001:db8::1',
    '2001:db8:ffff::',
    '2002:808:808::1',
    '3fff::1',
    '3fff:fff::',
    '4000::1',
    '1fff::1',
    '5f00::1',
  ]
  for (const address of refused) assert.equal(strict.isAllowed(address), false, address)
  for (const address of [
    '2001:200::1',
    '2606:4700::1111',
    '2a00:1450:4001:81b::200e',
    '3ffe::1',
    '::ffff:8.8.8.8',
  ])
    assert.equal(strict.isAllowed(address), true, address)
})

test('just outside the special networks is allowed', () => {
  const allowed = ['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255']
  allowed.push('128.0.0.1', '169.253.255.255', '172.15.255.255', '172.32.0.0', '192.0.1.0', '223.255.255.255')
  for (const address of allowed) assert.equal(strict.isAllowed(address), true, address)
})

test('what is no address is not allowed', () => {
  for (const text of ['', 'localhost', '127.1', '0x7f000001', '1.2.3.4.5', '[::1]', '::g'])
    assert.equal(strict.isAllowed(text), false, text)
})

describe('addresses as merchants give them', () => {
  const rows: [url: string, mode: 'live' | 'test', ok: boolean][] = [
    ['https://shop.example/ipn', 'live', true],
    ['https://shop.example:8443/ipn?a=1', 'live', true],
    ['https://8.8.8.8/ipn', 'live', true],
    ['https://xn--bcher-kva.example/', 'live', true],
    ['http://shop.example/ipn', 'live', false],
    ['http://shop.example/ipn', 'test', true],
    ['http://shop.example:8080/ipn', 'test', true],
    ['https://shop.example:8080/ipn', 'live', false],
    ['https://shop.example:22/', 'live', false],
    ['http://shop.example:5432/', 'test', false],
    ['https://shop.example:65536/', 'live', false],
    ['https://user@shop.example/', 'live', false],
    ['https://user:pass@shop.example/', 'live', false],
    ['https:shop.example', 'live', false],
    ['//shop.example/', 'live', false],
    ['ftp://shop.example/', 'live', false],
    ['javascript:alert(1)', 'live', false],
    ['file:///etc/passwd', 'test', false],
    ['gopher://shop.example/', 'test', false],
    ['https://', 'live', false],
    ['https:///path', 'live', false],
    ['https://shop.example\\@evil.example/', 'live', false],
    ['https://shop.example/a b', 'live', false],
    ['https://shop.example/\n', 'live', false],
    ['https://shop.example/\u0000', 'live', false],
    ['https://shop.example/é', 'live', false],
    ['https://bücher.example/', 'live', false],
    ['https://127。0。0。1/', 'live', false],
    ['https://①②⑦.0.0.1/', 'live', false],
    ['https://localhost/', 'live', false],
    ['https://LOCALHOST/', 'live', false],
    ['https://localhost./', 'live', false],
    ['https://a.localhost/', 'live', false],
    ['https://printer.local/', 'live', false],
    ['https://metadata.google.internal/', 'live', false],
    ['https://router.home.arpa/', 'live', false],
    ['https://intranet/', 'live', false],
    ['https://pay.example/api', 'live', false],
    ['https://PAY.example./api', 'test', false],
    [`https://shop.example/${'a'.repeat(2_100)}`, 'live', false],
  ]
  for (const [url, mode, ok] of rows) {
    test(`${url.slice(0, 60)} ${mode}`, () => {
      const problems = strict.targetProblems(url, mode)
      assert.equal(problems.length === 0, ok, problems.join('; '))
    })
  }
})

test('outside production a shop on this machine works, on any port; the metadata of a cloud does not', () => {
  for (const url of [
    'http://localhost:3000/ipn',
    'http://127.0.0.1:4000/',
    'http://shop:3000/',
    'http://[::1]:1/',
    'http://192.168.1.5/',
  ])
    assert.deepEqual(development.targetProblems(url, 'live'), [], url)
  assert.notDeepEqual(development.targetProblems('http://169.254.169.254/latest', 'live'), [])
  assert.equal(development.isAllowed('169.254.169.254'), false)
  assert.equal(development.isAllowed('fe80::1'), false)
})

test('in production single networks can be opened', () => {
  const opened = guardOf({ ...production, CALLBACK_ALLOW_CIDRS: ['10.1.0.0/16', 'fd00:1::/32'] })
  assert.equal(opened.isAllowed('10.1.2.3'), true)
  assert.equal(opened.isAllowed('::ffff:10.1.2.3'), true)
  assert.equal(opened.isAllowed('fd00:1::5'), true)
  assert.equal(opened.isAllowed('10.2.0.1'), false)
  assert.deepEqual(opened.targetProblems('https://shop.internal/ipn', 'live'), [])
  assert.notDeepEqual(opened.targetProblems('https://shop.internal:3000/ipn', 'live'), [])
  assert.notDeepEqual(opened.targetProblems('https://127.0.0.1/ipn', 'live'), [])
})

test('one origin, however it is written', () => {
  for (const url of ['https://Shop.Example/a', 'https://shop.example:443/b?c', 'https://shop.example./d#e'])
    assert.equal(originOf(url), 'https://shop.example')
  assert.equal(originOf('http://0x7f.1:8080/'), 'http://127.0.0.1:8080')
  assert.equal(originOf('http://[::FFFF:127.0.0.1]/'), 'http://[::ffff:7f00:1]')
})
