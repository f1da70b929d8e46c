// The one who talks to providers: what counts as sent, what is tried again, how long is waited, and what is kept.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { after, describe, test } from 'node:test'
import { testClock, testLog } from '../../test/helpers.ts'
import { does, scriptedAdapter, scriptedProvider, secretText } from '../../test/scripted-provider.ts'
import { Secret } from '../base/secret.ts'
import { openCaller } from './call.ts'
import { type Exchange, type Heard, NoAnswer } from './contract.ts'
import { openRedactor } from './redact.ts'

const provider = await scriptedProvider()
const adapter = scriptedAdapter()
const { log, seen } = testLog()
const limits = { connectMs: 300, answerMs: 150, beginMs: 1_000, againMs: 300 }
const caller = openCaller({ log, clock: testClock(), limits })
const patient = openCaller({ log, clock: testClock() })
after(() => Promise.all([caller.close(), patient.close()]))

const order = { id: 'o', kind: 'collect', minor: '1', currency: 'UGX', callback: 'http://x' }
const fine: Heard = { state: 'pending' }

const post = (more = {}) => ({
  method: 'POST' as const,
  path: '/orders',
  body: JSON.stringify({ ...order, ...more }),
  token: 'orders',
})

const run = (
  exchange: () => Exchange,
  given: { settings?: typeof provider.settings; address?: string } = {},
) => caller.run({ adapter, mode: 'test', what: 'start', exchange, settings: provider.settings, ...given })

describe('an exchange', () => {
  test('gets the answers to what it asks for, in turn', async () => {
    const ran = await patient.run({
      adapter,
      settings: provider.settings,
      mode: 'test',
      what: 'start',
      *exchange() {
        const first = yield post()
        const second = yield post()
        return {
          state: 'unknown',
          detail: `${first.status} ${second.status} ${first.headers['content-type']}`,
        }
      },
    })
    assert.ok(ran.ok)
    assert.deepEqual(ran.result, { state: 'unknown', detail: '200 200 application/json' })
    assert.deepEqual(
      ran.made.map(({ what, method, path, status }) => [what, method, path, status]),
      [
        ['token', 'POST', '/token', 200],
        ['start', 'POST', '/orders', 200],
        ['start', 'POST', '/orders', 200],
      ],
    )
  })

  test('hears that there was no answer, and may go on', async () => {
    provider.next = [does.resets]
    const ran = await run(function* () {
      try {
        yield post()
      } catch (error) {
        assert.ok(error instanceof NoAnswer && !error.notSent)
      }
      return fine
    })
    assert.ok(ran.ok)
  })

  test('that breaks by our fault before anything was sent has sent nothing; afterwards nobody knows', async () => {
    const before = await run(() => {
      throw new Error('no certificate')
    })
    assert.ok(!before.ok && before.notSent)
    const later = await run(function* () {
      yield post()
      throw new Error('can not read this')
    })
    assert.ok(!later.ok && !later.notSent)
    assert.ok(seen.lines.some(({ msg }) => msg === 'an exchange broke, by our fault'))
  })

  test('that only looked for something has started nothing', async () => {
    const ran = await run(function* () {
      yield { method: 'GET', path: '/token' }
      throw new NoAnswer('and then', { notSent: false })
    })
    assert.ok(!ran.ok && ran.notSent)
  })

  test('is bounded', async () => {
    const ran = await run(function* () {
      for (;;) yield post()
    })
    assert.ok(!ran.ok && !ran.notSent)
    assert.ok(ran.made.length <= 12)
  })

  test('knows whether it told the provider of an address', async () => {
    const address = 'https://pay.example/hooks/p/abc'
    for (const [where, told] of [
      [{ more: { answer_url: address } }, true],
      [{ headers: { 'x-callback-url': address } }, true],
      [{}, false],
    ] as const) {
      const ran = await run(
        function* () {
          const { more = {}, headers = {} } = where as { more?: object; headers?: Record<string, string> }
          yield { ...post(more), headers }
          return fine
        },
        { address },
      )
      assert.equal(ran.told, told)
    }
  })
})

