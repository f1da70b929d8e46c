// What the addresses of the checkout promise whoever asks: the headers of every answer, one page for every wrong link,
// forms of our own pages only, redirects to the merchant's own hosts only, three languages, and limits.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { newBusiness } from '../../test/businesses.ts'
import { ask, formIn, type Page, payInCheckout, testBrowser } from '../../test/checkouts.ts'
import { reconcile, replaced, testApp } from '../../test/helpers.ts'
import { available, fund, register, testPassword, testPin } from '../../test/people.ts'
import type { App } from '../http/instance.ts'
import { openCheckout } from './checkout.ts'
import { checkoutPages } from './pages.ts'

const server = await testApp()
const business = await newBusiness(server)
const amina = await register(server)
await fund(server, amina, { amount: '5000000' })
const unknown = 'x'.repeat(43)

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; " +
  "base-uri 'none'; object-src 'none'; frame-ancestors 'none'; connect-src 'self'"

function checkHeaders({ headers }: Page, what: string) {
  assert.equal(headers['content-security-policy'], policy, what)
  assert.equal(headers['cache-control'], 'no-store', what)
  assert.equal(headers['referrer-policy'], 'no-referrer', what)
  assert.equal(headers['x-robots-tag'], 'noindex', what)
  assert.equal(headers['x-content-type-options'], 'nosniff', what)
  assert.equal(headers['strict-transport-security'], 'max-age=63072000; includeSubDomains', what)
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin', what)
  assert.equal(headers['permissions-policy'], 'geolocation=(), camera=(), microphone=(), payment=()', what)
  assert.match(String(headers['x-request-id']), /^req_/, what)
  assert.equal(headers.server ?? headers['x-powered-by'], undefined, what)
}

describe('headers', () => {
  test('every answer has them: pages, redirects, refusals', async () => {
    const { path, token } = await ask(server, business)
    const browser = testBrowser(server)
    const first = await browser.get(path)
    checkHeaders(first, 'first page')
    checkHeaders(await browser.get(`${path}&step=cancel`), 'cancel')
    checkHeaders(await browser.get(`/checkout/state?token=${token}`), 'state')
    checkHeaders(await browser.get(`/checkout/return?token=${token}`), 'return')
    checkHeaders(await browser.get(`/checkout?token=${unknown}`), 'unknown')
    for (const place of ['login', 'pay', 'logout', 'cancel']) {
      checkHeaders(await browser.post(`/checkout/${place}?token=${unknown}`, {}), place)
      const stranger = { 'sec-fetch-site': 'cross-site' }
      checkHeaders(await browser.post(`/checkout/${place}?token=${token}`, {}, stranger), place)
      const json = { 'content-type': 'application/json' }
      const odd = await browser.post(`/checkout/${place}?token=${token}`, {}, json)
      checkHeaders(odd, place)
      assert.equal(odd.status, 415)
      assert.match(odd.text, /This could not be read Nothing was paid by it/)
    }
  })

  test('the cookie: strict, for scripts invisible, short, and only after a login', async () => {
    const { path } = await ask(server, business)
    const browser = testBrowser(server)
    const first = await browser.get(path)
    assert.equal(first.headers['set-cookie'], undefined)
    const { action, hidden } = formIn(first.html, 'login')
    const login = await browser.post(action, { ...hidden, name: amina.handle, password: testPassword })
    assert.equal(login.status, 303)
    assert.equal(login.location, path)
    const cookie = String(login.headers['set-cookie'])
    assert.match(cookie, /^co=[\w-]{100,}; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/)
    assert.doesNotMatch(Buffer.from(cookie, 'base64url').toString('latin1'), /usr_/)
  })

  test('behind https the cookie is bound to the host', async () => {
    const app = fastify() as unknown as App
    const checkout = openCheckout({ ...server.dependencies, production: false })
    const limits = { count: async () => undefined, attempt: async () => assert.fail() }
    const config = { BRAND_NAME: 'Mfuko' }
    checkoutPages(app, { checkout, limits, baseUrl: 'https://pay.example', config })
    const { path } = await ask(server, business)
    const browser = testBrowser({ app })
    await browser.submit(await browser.get(path), 'login', { name: amina.handle, password: testPassword })
    assert.deepEqual([...browser.cookies.keys()], ['__Host-co'])
    const page = await browser.get(path)
    assert.match(page.text, /Confirm the payment/)
    await app.close()
  })
})

