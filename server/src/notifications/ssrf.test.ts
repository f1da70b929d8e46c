// Addresses that only we can reach are not reached, however they are dressed up: canaries listen on this machine and hear
// nothing. Here the guard at the connection stands alone (ports and names are not judged before), since it is the one
// that must hold; the whole way is walked at the end.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testConfig } from '../../test/helpers.ts'
import { startNameServer } from '../../test/name-server.ts'
import { attemptsOf, eventually, openBench, startReceiver } from '../../test/notifications.ts'
import { type Guard, guardOf } from './guard.ts'
import * as notifications from './notifications.ts'
import { openResolver } from './resolve.ts'
import * as sending from './send.ts'

const refused = { hits: 0 }

/** On one port of all addresses of this machine, of both families if it has them. */
const canary = await startCanaries()

async function startCanaries(): Promise<{ port: number }> {
  const listen = (host: string, port: number) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer((socket) => {
        refused.hits++
        socket.destroy()
      })
      server.once('error', reject)
      server.listen({ host, port, ipv6Only: host === '::' }, () => resolve(server.unref()))
    })
  const { port } = (await listen('0.0.0.0', 0)).address() as { port: number }
  await listen('::', port).catch(() => undefined)
  return { port }
}

const strict = guardOf(testConfig({ ALLOW_PRIVATE_CALLBACKS: 'off' }))
const atConnection = (guard: Guard): Guard => ({ ...guard, targetProblems: () => [] })

const parcelTo = (url: string, target = url): sending.Parcel => ({
  target,
  mode: 'live',
  url,
  headers: ['Content-Type', 'application/json'],
  body: '{"secret":"of the merchant"}',
  untilMs: Number.POSITIVE_INFINITY,
})

/** There is all the time in the world. */
function openSender(options: sending.SenderOptions) {
  const sender = sending.openSender(options)
  const send = async (parcel: sending.Parcel) => {
    const sent = await sender.send(parcel)
    assert.ok(sent !== 'too late')
    return sent
  }
  return { ...sender, send }
}

describe('addresses by number', () => {
  const sender = openSender({
    guard: atConnection(strict),
    resolve: async (name) => assert.fail(`nothing is looked up for ${name}`),
  })
  const special = [
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.9.9.9',
    '169.254.169.254',
    '192.168.0.1',
    '172.16.0.1',
  ]
  const hosts = special.flatMap((address) => {
    const parts = address.split('.').map(Number)
    const number = parts.reduce((sum, part) => sum * 256 + part, 0)
    const hex = number.toString(16).padStart(8, '0')
    const [high, low] = [hex.slice(0, 4), hex.slice(4)]
    const [a = 0, b = 0, c = 0, d = 0] = parts
    return [
      address,
      `${address}.`,
      String(number),
      `0x${hex}`,
      `0${number.toString(8)}`,
      parts.map((part) => `0${part.toString(8)}`).join('.'),
      parts.map((part) => `0x${part.toString(16)}`).join('.'),
      `${a}.${b * 65_536 + c * 256 + d}`,
      `${a}.${b}.${c * 256 + d}`,
      `[::ffff:${address}]`,
      `[::ffff:${high}:${low}]`,
      `[0:0:0:0:0:ffff:${high}:${low}]`,
      `[::${address}]`,
      `[64:ff9b::${address}]`,
      `[64:ff9b:1::${high}:${low}]`,
      `[2002:${high}:${low}::]`,
      `[2001:0:${high}:${low}::]`,
    ]
  })
  hosts.push('[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[fd00::9]', '[fe80::1]', '[ff02::1]', '[fec0::1]')
  for (const host of hosts) {
    test(host, async () => {
      const sent = await sender.send(parcelTo(`http://${host}:${canary.port}/`))
      assert.equal(sent.problem, 'address_not_allowed', sent.cause)
    })
  }
  test('no canary was touched', () => assert.equal(refused.hits, 0))
})

