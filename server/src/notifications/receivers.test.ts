// Receivers of every kind, each a real server: what an attempt at them counts as, and how long it may take. The clock
// stands still, so what is to be sent again waits, and its time can be read. All are tried at the same time; the slowest
// takes 15 seconds.
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls'
import { gzipSync } from 'node:zlib'
import { makeCertificate } from '../../test/certificate.ts'
import {
  attemptsOf,
  eventOf,
  eventually,
  listenOn,
  openBench,
  queuedOf,
  startReceiver,
} from '../../test/notifications.ts'

const bench = await openBench()
const { db, clock } = bench
let merchant = 10_000_100

interface Expected {
  status: 'delivered' | 'pending' | 'failed'
  /** Several: it depends on which of the two ends is faster. */
  problem?: string | string[]
  answer?: number
  /** Until the next attempt, in seconds. */
  wait?: [number, number]
  /** What the attempt itself took. */
  tookMs?: [number, number]
}

/** One receiver, one event, one attempt. */
async function check(url: string, expected: Expected, whose = merchant++): Promise<void> {
  const event = await bench.tell({ url, merchant: whose })
  await eventually(async () => {
    const [attempt] = await attemptsOf(db, event.id)
    assert.ok(attempt, 'there was an attempt')
    assert.equal((await eventOf(db, event.id)).status, expected.status, `${attempt.problem} ${attempt.cause}`)
  }, 60_000)
  const attempts = await attemptsOf(db, event.id)
  const [attempt] = attempts
  assert.equal(attempts.length, 1)
  const problems = [expected.problem].flat()
  assert.ok(problems.includes(attempt?.problem ?? undefined), `${attempt?.problem} ${attempt?.cause}`)
  if (expected.answer !== undefined) assert.equal(attempt?.status, expected.answer)
  if (expected.wait !== undefined) {
    const queued = await queuedOf(db, event.id)
    const seconds = ((queued?.due_at.getTime() ?? 0) - clock.now().getTime()) / 1_000
    assert.ok(seconds >= expected.wait[0] && seconds <= expected.wait[1], `waits ${seconds} s`)
  }
  if (expected.tookMs !== undefined) {
    const took = attempt?.duration_ms ?? -1
    assert.ok(took >= expected.tookMs[0] && took <= expected.tookMs[1], `took ${took} ms`)
  }
}

// What is allowed for: 15 s for an answer, 5 s for a connection, 2 s for a body; and what a busy machine adds, where
// all the receivers share one process with who sends. None comes near the next longer one.
const answerTook: [number, number] = [14_900, 25_000]
const connectTook: [number, number] = [4_900, 12_000]
const bodyTookMax = 8_000

/** The plan says 5 s, give or take a fifth. */
const soon: [number, number] = [4, 6]

const answering = (status: number, headers: Record<string, string> = {}): RequestListener => {
  return (_request, response) => void response.writeHead(status, headers).end('answer')
}

/** Speaks as it likes, once the request has come. */
async function rawReceiver(speak: (socket: Socket) => void, { atOnce = false } = {}): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    if (atOnce) speak(socket)
    else socket.once('data', () => speak(socket))
  })
  return `http://127.0.0.1:${await listenOn(server)}/`
}

before(() => {
  bench.start()
})

