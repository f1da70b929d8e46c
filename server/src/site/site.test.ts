// Each row promises how a path is served to a browser: status, cache, encoding. The folder is a small one made
// here, so that no row depends on a build; web/test opens the real pages.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { testApp } from '../../test/helpers.ts'

const webDir = mkdtempSync(join(tmpdir(), 'mfuko-site-'))
after(() => rmSync(webDir, { recursive: true }))
const script = 'console.log("hello")\n'.repeat(100)
makeSite()

const { app } = await testApp({ webDir })
const { app: unbuilt } = await testApp({ webDir: join(webDir, 'nothing-here') })

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const year = 'public, max-age=31536000, immutable'
const day = 'public, max-age=86400'

interface Row {
  path: string
  status: number
  type: string
  cache: string
}

const rows: Row[] = [
  { path: '/', status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/?from=mail', status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/app', status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/app/', status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/app/wallets/UGX', status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/docs', status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/docs/guides/errors', status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/docs/reference/api', status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/favicon.svg', status: 200, type: 'image/svg+xml', cache: day },
  { path: '/robots.txt', status: 200, type: 'text/plain; charset=utf-8', cache: day },
  { path: '/assets/app-1a2b.js', status: 200, type: 'application/javascript; charset=utf-8', cache: year },
  { path: '/nothing', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/index.html', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/.stamp', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/docs/index', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/docs/guides', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/docs/guides/errors.html', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/docs/guides/errors/', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/docs/guides%2ferrors.html', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/docs/..%2freference', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/docs/../.stamp', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/assets', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/assets/', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/assets/gone-9z.js', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/assets/app-1a2b.js.br', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/assets/..%2f.stamp', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
  { path: '/assets/%2e%2e%2findex.html', status: 404, type: 'text/html; charset=utf-8', cache: 'no-cache' },
]

describe('paths', () => {
  for (const { path, status, type, cache } of rows) {
    test(`${path} answers ${status}`, async () => {
      const reply = await app.inject({ url: path, headers: html })
      assert.equal(reply.statusCode, status)
      assert.equal(reply.headers['content-type'], type)
      assert.equal(reply.headers['cache-control'], cache)
      const head = await app.inject({ url: path, headers: html, method: 'HEAD' })
      assert.equal(head.statusCode, status)
      // Where no route is, it is Node that leaves the body out, and nothing is sent here.
      if (status === 200) assert.equal(head.body, '')
    })
  }
})

const strict =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; " +
  "base-uri 'none'; object-src 'none'; frame-ancestors 'none'; connect-src 'self'"
const site = `${strict}; manifest-src 'self'`
const reference = `${site.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")}; font-src 'self' data:`

describe('security headers', () => {
  for (const [path, policy] of [
    ['/', site],
    ['/app', site],
    ['/docs', site],
    ['/docs/guides/errors', site],
    ['/docs/reference/api', reference],
    ['/nothing', strict],
  ] as const) {
    test(path, async () => {
      const { headers } = await app.inject({ url: path, headers: html })
      assert.equal(headers['content-security-policy'], policy)
      assert.equal(headers['strict-transport-security'], 'max-age=63072000; includeSubDomains')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
      assert.equal(headers['permissions-policy'], 'geolocation=(), camera=(), microphone=(), payment=()')
      assert.equal(headers['x-powered-by'], undefined)
      assert.match(String(headers['x-request-id']), /^req_/)
    })
  }
})

describe('compression', () => {
  for (const [accepted, encoding, decode] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
    [undefined, undefined, (bytes: Buffer) => bytes],
  ] as const) {
    test(`accepting ${accepted} gets ${encoding ?? 'the plain file'}`, async () => {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
      const reply = await app.inject({ url: '/assets/app-1a2b.js', headers })
      assert.equal(reply.headers['content-encoding'], encoding)
      assert.match(String(reply.headers.vary), /accept-encoding/i)
      assert.equal(decode(reply.rawPayload).toString(), script)
    })
  }

  test('a file without a compressed copy is sent as it is', async () => {
    const reply = await app.inject({ url: '/robots.txt', headers: { 'accept-encoding': 'br' } })
    assert.equal(reply.headers['content-encoding'], undefined)
    assert.equal(reply.body, 'User-agent: *\n')
  })
})