describe('names', () => {
  /** Stands for the public internet. */
  const publicAddress = '127.0.0.9'
  const opened = guardOf({
    ...testConfig({ ALLOW_PRIVATE_CALLBACKS: 'off', CALLBACK_ALLOW_CIDRS: `${publicAddress}/32` }),
  })

  test('every kind of name that leads inside', async () => {
    const servers = [
      await startNameServer(
        (name) =>
          ({
            'loopback.test': { a: ['127.0.0.1'] },
            'loopback6.test': { aaaa: ['::1'] },
            'private.test': { a: ['10.9.9.9'] },
            'metadata.test': { a: ['169.254.169.254'] },
            'unique.test': { aaaa: ['fd00::9'] },
            'mapped.test': { aaaa: ['::ffff:7f00:1'] },
            'nat64.test': { aaaa: ['64:ff9b::7f00:1'] },
            'six-to-four.test': { aaaa: ['2002:7f00:1::'] },
            'alias.test': { cname: 'localhost', a: ['127.0.0.1'] },
            'mixed.test': { a: [publicAddress, '127.0.0.1'] },
            'mixed6.test': { a: [publicAddress], aaaa: ['::1'] },
            'zero.test': { a: ['0.0.0.0'] },
            'nothing.test': {},
          })[name],
      ),
    ]
    const sender = openSender({
      guard: atConnection(opened),
      resolve: openResolver({ servers, localNames: 'never' }),
    })
    const names = [
      'loopback',
      'loopback6',
      'private',
      'metadata',
      'unique',
      'mapped',
      'nat64',
      'six-to-four',
      'alias',
    ]
    names.push('mixed', 'mixed6', 'zero', 'nothing', 'unknown')
    for (const name of names) {
      const sent = await sender.send(parcelTo(`http://${name}.test:${canary.port}/`))
      assert.equal(sent.problem, 'address_not_allowed', name)
    }
    assert.equal(refused.hits, 0)
    await sender.close()
  })

  test('a name server that does not answer', async () => {
    const silent = openResolver({ servers: [await startNameServer(() => 'silence')], localNames: 'never' })
    const sender = openSender({ guard: atConnection(opened), resolve: silent })
    const begun = performance.now()
    const sent = await sender.send(parcelTo(`http://slow.test:${canary.port}/`))
    assert.equal(sent.problem, 'address_not_allowed')
    assert.ok(performance.now() - begun < 12_000)
    await sender.close()
  })

  test('a name that is public at first and then not, a thousand times', async () => {
    let asked = 0
    const receiver = await startReceiver(
      (_request, response) => void response.setHeader('connection', 'close').end('ok'),
    )
    // The same port on the address that stands for the public internet, and on the one that must not be reached.
    const inside = { hits: 0 }
    receiver.server.on('connection', () => inside.hits++)
    const outside = createServer((socket) => {
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
      )
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => outside.listen(receiver.port, publicAddress, resolve))
    outside.unref()
    const servers = [await startNameServer(() => ({ a: [asked++ % 4 < 2 ? publicAddress : '127.0.0.1'] }))]
    const sender = openSender({
      guard: atConnection(opened),
      resolve: openResolver({ servers, localNames: 'never' }),
    })
    const problems = { none: 0, address_not_allowed: 0, other: 0 }
    const send = async (n: number) => {
      const sent = await sender.send(parcelTo(`http://rebind.test:${receiver.port}/`, `target ${n % 40}`))
      const problem = sent.problem ?? 'none'
      if (problem === 'none' || problem === 'address_not_allowed') problems[problem]++
      else problems.other++
    }
    for (let n = 0; n < 1_000; n += 20)
      await Promise.all(Array.from({ length: 20 }, (_, offset) => send(n + offset)))
    assert.equal(inside.hits, 0, 'the inside was never reached')
    assert.equal(problems.other, 0)
    assert.ok(problems.none > 300 && problems.address_not_allowed > 300, JSON.stringify(problems))
    await sender.close()
    await new Promise((resolve) => outside.close(resolve))
  })

  test('the socket itself is judged once more, before a byte is sent', async () => {
    const received: Buffer[] = []
    const inside = createServer((socket) => {
      socket.on('data', (chunk) => received.push(chunk))
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
    const { port } = inside.address() as { port: number }
    let calls = 0
    // A lookup that lies: allowed when it is asked for, not allowed when it is connected to.
    const guard: Guard = { targetProblems: () => [], isAllowed: () => calls++ === 0 }
    const sender = openSender({ guard, resolve: async () => ['127.0.0.1'] })
    const sent = await sender.send(parcelTo(`http://lies.test:${port}/`))
    assert.equal(sent.problem, 'address_not_allowed')
    assert.deepEqual([calls, received.length], [2, 0])
    await sender.close()
    await new Promise((resolve) => inside.close(resolve))
  })

  test('connections are not shared between merchants', async () => {
    const receiver = await startReceiver()
    const sockets = new Set<unknown>()
    receiver.server.on('connection', (socket) => sockets.add(socket))
    const sender = openSender({ guard: guardOf(testConfig()), resolve: async () => ['127.0.0.1'] })
    for (const merchant of ['one', 'one', 'two', 'two', 'one']) {
      assert.equal((await sender.send(parcelTo(receiver.url, merchant))).status, 200)
      await sleep(20)
    }
    assert.equal(sockets.size, 2)
    await sender.close()
  })

  test('what is late by the time that it could leave does not leave, on a new connection and on a kept one', async () => {
    const receiver = await startReceiver()
    let bodies = 0
    receiver.server.on('request', () => bodies++)
    const resolve = async () => {
      await sleep(60)
      return ['127.0.0.1']
    }
    const sender = sending.openSender({ guard: guardOf(testConfig()), resolve })
    const url = receiver.url.replace('127.0.0.1', 'late.test')
    const send = (inMs: number) => sender.send({ ...parcelTo(url), untilMs: performance.now() + inMs })
    assert.equal(await send(30), 'too late')
    assert.notEqual(await send(20_000), 'too late')
    assert.equal(await send(-1), 'too late')
    assert.equal(bodies, 1)
    await sender.close()
  })

  test('a redirect to the inside is not followed', async () => {
    const receiver = await startReceiver((request, response) => {
      const status = Number(request.url?.slice(1))
      response.writeHead(status, { location: `http://127.0.0.1:${canary.port}/` }).end()
    })
    const sender = openSender({ guard: guardOf(testConfig()), resolve: async () => ['127.0.0.1'] })
    for (const status of [301, 302, 303, 307, 308]) {
      const sent = await sender.send(parcelTo(`${receiver.url}/${status}`))
      assert.deepEqual([sent.status, sent.problem], [status, 'redirect'])
      assert.match(sent.detail ?? '', /^redirect to http:\/\/127\.0\.0\.1:\d+\/, not followed$/)
    }
    assert.equal(refused.hits, 0)
    await sender.close()
  })
})

test('the name servers of NOTIFY_DNS are asked, also where private addresses are welcome', async () => {
  const receiver = await startReceiver()
  const asked: string[] = []
  const server = await startNameServer((name) => {
    asked.push(name)
    return { a: ['127.0.0.1'] }
  })
  const bench = await openBench({ environment: { NOTIFY_DNS: server } })
  bench.start()
  await bench.tell({ url: `http://shop.invalid:${receiver.port}/ipn` })
  await eventually(async () => assert.equal(receiver.got[0]?.headers.host, `shop.invalid:${receiver.port}`))
  assert.ok(asked.includes('shop.invalid'))
})

test('the whole way: refused, noted for operators, and told to the merchant without what was found', async () => {
  const bench = await openBench({ environment: { ALLOW_PRIVATE_CALLBACKS: 'off' } })
  const { db } = bench
  bench.start({ resolve: async () => ['10.1.2.3'] })
  const direct = await bench.tell({ url: `http://127.0.0.1:${canary.port}/` })
  const named = await bench.tell({ url: 'http://shop.example/ipn', merchant: 10_000_002 })
  await eventually(async () => {
    for (const { id } of [direct, named]) {
      const [attempt] = await attemptsOf(db, id)
      assert.equal(attempt?.problem, 'address_not_allowed')
    }
  })
  assert.equal(refused.hits, 0)
  const shown = await notifications.show(db, { merchant: 10_000_002, id: named.id })
  assert.equal(shown?.log[0]?.message, 'The address could not be looked up or is not allowed.')
  assert.equal(shown?.log[0]?.duration_ms, null)
  assert.ok(!JSON.stringify(shown).includes('10.1.2.3'))
  const forOperator = await notifications.showToOperator(db, named.id)
  assert.match(forOperator?.log[0]?.cause ?? '', /10\.1\.2\.3/)
  const audited = await db.rows<{ action: string; object: string; result: string }>(
    `select action, object, result from audit.events where action like 'notification.%' order by object`,
  )
  assert.deepEqual(audited, [
    { action: 'notification.refused', object: '10000001', result: 'refused' },
    { action: 'notification.refused', object: '10000002', result: 'refused' },
  ])
})