describe('receivers', { concurrency: true }, () => {
  describe('answers', { concurrency: true }, () => {
    for (const status of [200, 201, 204, 299]) {
      test(`${status} is delivered`, async () => {
        const receiver = await startReceiver(answering(status))
        await check(receiver.url, { status: 'delivered', answer: status })
        assert.equal(receiver.got.length, 1)
      })
    }

    for (const status of [301, 302, 303, 307, 308]) {
      test(`${status} is not followed`, async () => {
        const canary = await startReceiver()
        const receiver = await startReceiver(answering(status, { location: `${canary.url}/inside` }))
        await check(receiver.url, { status: 'pending', answer: status, problem: 'redirect', wait: soon })
        assert.deepEqual([receiver.got.length, canary.got.length], [1, 0])
      })
    }

    for (const status of [400, 401, 403, 404, 409, 422, 500, 501]) {
      test(`${status} is sent again on schedule`, async () => {
        const receiver = await startReceiver(answering(status))
        await check(receiver.url, { status: 'pending', answer: status, problem: 'status', wait: soon })
      })
    }

    test('410 ends it, suspends the endpoint and is told', async () => {
      const receiver = await startReceiver(answering(410))
      const whose = merchant++
      await check(receiver.url, { status: 'failed', answer: 410, problem: 'gone' }, whose)
      const told = bench.troubles.filter(({ origin }) => origin === receiver.url)
      assert.deepEqual(
        told.map(({ kind, reason }) => [kind, reason]),
        [['suspended', 'gone']],
      )
      const later = await bench.tell({ url: receiver.url, merchant: whose })
      await eventually(async () => assert.equal((await eventOf(db, later.id)).status, 'held'))
      assert.equal(receiver.got.length, 1)
    })
  })

  describe('answers that ask for patience', { concurrency: true }, () => {
    const later = new Date(clock.now().getTime() + 90_000).toUTCString()
    const rows: [status: number, after: string, wait: [number, number]][] = [
      [429, '7', [60, 60]],
      [429, later, [90, 90]],
      [429, '-1', [60, 60]],
      [429, '99999999', [120, 120]],
      [429, 'abc', [60, 60]],
      [503, '7', [60, 60]],
      [503, later, [90, 90]],
      [503, '-1', [60, 60]],
      [503, '99999999', [120, 120]],
      [503, 'abc', [60, 60]],
      [502, '', [60, 60]],
      [504, '', [60, 60]],
      [500, '99999999', [8, 12]],
    ]
    for (const [status, retryAfter, wait] of rows) {
      test(`${status} with Retry-After: ${retryAfter || 'none'}`, async () => {
        const headers: Record<string, string> = retryAfter === '' ? {} : { 'retry-after': retryAfter }
        const receiver = await startReceiver(answering(status, headers))
        await check(receiver.url, { status: 'pending', answer: status, problem: 'status', wait })
      })
    }
  })

  describe('receivers that are slow or silent', { concurrency: true }, () => {
    test('accepts and never answers', async () => {
      let closed = false
      const url = await rawReceiver((socket) => void socket.on('close', () => (closed = true)))
      await check(url, { status: 'pending', problem: 'timed_out', tookMs: answerTook, wait: [60, 60] })
      await eventually(() => assert.ok(closed, 'the socket is closed'))
    })

    test('headers one byte a second', async () => {
      const url = await rawReceiver((socket) => {
        const bytes = [...'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Slow: yes\r\n\r\n']
        const timer = setInterval(() => socket.write(bytes.shift() ?? ''), 1_000)
        socket.on('close', () => clearInterval(timer))
      })
      await check(url, { status: 'pending', problem: 'timed_out', tookMs: answerTook })
    })

    test('answers after 13 s', async () => {
      const { url } = await startReceiver(
        (_request, response) => void setTimeout(() => response.end(), 13_000),
      )
      await check(url, { status: 'delivered', tookMs: [12_900, 17_000] })
    })

    test('answers after 17 s', async () => {
      const { url } = await startReceiver(
        (_request, response) => void setTimeout(() => response.end(), 17_000),
      )
      await check(url, { status: 'pending', problem: 'timed_out', tookMs: answerTook })
    })

    test('100-continue for ever', async () => {
      const url = await rawReceiver((socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 200)
        socket.on('close', () => clearInterval(timer))
      })
      await check(url, { status: 'pending', problem: 'bad_answer' })
    })

    test('news of an answer for ever', async () => {
      const url = await rawReceiver((socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 199 Soon\r\n\r\n'), 200)
        socket.on('close', () => clearInterval(timer))
      })
      await check(url, { status: 'pending', problem: 'timed_out', tookMs: answerTook })
    })

    test('news, then an answer', async () => {
      const url = await rawReceiver(
        (socket) =>
          void socket.write(
            'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
          ),
      )
      await check(url, { status: 'delivered', answer: 200 })
    })
  })

  describe('receivers that break off', { concurrency: true }, () => {
    test('nobody listens', async () => {
      const server = createTcpServer()
      const port = await new Promise<number>((resolve) =>
        server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
      )
      await new Promise((resolve) => server.close(resolve))
      await check(`http://127.0.0.1:${port}/`, {
        status: 'pending',
        problem: 'could_not_connect',
        wait: soon,
      })
    })

    test('resets after connecting', async () => {
      const url = await rawReceiver((socket) => void socket.resetAndDestroy(), { atOnce: true })
      await check(url, { status: 'pending', problem: ['no_answer', 'could_not_connect'], wait: soon })
    })

    test('resets after the request', async () => {
      const url = await rawReceiver((socket) => void socket.resetAndDestroy())
      await check(url, { status: 'pending', problem: 'no_answer', wait: soon })
    })

    test('closes without an answer', async () => {
      const url = await rawReceiver((socket) => void socket.end())
      await check(url, { status: 'pending', problem: 'no_answer', wait: soon })
    })

    test('closes in the middle of the headers', async () => {
      const url = await rawReceiver((socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-'))
      await check(url, { status: 'pending', problem: 'no_answer' })
    })
  })

  describe('bodies', { concurrency: true }, () => {
    const header = 'HTTP/1.1 200 OK\r\n'
    /** As fast as it is taken. */
    const pour = (socket: Socket, chunk: Buffer) => {
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
      }
      socket.on('drain', more)
      more()
    }

    test('one byte a second for ever', async () => {
      let closed = false
      const url = await rawReceiver((socket) => {
        socket.write(`${header}Content-Length: 100000\r\n\r\n`)
        const timer = setInterval(() => socket.write('x'), 1_000)
        socket.on('close', () => {
          closed = true
          clearInterval(timer)
        })
      })
      await check(url, { status: 'delivered', answer: 200, tookMs: [1_900, bodyTookMax] })
      await eventually(() => assert.ok(closed, 'the socket is closed'))
    })

    test('ten gigabytes', async () => {
      const url = await rawReceiver((socket) => {
        socket.write(`${header}Content-Length: 10737418240\r\n\r\n`)
        pour(socket, Buffer.alloc(65_536, 'x'))
      })
      await check(url, { status: 'delivered', answer: 200, tookMs: [0, bodyTookMax] })
    })

    test('chunks without an end', async () => {
      const url = await rawReceiver((socket) => {
        socket.write(`${header}Transfer-Encoding: chunked\r\n\r\n`)
        pour(socket, Buffer.from(`400\r\n${'y'.repeat(1024)}\r\n`))
      })
      await check(url, { status: 'delivered', answer: 200, tookMs: [0, bodyTookMax] })
    })

    test('cut off in the middle', async () => {
      const url = await rawReceiver((socket) => void socket.end(`${header}Content-Length: 100\r\n\r\nbegun`))
      await check(url, { status: 'delivered', answer: 200 })
    })

    test('a gzip bomb is not unpacked', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000))
      const receiver = await startReceiver(
        (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      )
      await check(receiver.url, { status: 'delivered', answer: 200 })
      assert.equal(receiver.got[0]?.headers['accept-encoding'], undefined)
    })

    test('bytes that are no text are kept as they are', async () => {
      const bytes = Buffer.from([0x3c, 0x62, 0x3e, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x00, 0xff, 0xfe, 0x0a])
      const receiver = await startReceiver((_request, response) => void response.end(bytes))
      const event = await bench.tell({ url: receiver.url, merchant: merchant++ })
      await eventually(async () => assert.equal((await eventOf(db, event.id)).status, 'delivered'))
      assert.deepEqual((await attemptsOf(db, event.id))[0]?.response, bytes)
    })
  })

  describe('answers that are no HTTP', { concurrency: true }, () => {
    const rows: [name: string, answer: string, problem: string][] = [
      ['101', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'bad_answer'],
      ['600', 'HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n', 'status'],
      ['2OO', 'HTTP/1.1 2OO OK\r\nContent-Length: 0\r\n\r\n', 'bad_answer'],
      ['HTTP/0.9', 'hello', 'bad_answer'],
      ['1 MB header', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1_000_000)}\r\n\r\n`, 'bad_answer'],
      ['100 000 header lines', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(100_000)}\r\n`, 'bad_answer'],
      ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 'bad_answer'],
    ]
    for (const [name, answer, problem] of rows) {
      test(name, async () => {
        const url = await rawReceiver((socket) => void socket.end(answer))
        await check(url, { status: 'pending', problem, wait: soon })
      })
    }
  })

  describe('TLS', { concurrency: true }, () => {
    const authority = makeCertificate({ name: 'authority of the tests' })
    const good = makeCertificate({ name: 'localhost', issuer: authority })
    const trusted = getCACertificates('default')
    before(() => setDefaultCACertificates([...trusted, authority.cert]))
    after(() => setDefaultCACertificates(trusted))
    const dayMs = 86_400_000
    const ago = (days: number) => new Date(performance.timeOrigin - days * dayMs)

    const tlsReceiver = async (options: TlsOptions) => {
      const seen = { bytes: 0 }
      const server = createTlsServer(options, (socket) => {
        socket.on('error', () => undefined)
        socket.on('data', (chunk) => {
          seen.bytes += chunk.length
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
        })
      })
      server.on('tlsClientError', () => undefined)
      return { url: `https://localhost:${await listenOn(server)}/`, seen }
    }

    test('a good certificate', async () => {
      const { url } = await tlsReceiver(good)
      await check(url, { status: 'delivered', answer: 200 })
    })

    const rows: [name: string, options: TlsOptions][] = [
      ['out of date', makeCertificate({ name: 'localhost', issuer: authority, from: ago(30), to: ago(2) })],
      ['signed by itself', makeCertificate({ name: 'localhost' })],
      ['for another name', makeCertificate({ name: 'shop.example', issuer: authority })],
      ['TLS 1.1', { ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }],
    ]
    for (const [name, options] of rows) {
      test(name, async () => {
        const { url, seen } = await tlsReceiver(options)
        await check(url, { status: 'pending', problem: 'tls', wait: soon })
        assert.equal(seen.bytes, 0, 'not a byte of the notification was sent')
      })
    }

    test('no TLS at all', async () => {
      const plain = await startReceiver()
      await check(plain.url.replace('http:', 'https:'), { status: 'pending', problem: 'tls' })
      assert.equal(plain.got.length, 0)
    })

    test('a handshake that never ends', async () => {
      const url = await rawReceiver(() => undefined)
      await check(url.replace('http:', 'https:'), {
        status: 'pending',
        problem: 'could_not_connect',
        tookMs: connectTook,
      })
    })
  })
})