describe('what counts as sent', () => {
  const settingsAt = (port: number) => ({ ...provider.settings, baseUrl: `http://127.0.0.1:${port}` })
  const plain = { method: 'POST' as const, path: '/orders', body: '{}' }
  const once = () =>
    function* (): Exchange {
      yield plain
      return fine
    }

  test('nothing, where nobody listens; a few tries are made', async () => {
    const ran = await run(once(), { settings: settingsAt(1) })
    assert.ok(!ran.ok && ran.notSent)
    assert.ok(ran.made.length > 1 && ran.made.length <= 3)
    assert.ok(ran.made.every(({ problem, status }) => problem === 'ECONNREFUSED' && status === undefined))
  })

  test('everything, as soon as there is a connection', async () => {
    const server = createTcpServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    after(() => server.close())
    const ran = await run(once(), { settings: settingsAt((server.address() as AddressInfo).port) })
    assert.ok(!ran.ok && !ran.notSent)
    assert.equal(ran.made.length, 1)
  })

  test('an answer that does not come in time', async () => {
    provider.next = [does.hangs]
    const begun = performance.now()
    const ran = await run(function* () {
      yield post()
      return fine
    })
    assert.ok(!ran.ok && !ran.notSent)
    assert.ok(performance.now() - begun < 10_000)
    assert.equal(ran.made.at(-1)?.problem, 'no answer in time')
  })

  test('an answer that is too long is none', async () => {
    provider.next = [does.neverEnds]
    const ran = await patient.run({
      adapter,
      settings: provider.settings,
      mode: 'test',
      what: 'start',
      *exchange() {
        yield post()
        return fine
      },
    })
    assert.ok(!ran.ok && !ran.notSent)
    assert.equal(ran.made.at(-1)?.problem, 'the answer is too long')
  })

  test('no connection of an order is used twice: the other side might just be closing it', async () => {
    const ports = new Set<number | undefined>()
    const remember = (given: Parameters<ReturnType<typeof does.says>>[0]) => {
      ports.add(given.request.socket.remotePort)
      does.says({ state: 'pending' })(given)
    }
    provider.next = [remember, remember, remember]
    for (let times = 0; times < 3; times++)
      await run(function* () {
        yield post()
        return fine
      })
    assert.equal(ports.size, 3)
  })
})

test('a token that can not be had: nothing was sent, whatever the reason', async () => {
  const settings = { ...provider.settings, clientSecret: 'wrong' }
  const fresh = openCaller({ log, clock: testClock(), limits })
  after(() => fresh.close())
  const ran = await fresh.run({
    adapter,
    settings,
    mode: 'live',
    what: 'start',
    *exchange() {
      yield post()
      return fine
    },
  })
  assert.ok(!ran.ok && ran.notSent)
  assert.match(ran.detail, /no token/)
})

describe('what is kept', () => {
  const redactor = openRedactor(['Password', 'x-own'], {
    clientSecret: secretText,
    nested: { pin: new Secret(Buffer.from('9876-the-pin')) },
    shortcode: '174379',
  })
  redactor.learn('token-abcdef')
  const address = `https://pay.example/hooks/p/${'A'.repeat(43)}`
  const table: [text: string, kept: string][] = [
    ['{"amount":12.50,"to":"174379"}', '{"amount":12.50,"to":"174379"}'],
    ['{"Password":"x","a":[{"pin":1234}]}', '{"Password":"***","a":[{"pin":"***"}]}'],
    [`{"note":"${secretText}"}`, '{"note":"***"}'],
    [`{"url":"${address}"}`, '{"url":"https://pay.example/hooks/p/***"}'],
    ['password=hunter2&amount=5', 'password=***&amount=5'],
    ['<b>token-abcdef</b> 9876-the-pin', '<b>***</b> ***'],
    ['not json at all', 'not json at all'],
    ['null', 'null'],
    ['', ''],
  ]
  for (const [text, kept] of table) test(`${text} → ${kept}`, () => assert.equal(redactor.body(text), kept))

  test('headers', () => {
    assert.equal(
      redactor.headers({
        Authorization: 'Bearer abc',
        'X-Own': 'y',
        'X-Callback-Url': address,
        accept: '*/*',
      }),
      'Authorization: ***\nX-Own: ***\nX-Callback-Url: https://pay.example/hooks/p/***\naccept: */*',
    )
  })

  test('is not too long', () => assert.ok(redactor.body('x'.repeat(1_000_000)).length <= 16_384))
})
