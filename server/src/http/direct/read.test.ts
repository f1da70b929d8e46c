// Only the plainest requests are read directly, and all of what was sent is in what was read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPlain } from './read.ts'

const body = '{"a":1}'
const good =
  'POST /api/send?a=%20b HTTP/1.1\r\nHost: localhost:8080\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${body.length}\r\n\r\n${body}`

// What is read directly and what is left to Node. The first column: what is put in place of `Content-Type: …`.
const rows: [line: string, direct: boolean][] = [
  ['X-Plain: a b,c;d="e"', true],
  ['Connection: keep-alive', true],
  ['X-None:a', true],
  ['Connection: close', false],
  ['Transfer-Encoding: chunked', false],
  ['Expect: 100-continue', false],
  ['Host: twice', false],
  ['Content-Length: 7', false],
  ['X-Letters: \xe9', false],
  ['X-Tab: a\tb', false],
  ['X-Bare: a\rb', false],
  ['X-Bare: a\nb', false],
  ['X-Folded: a\r\n b', false],
  ['X-Empty:', false],
  ['Set-Cookie: a=b', false],
  ['constructor: a', false],
  [`X-Long: ${'a'.repeat(9_000)}`, false],
  [Array.from({ length: 60 }, (_, index) => `X-${index}: a`).join('\r\n'), false],
]

test('only the plainest requests are read directly', () => {
  for (const [line, direct] of rows) {
    const plain = readPlain(Buffer.from(good.replace(/Content-Type: [^\r]+/, line), 'latin1'))
    assert.equal(plain !== undefined, direct, line)
  }
  const plain = readPlain(Buffer.from(good))
  assert.deepEqual(
    { ...plain, body: plain?.body.toString() },
    {
      url: '/api/send?a=%20b',
      headers: { host: 'localhost:8080', 'content-type': 'application/json', 'content-length': '7' },
      body: '{"a":1}',
    },
  )
  for (const other of [
    good.slice(0, -1),
    `${good}x`,
    good.replace('POST', 'GET'),
    good.replace('1.1', '1.0'),
  ])
    assert.equal(readPlain(Buffer.from(other)), undefined, other)
})