describe('links that lead nowhere', () => {
  test('unknown, malformed, doubled, missing and long over: the same page, byte for byte', async () => {
    const over = await ask(server, business)
    await server.payments.cancel(over.payment)
    server.clock.advance(24 * 3_600)
    const browser = testBrowser(server)
    const pages = await Promise.all(
      [
        `/checkout?token=${unknown}`,
        '/checkout?token=short',
        `/checkout?token=${unknown}&token=${unknown}`,
        '/checkout?token=%3Cscript%3Ealert(1)%3C%2Fscript%3E',
        '/checkout',
        over.path,
      ].map((path) => browser.get(path)),
    )
    for (const page of pages) {
      assert.equal(page.status, 404)
      assert.match(page.text, /There is no payment here The link is wrong, or it is too old/)
      assert.equal(page.html, pages[0]?.html)
    }
    const posts = ['login', 'pay', 'logout', 'cancel'].map((place) =>
      browser.post(`/checkout/${place}?token=${unknown}`, { name: 'a', password: 'b', pin: '1234' }),
    )
    for (const page of await Promise.all(posts)) assert.equal(page.html, pages[0]?.html)
    assert.equal((await browser.get(`/checkout/state?token=${unknown}`)).status, 404)
  })
})

describe('forms of others', () => {
  test('a proof is good for its payment, and once somebody has logged in, for that browser', async () => {
    const [one, other] = [await ask(server, business), await ask(server, business)]
    const before = await available(server, amina)
    const browser = testBrowser(server)
    const foreign = formIn((await browser.get(other.path)).html, 'login').hidden
    const wrong = { name: amina.handle, password: testPassword }
    for (const proof of ['', 'x', foreign.proof ?? '']) {
      const page = await browser.post(`/checkout/login?token=${one.token}`, { ...wrong, proof })
      assert.equal(page.status, 403)
      assert.match(page.text, /This page was open for too long. Nothing was paid by this form/)
      assert.equal(browser.cookies.size, 0)
    }
    await browser.submit(await browser.get(one.path), 'login', wrong)
    const elsewhere = testBrowser(server)
    const theirs = await elsewhere.submit(await elsewhere.get(one.path), 'login', wrong)
    const anybody = formIn((await testBrowser(server).get(one.path)).html, 'login').hidden.proof ?? ''
    for (const proof of ['', anybody, formIn(theirs.html, 'pay').hidden.proof ?? '']) {
      const page = await browser.post(`/checkout/pay?token=${one.token}`, { pin: testPin, proof })
      assert.equal(page.status, 403)
    }
    assert.equal(await available(server, amina), before)
    assert.equal((await server.payments.byNumber(one.payment.number))?.status, 'pending')
  })

  test('a form that was open while the secret was replaced is still good, in that browser only', async () => {
    const one = await ask(server, business)
    const later = await testApp({ database: server, secrets: replaced('enc') })
    const [before, after] = [testBrowser(server), testBrowser(later)]
    const login = formIn((await before.get(one.path)).html, 'login').hidden.proof ?? ''
    const who = { name: amina.handle, password: testPassword }
    const entered = await after.post(`/checkout/login?token=${one.token}`, { ...who, proof: login })
    assert.equal(entered.status, 303)
    const confirm = await before.submit(await before.get(one.path), 'login', who)
    const proof = formIn(confirm.html, 'pay').hidden.proof ?? ''
    const elsewhere = await after.post(`/checkout/pay?token=${one.token}`, { pin: testPin, proof })
    assert.equal(elsewhere.status, 403)
    for (const [name, value] of before.cookies) after.cookies.set(name, value)
    const paid = await after.post(`/checkout/pay?token=${one.token}`, { pin: testPin, proof })
    assert.equal(paid.status, 303, paid.text)
    assert.equal((await server.payments.byNumber(one.payment.number))?.status, 'completed')
  })

  const strangers: [headers: Record<string, string>, refused: boolean][] = [
    [{ 'sec-fetch-site': 'cross-site' }, true],
    [{ 'sec-fetch-site': 'same-site' }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
    [{ origin: 'https://evil.example' }, true],
    [{ origin: 'null' }, false],
    [{ origin: 'http://localhost:80', host: 'localhost:80' }, true],
    [{ origin: 'http://pay.example', host: 'pay.example' }, false],
  ]
  for (const [headers, refused] of strangers) {
    test(`${JSON.stringify(headers)} is ${refused ? 'refused' : 'taken'}`, async () => {
      const { path, payment } = await ask(server, business)
      const browser = testBrowser(server)
      const { action, hidden } = formIn((await browser.get(`${path}&step=cancel`)).html, 'cancel')
      const page = await browser.post(action, hidden, headers)
      assert.equal(page.status, refused ? 403 : 303)
      const now = await server.payments.byNumber(payment.number)
      assert.equal(now?.status, refused ? 'pending' : 'failed')
    })
  }

  test('a look changes nothing', async () => {
    const { path, payment } = await ask(server, business)
    const browser = testBrowser(server)
    for (const place of ['login', 'pay', 'logout', 'cancel']) {
      assert.equal((await browser.get(path.replace('/checkout?', `/checkout/${place}?`))).status, 404)
    }
    await browser.get(`${path}&step=cancel`)
    await browser.get(`/checkout/return?token=${path.slice(-43)}`)
    assert.deepEqual(await server.payments.byNumber(payment.number), payment)
  })
})

describe('odd forms', () => {
  const rows: [body: string, status: number][] = [
    ['proof=a&proof=b', 400],
    ['proof=%ff', 400],
    ['proof=%00', 400],
    ['proof=%', 400],
    [Array.from({ length: 30 }, (_, index) => `f${index}=1`).join('&'), 400],
    [`name=${'x'.repeat(9_000)}`, 413],
    ['', 403],
    ['proof', 403],
    ['__proto__=1&proof=x', 403],
  ]
  for (const [body, status] of rows) {
    test(`${body.slice(0, 30)} answers ${status} with a page`, async () => {
      const { token } = await ask(server, business)
      const reply = await server.app.inject({
        method: 'POST',
        url: `/checkout/login?token=${token}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: body,
      })
      assert.equal(reply.statusCode, status)
      assert.match(String(reply.headers['content-type']), /^text\/html/)
    })
  }
})

describe('back to the shop', () => {
  const back = async (fields: Parameters<typeof ask>[2], end: 'pay' | 'cancel' | 'expire' | 'nothing') => {
    const asked = await ask(server, business, fields)
    const browser = testBrowser(server)
    if (end === 'pay') await payInCheckout(browser, asked, amina)
    if (end === 'cancel') await server.payments.cancel(asked.payment)
    if (end === 'expire') server.clock.advance(31 * 60)
    const page = await browser.get(asked.path)
    const reply = await browser.get(`/checkout/return?token=${asked.token}`)
    assert.equal(reply.status, 303)
    const { refTrx, reference } = asked.payment
    const told = reply.location?.replace(reference, 'PY').replace(refTrx ?? 'none', 'REF')
    const own = reply.location === asked.path
    assert.equal(page.html.includes('/checkout/return'), !own, 'the link is there when it leads somewhere')
    return own ? 'the page' : told
  }

  const rows: [
    fields: NonNullable<Parameters<typeof ask>[2]>,
    end: Parameters<typeof back>[1],
    leads: string,
  ][] = [
    [{}, 'pay', 'https://duka.example/thanks?ref_trx=REF&reference=PY&status=completed'],
    [{}, 'cancel', 'https://duka.example/basket?ref_trx=REF&reference=PY&status=failed'],
    [{}, 'expire', 'https://duka.example/sorry?ref_trx=REF&reference=PY&status=failed'],
    [{}, 'nothing', 'the page'],
    [
      { successRedirect: 'https://shop.duka.example:8443/t?a=1&status=x&ref_trx=y#part' },
      'pay',
      'https://shop.duka.example:8443/t?a=1&status=completed&ref_trx=REF&reference=PY#part',
    ],
    [{ source: 'pay', refTrx: null }, 'pay', 'https://duka.example/thanks?reference=PY&status=completed'],
    [{ successRedirect: null }, 'pay', 'the page'],
    [{ cancelRedirect: null }, 'cancel', 'the page'],
    // The list of the merchant's hosts was another one when the payment was asked for.
    [{ successRedirect: 'https://evil.example/' }, 'pay', 'the page'],
    [{ successRedirect: 'https://evilduka.example/' }, 'pay', 'the page'],
    [{ successRedirect: 'javascript:alert(1)//' }, 'pay', 'the page'],
    [{ successRedirect: 'https://duka.example@evil.example/' }, 'pay', 'the page'],
    [{ successRedirect: '//duka.example/' }, 'pay', 'the page'],
  ]
  for (const [fields, end, leads] of rows) {
    test(`${JSON.stringify(fields)}, ${end}: ${leads}`, async () => {
      assert.equal(await back(fields, end), leads)
      await reconcile(server)
    })
  }

  test('in test mode it may lead to any host', async () => {
    const asked = await ask(server, business, { mode: 'test', successRedirect: 'http://localhost:8090/x' })
    const who = { handle: 'test_customer', password: 'mfuko-sandbox', pin: '4821' }
    const page = await payInCheckout(testBrowser(server), asked, who)
    assert.match(page.text, /Return to Duka la Amina/)
    const reply = await testBrowser(server).get(`/checkout/return?token=${asked.token}`)
    assert.match(reply.location ?? '', /^http:\/\/localhost:8090\/x\?ref_trx=/)
  })

  test('the request has no say in where it leads', async () => {
    const asked = await ask(server, business)
    await server.payments.cancel(asked.payment)
    const more = 'redirect=https://evil.example&success_redirect=https://evil.example&url=//evil.example'
    const reply = await testBrowser(server).get(`/checkout/return?token=${asked.token}&${more}`, {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    })
    assert.match(reply.location ?? '', /^https:\/\/duka\.example\/basket\?/)
  })
})

describe('languages', () => {
  const rows: [accepted: string, query: string, language: string][] = [
    ['sw-KE,sw;q=0.9,en;q=0.8', '', 'sw'],
    ['fr-RW', '', 'fr'],
    ['de-DE,de;q=0.9,fr;q=0.3', '', 'fr'],
    ['en;q=0.1,sw;q=0.2,fr;q=0', '', 'sw'],
    ['de', '', 'en'],
    ['', '', 'en'],
    [';;;q=,,*', '', 'en'],
    ['sw', '&lang=fr', 'fr'],
    ['sw', '&lang=xx', 'sw'],
    ['sw', '&lang=fr&lang=en', 'sw'],
  ]
  for (const [accepted, query, language] of rows) {
    test(`${accepted || 'none'} ${query} reads ${language}`, async () => {
      const { path } = await ask(server, business)
      const page = await testBrowser(server, accepted).get(`${path}${query}`)
      assert.match(page.html, new RegExp(`<html lang="${language}">`))
    })
  }

  test('a chosen language stays through the payment', async () => {
    const { path } = await ask(server, business)
    const browser = testBrowser(server, 'en')
    const confirm = await browser.submit(await browser.get(`${path}&lang=sw`), 'login', {
      name: amina.handle,
      password: testPassword,
    })
    assert.match(confirm.text, /Thibitisha malipo/)
    assert.match((await browser.submit(confirm, 'pay', { pin: testPin })).text, /Umelipa/)
  })

  test('amounts are written as the reader does', async () => {
    const { path } = await ask(server, business, { price: '1250000' })
    assert.match((await testBrowser(server, 'fr').get(path)).text, /UGX 1\s250\s000/)
    assert.match((await testBrowser(server, 'sw').get(path)).text, /UGX 1,250,000/)
  })
})

describe('compression', () => {
  for (const [accepted, encoding, decode] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ] as const) {
    test(`${accepted} gets ${encoding ?? 'plain text'}`, async () => {
      const { path } = await ask(server, business)
      const style = /href="(\/checkout\.css\?v=[0-9a-f]+)"/.exec(
        (await testBrowser(server).get(path)).html,
      )?.[1]
      for (const url of [path, style ?? '']) {
        const reply = await server.app.inject({ url, headers: { 'accept-encoding': accepted } })
        assert.equal(reply.statusCode, 200, url)
        assert.equal(reply.headers['content-encoding'], encoding)
        assert.match(String(reply.headers.vary), /accept-encoding/)
        assert.match(decode(reply.rawPayload).toString(), url === path ? /^<!doctype html>/ : /--brand/)
      }
    })
  }

  test('the style has plain values beside its properties, for browsers that know none', async () => {
    const { body } = await server.app.inject('/checkout.css')
    assert.match(body, /background: #fbfaf7;\nbackground: var\(--ground\);/)
    for (const [line] of body.matchAll(/^[a-z-]+: [^;\n]*var\(--(?!font)[^;\n]*;$/gm)) {
      const property = line.slice(0, line.indexOf(':'))
      const before = body.slice(0, body.indexOf(line)).trimEnd().split('\n').at(-1) ?? ''
      assert.ok(before.startsWith(`${property}: `) && !before.includes('var('), line)
    }
  })
})

test('limits: 60 a minute for a payment, 300 for an address, answered with a page', async () => {
  const limited = await testApp({ environment: { RATE_LIMITS: 'on' }, database: server })
  const { path } = await ask(server, business)
  const browser = testBrowser(limited)
  for (let time = 0; time < 60; time++) assert.equal((await browser.get(path)).status, 200)
  const page = await browser.get(path)
  assert.equal(page.status, 429)
  assert.ok(Number(page.headers['retry-after']) > 0)
  assert.match(page.text, /Too many requests .* Look again/)
  checkHeaders(page, 'too many')
  const others = await Promise.all(Array.from({ length: 5 }, () => ask(server, business)))
  const seen: number[] = []
  for (const other of others) {
    for (let time = 0; time < 50; time++) seen.push((await browser.get(other.path)).status)
  }
  assert.equal(seen.filter((status) => status === 200).length, 300 - 60)
})

test('limits: who comes back from the page of a provider, or has no link, keeps nobody else out', async () => {
  const limited = await testApp({ environment: { RATE_LIMITS: 'on' }, database: server })
  const browser = testBrowser(limited)
  const times = async (path: string, times = 61) => {
    let status = 0
    for (let time = 0; time < times; time++) status = (await browser.get(path)).status
    return status
  }
  assert.equal(await times('/checkout/back?to=one'), 429)
  assert.equal(await times('/checkout/back?to=another', 1), 404)
  assert.equal(await times('/checkout?token=malformed'), 429)
  assert.equal(await times('/checkout/back?to=a-third', 1), 404)
  const elsewhere = await limited.app.inject({ url: '/checkout', remoteAddress: '203.0.113.7' })
  assert.equal(elsewhere.statusCode, 404)
})

test('the log holds no token, no name, no password, no PIN', async () => {
  const asked = await ask(server, business)
  const browser = testBrowser(server)
  await browser.submit(await browser.get(asked.path), 'login', {
    name: amina.handle,
    password: 'a wrong password',
  })
  await payInCheckout(browser, asked, amina)
  await browser.get(`/checkout/return?token=${asked.token}`)
  const log = server.log.text()
  for (const secret of [asked.token, 'a wrong password', testPassword, `"${testPin}"`]) {
    assert.ok(!log.includes(secret), secret)
  }
})
