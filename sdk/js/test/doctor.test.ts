// The doctor finds each of the mistakes that receivers have, names it and says how to fix it; and finds nothing to fix in a
// receiver that makes none.
import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { runCommand } from '../src/cli/commands.ts'
import { createReceiver } from '../src/mfuko.ts'

const secret = `whsec_${Buffer.from('thirty two bytes of a secret, ok').toString('base64')}`

interface Shop {
  paid: number
  state: string
  sequence: number
}

interface Got {
  headers: IncomingMessage['headers']
  body: Buffer
  shop: Shop
}

/** Returns the status. */
type Receive = (got: Got) => Promise<number> | number

/** A shop with one order, of 1000 UGX, and a page that shows it. */
async function openShop(receive: Receive): Promise<string> {
  const shop: Shop = { paid: 0, state: 'unpaid', sequence: 0 }
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify(shop))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.statusCode = await receive({ headers: request.headers, body: Buffer.concat(chunks), shop })
    response.end('{"message":"ok"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function examine(receive: Receive, more = '') {
  const url = await openShop(receive)
  const lines: string[] = []
  const args = `doctor ${url}/ipn --state ${url}/orders/{ref} --secret ${secret} ${more}`.trim().split(' ')
  const code = await runCommand(args, {
    out: (line) => void lines.push(line),
    err: (line) => void lines.push(line),
    env: {},
    stop: new AbortController().signal,
  })
  return { code, text: lines.join('\n'), fixes: lines.filter((line) => line.startsWith('  FIX')) }
}

const isSigned = ({ headers, body }: Got, expected = hex(body)) => {
  const given = Buffer.from(String(headers['svc-signature']))
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected))
}
const hex = (body: Buffer | string, key: Buffer | string = secret) =>
  createHmac('sha256', key).update(body).digest('hex')

/** What a careful shop does with a notification that it believes. */
function settle(shop: Shop, { body, headers }: Got): number {
  const { status, event, data } = JSON.parse(body.toString())
  const what = event ?? `payment.${status}`
  const sequence = Number(headers['svc-event-sequence'])
  const fits = data.amount === 1_000 && (data.currency_code ?? data.currency) === 'UGX'
  if (!fits || sequence <= shop.sequence) return 200
  shop.sequence = sequence
  shop.state = what
  return 200
}

const seenIn = (seen: Set<string>, { headers }: Got): boolean => {
  const id = String(headers['svc-webhook-id'])
  const known = seen.has(id)
  seen.add(id)
  return known
}

const careful = (): Receive => {
  const receiver = createReceiver({ clientSecret: secret })
  return async (got) => (await receiver.receive(got, () => settle(got.shop, got))).status
}

/** Careful in everything but what is given. */
const withSignature =
  (expected: (got: Got) => string): Receive =>
  (got) =>
    isSigned(got, expected(got)) ? settle(got.shop, got) : 403

