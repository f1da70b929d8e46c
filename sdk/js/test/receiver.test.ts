// A receiver promises: nothing is worked on that is not signed, what comes twice is worked on once, and what failed is
// worked on again; the same in Express, Fastify, Next and plain Node, whatever else the application does with bodies.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import express from 'express'
import fastify from 'fastify'
import { mfukoExpress } from '../src/express.ts'
import { mfukoFastify } from '../src/fastify.ts'
import { createReceiver, type Notification, NotificationError, rememberInMemory } from '../src/mfuko.ts'
import { mfukoNext } from '../src/next.ts'

const clientSecret = `whsec_${Buffer.from('thirty two bytes of a secret, ok').toString('base64')}`
const otherSecret = `whsec_${Buffer.from('thirty two bytes of another one!').toString('base64')}`

let count = 0

interface Signing {
  body?: string
  id?: string
  secret?: string
  ageSeconds?: number
}

/** As the service sends it. */
function signed({ secret = clientSecret, ageSeconds = 0, ...given }: Signing = {}) {
  count += 1
  const data = {
    ref_trx: `ORDER-${count}`,
    amount: 56_000,
    currency_code: 'UGX',
    ipn_url: 'https://a.example/☕',
  }
  const {
    id = `msg_${count}`,
    body = JSON.stringify({ data, status: 'completed', message: 'm', timestamp: 1 }),
  } = given
  const timestamp = Math.floor(Date.now() / 1_000) - ageSeconds
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'SVC-Signature': createHmac('sha256', secret).update(body).digest('hex'),
    'SVC-Webhook-Attempt': '2',
    'SVC-Event-Sequence': '3',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
  return { headers, body, id }
}

/** What the application did with notifications. */
function openWork() {
  const worked: Notification[] = []
  const errors: unknown[] = []
  let fails = false
  return {
    worked,
    errors,
    failNext: () => {
      fails = true
    },
    onError: (error: unknown) => void errors.push(error),
    handler: async (notification: Notification) => {
      if (fails) {
        fails = false
        throw new Error('the database is away')
      }
      worked.push(notification)
    },
  }
}

type Work = ReturnType<typeof openWork>
type Post = (sent: {
  headers: Record<string, string>
  body: string
}) => Promise<{ status: number; text: string }>