test('a slash behind /docs is taken away', async () => {
  const reply = await app.inject({ url: '/docs/', headers: html })
  assert.deepEqual([reply.statusCode, reply.headers.location], [308, '/docs'])
})

test('an unchanged page is not sent again', async () => {
  const first = await app.inject({ url: '/', headers: html })
  const again = await app.inject({
    url: '/',
    headers: { ...html, 'if-none-match': String(first.headers.etag) },
  })
  assert.equal(again.statusCode, 304)
  assert.equal(again.body, '')
  assert.equal(again.headers['cache-control'], 'no-cache')
})

// Who asks for what is not there → what they get, by the headers that they send.
const askers: [who: string, headers: Record<string, string>, page: boolean][] = [
  ['a browser', { ...html, 'sec-fetch-mode': 'navigate' }, true],
  ['an old browser', html, true],
  ['a script in a page', { accept: '*/*', 'sec-fetch-mode': 'cors' }, false],
  ['a script that takes pages', { ...html, 'sec-fetch-mode': 'cors' }, false],
  ['an API client', { accept: 'application/json' }, false],
  ['curl', { accept: '*/*' }, false],
  ['Java', { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' }, false],
  ['a client that takes anything', { accept: 'application/json, text/html;q=0.9' }, false],
  ['a client that says nothing', {}, false],
]
describe('what is not there', () => {
  for (const [who, headers, page] of askers) {
    test(`${who} gets ${page ? 'a page, but below /api' : ''} JSON`, async () => {
      for (const url of ['/nothing', '/assets/gone-9z.js', '/api/nothing', '/api']) {
        const reply = await app.inject({ url, headers })
        assert.equal(reply.statusCode, 404)
        const type = page && !url.startsWith('/api') ? 'text/html' : 'application/json'
        assert.equal(reply.headers['content-type'], `${type}; charset=utf-8`, url)
        if (type === 'application/json') assert.equal(reply.json().code, 'not_found')
      }
    })
  }
})

test('pages are in no OpenAPI document', async () => {
  const paths = Object.keys((await app.inject('/openapi.json')).json().paths)
  assert.deepEqual(
    paths.filter((path) => !path.startsWith('/api/') && path !== '/health'),
    [],
  )
})

test('the description of the API comes pressed to who can take it', async () => {
  const plain = await app.inject('/openapi.json')
  const take = (encoding: string) =>
    app.inject({ url: '/openapi.json', headers: { 'accept-encoding': encoding } })
  for (const [encoding, unpress] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { headers, rawPayload } = await take(encoding)
    assert.equal(headers['content-encoding'], encoding)
    assert.equal(headers.vary, 'accept-encoding')
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(unpress(rawPayload).toString(), plain.body)
    assert.ok(rawPayload.length < plain.body.length / 5, `${encoding}: ${rawPayload.length}`)
  }
})

describe('when nothing is built', () => {
  for (const path of ['/', '/app', '/app/wallets', '/docs', '/docs/guides/errors', '/docs/reference/api']) {
    test(`${path} says what to run`, async () => {
      const reply = await unbuilt.inject({ url: path, headers: html })
      assert.equal(reply.statusCode, 503)
      assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(reply.headers['cache-control'], 'no-store')
      assert.match(reply.body, /<code>npm run build<\/code>/)
    })
  }

  test('the API works', async () => {
    assert.equal((await unbuilt.inject('/health')).statusCode, 200)
    assert.equal((await unbuilt.inject({ url: '/nothing', headers: html })).json().code, 'not_found')
  })
})

function makeSite() {
  const write = (name: string, text: string) => writeFileSync(join(webDir, name), text)
  mkdirSync(join(webDir, 'assets'))
  mkdirSync(join(webDir, 'docs/guides'), { recursive: true })
  for (const name of ['index', 'app', 'docs/index', 'docs/guides/errors', 'reference', '404'])
    write(`${name}.html`, `<!doctype html><title>${name}</title>`)
  write('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  write('robots.txt', 'User-agent: *\n')
  write('.stamp', 'of one build')
  write('assets/app-1a2b.js', script)
  writeFileSync(join(webDir, 'assets/app-1a2b.js.br'), brotliCompressSync(script))
  writeFileSync(join(webDir, 'assets/app-1a2b.js.gz'), gzipSync(script))
}