const phpBody = ({ body }: Got) =>
  JSON.stringify(JSON.parse(body.toString()))
    .replaceAll('/', '\\/')
    .replaceAll(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** As Python writes it: separators with a space behind them, other scripts escaped. */
function pythonBody({ body }: Got): string {
  const written = (value: unknown): string => {
    if (value === null || typeof value !== 'object') return JSON.stringify(value)
    const pairs = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${written(one)}`)
    return `{${pairs.join(', ')}}`
  }
  return written(JSON.parse(body.toString())).replaceAll(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const base64Key = Buffer.from(secret.slice(6), 'base64')
const doubled = new Set<string>()

const rows: [name: string, receive: Receive, fixes: RegExp[]][] = [
  [
    'believes everything',
    (got) => settle(got.shop, got),
    [/signed by somebody else/, /without a signature/, /the word true/, /forged delivery has changed/],
  ],
  [
    'believes what has no signature',
    (got) => (got.headers['svc-signature'] === '' || isSigned(got) ? settle(got.shop, got) : 403),
    [/without a signature/, /forged delivery has changed/],
  ],
  [
    'does the work before it verifies',
    (got) => {
      settle(got.shop, got)
      return isSigned(got) ? 200 : 403
    },
    [/forged delivery has changed/],
  ],
  ['encodes again as PHP does', withSignature((got) => hex(phpBody(got))), [/json_encode of PHP/]],
  ['encodes again as Python does', withSignature((got) => hex(pythonBody(got))), [/json\.dumps of Python/]],
  [
    'decodes the secret',
    withSignature(({ body }) => hex(body, base64Key)),
    [/what the secret stands for in base64/],
  ],
  ['cuts the secret', withSignature(({ body }) => hex(body, secret.slice(6))), [/leaves out the whsec_/]],
  [
    'has another secret',
    withSignature(({ body }) => hex(body, 'whsec_other')),
    [/Client Secret of test mode|status 403/],
  ],
  [
    'reads only small letters',
    (got) => (/^[\x20-\x7e]*$/.test(got.body.toString()) ? careful()(got) : 400),
    [/slashes, quotes and other scripts/],
  ],
  [
    'does not look at the amount',
    (got) => {
      if (!isSigned(got)) return 403
      if (got.shop.state === 'unpaid') got.shop.state = 'paid'
      return 200
    },
    [/another amount has changed/],
  ],
  [
    'pays twice',
    (got) => {
      if (!isSigned(got)) return 403
      if (JSON.parse(got.body.toString()).data.amount === 1_000) got.shop.paid += 1
      return 200
    },
    [/The order has changed when a delivery was repeated/, /when an older event came late/],
  ],
  [
    'refuses the second one',
    async (got) => (isSigned(got) && seenIn(doubled, got) ? 500 : careful()(got)),
    [/a second time was answered with status 500/, /two at the same moment/],
  ],
  [
    'goes back in time',
    (got) => {
      if (!isSigned(got)) return 403
      const { data, status } = JSON.parse(got.body.toString())
      if (data.amount === 1_000) got.shop.state = status
      return 200
    },
    [/The order has changed when an older event came late/],
  ],
  [
    'refuses what is old news',
    (got) => {
      const old = Number(got.headers['svc-event-sequence']) < got.shop.sequence
      return isSigned(got) && old ? 422 : careful()(got)
    },
    [/An older payment\.failed that came late was answered with status 422/],
  ],
  [
    'knows one signature only',
    (got) => (String(got.headers['webhook-signature']).includes(' ') ? 403 : careful()(got)),
    [/with two signatures/],
  ],
]

describe('the doctor', { concurrency: 4 }, () => {
  for (const kind of ['gateway', 'callback'])
    test(`has nothing to say against a careful receiver (${kind})`, async () => {
      const { code, text, fixes } = await examine(careful(), `--kind ${kind}`)
      assert.deepEqual([code, fixes], [0, []], text)
      assert.match(text, /Healthy\.$/)
      assert.doesNotMatch(text, / note /)
    })

  test('only notes what the body signature can not tell', async () => {
    const { code, text } = await examine((got) => (isSigned(got) ? settle(got.shop, got) : 403))
    assert.equal(code, 0, text)
    assert.match(text, /note {2}A delivery that was signed an hour ago was taken/)
  })

  for (const [name, receive, expected] of rows)
    test(`one that ${name}`, async () => {
      const { code, text, fixes } = await examine(receive)
      assert.equal(code, 1, text)
      assert.equal(fixes.length, expected.length, text)
      for (const [at, says] of expected.entries()) assert.match(fixes[at] ?? '', says, text)
    })

  test('one that is not there', async () => {
    const lines: string[] = []
    const code = await runCommand(['doctor', 'http://127.0.0.1:9/', '--secret', secret], {
      out: (line) => void lines.push(line),
      err: (line) => void lines.push(line),
      env: {},
      stop: new AbortController().signal,
    })
    assert.equal(code, 1)
    assert.match(lines.join('\n'), /got no answer/)
  })
})