async function listen(listener: RequestListener): Promise<Post> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return postTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ipn`)
}

const postTo =
  (url: string): Post =>
  async ({ headers, body }) => {
    const reply = await fetch(url, { method: 'POST', headers, body })
    return { status: reply.status, text: await reply.text() }
  }

const makers: Record<string, (work: Work) => Promise<Post>> = {
  'plain Node': async ({ handler, onError }) => {
    const receive = mfukoExpress(createReceiver({ clientSecret }), handler, { onError })
    return listen((request, response) => void receive(request, response))
  },
  'Express, before its JSON parser': async ({ handler, onError }) => {
    const app = express()
    app.post('/ipn', mfukoExpress(createReceiver({ clientSecret }), handler, { onError }))
    app.use(express.json())
    return listen(app)
  },
  'Express, with its raw parser': async ({ handler, onError }) => {
    const app = express()
    const receive = mfukoExpress(createReceiver({ clientSecret }), handler, { onError })
    app.post('/ipn', express.raw({ type: 'application/json' }), receive)
    return listen(app)
  },
  Fastify: async ({ handler, onError }) => {
    const app = fastify()
    after(() => app.close())
    await app.register(mfukoFastify(createReceiver({ clientSecret }), handler, { path: '/ipn', onError }))
    app.post('/other', async (request) => request.body)
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const other = await fetch(`${url}/other`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    })
    assert.deepEqual(await other.json(), { a: 1 }, 'bodies of other routes are parsed as ever')
    return postTo(`${url}/ipn`)
  },
  'Next, by Request and Response': async ({ handler, onError }) => {
    const POST = mfukoNext(createReceiver({ clientSecret }), handler, { onError })
    return async ({ headers, body }) => {
      const reply = await POST(new Request('https://shop.example/ipn', { method: 'POST', headers, body }))
      return { status: reply.status, text: await reply.text() }
    }
  },
}

test('Next: a body that says no length is read no further than a notification is long', async () => {
  const POST = mfukoNext(createReceiver({ clientSecret }), () => {})
  let given = 0
  let isLeft = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      given += 1
      controller.enqueue(new Uint8Array(64 * 1024))
      // Far from endless, so that reading all of it fails and does not hang.
      if (given === 1_000) controller.close()
    },
    cancel: () => {
      isLeft = true
    },
  })
  const reply = await POST(new Request('https://shop.example/ipn', { method: 'POST', body, duplex: 'half' }))
  assert.equal(reply.status, 413)
  assert.ok(isLeft && given < 10, `${given} parts were read`)
})

test('Next: a body in parts, and none at all', async () => {
  const worked: Notification[] = []
  const POST = mfukoNext(createReceiver({ clientSecret }), (notification) => void worked.push(notification))
  const { headers, body: text } = signed()
  const parts = [text.slice(0, 10), text.slice(10)].map((part) => new TextEncoder().encode(part))
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const part = parts.shift()
      if (part === undefined) controller.close()
      else controller.enqueue(part)
    },
  })
  const url = 'https://shop.example/ipn'
  assert.equal((await POST(new Request(url, { method: 'POST', headers, body, duplex: 'half' }))).status, 200)
  assert.equal(worked.length, 1)
  assert.equal((await POST(new Request(url, { method: 'POST', headers }))).status, 403)
})

for (const [name, make] of Object.entries(makers))
  describe(name, () => {
    test('a good one is worked on, a second time not', async () => {
      const work = openWork()
      const post = await make(work)
      const delivery = signed()
      assert.deepEqual(await post(delivery), { status: 200, text: '{"message":"Received"}' })
      assert.deepEqual(await post(delivery), { status: 200, text: '{"message":"Received before"}' })
      const [notification] = work.worked
      assert.ok(work.worked.length === 1 && notification?.kind === 'gateway')
      const { id, attempt, sequence, event, status, data } = notification
      assert.deepEqual(
        [id, attempt, sequence, event, status],
        [delivery.id, 2, 3, 'payment.completed', 'completed'],
      )
      assert.equal(data.ipn_url, 'https://a.example/☕')
    })

    test('two at the same time: one is worked on, the other comes again', async () => {
      const work = openWork()
      const post = await make(work)
      const delivery = signed()
      const both = await Promise.all([post(delivery), post(delivery)])
      const statuses = both.map(({ status }) => status).sort()
      assert.ok(statuses[0] === 200 && [200, 409].includes(statuses[1] ?? 0), String(statuses))
      assert.equal(work.worked.length, 1)
    })

    test('one that could not be worked on is refused, and then worked on', async () => {
      const work = openWork()
      const post = await make(work)
      const delivery = signed()
      work.failNext()
      assert.equal((await post(delivery)).status, 500)
      assert.match(String(work.errors[0]), /the database is away/)
      assert.equal((await post(delivery)).status, 200)
      assert.equal(work.worked.length, 1)
    })

    test('forged, old and empty ones are refused', async () => {
      const work = openWork()
      const post = await make(work)
      const good = signed()
      const wrong = [
        signed({ secret: otherSecret }),
        { ...good, body: good.body.replace('56000', '57000') },
        signed({ ageSeconds: 301 }),
        { headers: { 'content-type': 'application/json' }, body: good.body },
        { headers: { ...good.headers, 'content-type': 'text/plain' }, body: '' },
      ]
      for (const one of wrong) assert.equal((await post(one)).status, 403)
      assert.deepEqual(
        work.errors.map((error) => (error as NotificationError).reason),
        ['signature_wrong', 'signature_wrong', 'too_old', 'signature_missing', 'signature_wrong'],
      )
      assert.equal(work.worked.length, 0)
    })

    test('one that is far too large is not read', async () => {
      const work = openWork()
      const post = await make(work)
      const body = JSON.stringify({ a: 'x'.repeat(300 * 1_024) })
      assert.equal((await post(signed({ body }))).status, 413)
    })
  })

test('Express: a body that was parsed before is told with what to do', async () => {
  const app = express()
  app.use(express.json())
  app.post(
    '/ipn',
    mfukoExpress(createReceiver({ clientSecret }), () => assert.fail('not verified')),
  )
  const said: unknown[] = []
  app.use((error: Error, _request: never, response: { statusCode: number; end(): void }, _next: never) => {
    said.push(error.message)
    response.statusCode = 500
    response.end()
  })
  const post = await listen(app)
  assert.equal((await post(signed())).status, 500)
  assert.match(String(said[0]), /Put this route before express\.json\(\)/)
})

describe('reading', () => {
  const body = JSON.stringify({
    event: 'payment.failed',
    id: 'msg_forged',
    kind: 'gateway',
    data: { reference: 'PY-1', amount: 1.5, currency: 'KES' },
    error: { code: 'expired', message: 'm', retryable: true },
  })

  test('a callback, whose fields can not pretend to be ours', async () => {
    const delivery = signed({ body })
    const read = await createReceiver({ clientSecret }).read(delivery)
    assert.ok(read.kind === 'callback')
    assert.deepEqual([read.id, read.event, read.error?.code], [delivery.id, 'payment.failed', 'expired'])
  })

  test('with the body signature alone, equal bodies are the same one, whatever id they claim', async () => {
    const work = openWork()
    const receiver = createReceiver({ clientSecret, signature: 'body' })
    const first = signed({ body, id: 'msg_a' })
    const again = signed({ body, id: 'msg_b', ageSeconds: 99_999 })
    const outcomes = [
      await receiver.receive(first, work.handler),
      await receiver.receive(again, work.handler),
    ]
    assert.deepEqual(
      outcomes.map(({ body: { message } }) => message),
      ['Received', 'Received before'],
    )
  })

  test('what a parser made of the body is refused with the reason', async () => {
    const { headers } = signed()
    const read = createReceiver({ clientSecret }).read({ headers, body: { data: {} } as never })
    await assert.rejects(read, /bytes as they came/)
  })

  test('a header that came twice counts as none', async () => {
    const { headers, body: text } = signed()
    const doubled = { ...headers, 'webhook-signature': [headers['webhook-signature'], 'v1,x'] }
    const read = createReceiver({ clientSecret }).read({ headers: doubled, body: text })
    await assert.rejects(
      read,
      (error) => error instanceof NotificationError && error.reason === 'signature_missing',
    )
  })

  test('a secret that is none is told at once', () => {
    for (const wrong of ['', 'whsec_', 'whsec_c2hvcnQ=', 'svc_test_key', []])
      assert.throws(() => createReceiver({ clientSecret: wrong }), /clientSecret/)
  })
})

test('the memory of what was seen is bounded, by number and by time', async () => {
  const few = rememberInMemory({ most: 2 })
  for (const id of ['a', 'b', 'c']) {
    assert.equal(few.begin(id), 'first')
    few.done(id)
  }
  assert.deepEqual([few.begin('c'), few.begin('b'), few.begin('a')], ['done', 'done', 'first'])
  const short = rememberInMemory({ keepMs: 0 })
  short.begin('a')
  short.done('a')
  assert.equal(short.begin('a'), 'first')
})
