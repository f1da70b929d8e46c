// Signatures as receivers check them: with the package that many use, with ten lines of their own, and with fixed values
// that other languages can repeat.
import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { testClock } from '../../test/helpers.ts'
import { eventually, newSecret, openBench, startReceiver } from '../../test/notifications.ts'
import { systemClock } from '../base/clock.ts'
import { bodySignature, webhookSignature } from './sign.ts'

// The package compares the time with its own.
const bench = await openBench({ clock: { ...testClock(), now: systemClock.now } })

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
const body =
  '{"data":{"ref_trx":"A-1","description":"Ça & <b>","amount":12.5},"status":"completed","timestamp":1773478800}'
const message = { id: 'msg_5Hh2mC0Zr3qXw8Vb1KtYpe', timestamp: 1_773_478_800, body }

test('fixed values', () => {
  assert.equal(
    bodySignature(secret, body),
    '706a792f564bf9f08bec9165e813002b64dbf1c8c4f84a301bc7f5f9cf0791f5',
  )
  assert.equal(webhookSignature(secret, message), 'v1,tmlLdbiBatBRNICQXAdJVXUKNDKY8oOGc+Q1SBQ9nxU=')
})

/** What a receiver writes that uses no library. */
function tenLines(headers: Record<string, unknown>, raw: string, known: string): boolean {
  const hex = createHmac('sha256', known).update(raw).digest()
  const given = Buffer.from(String(headers['svc-signature']), 'hex')
  const key = Buffer.from(known.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
  const standard = createHmac('sha256', key).update(signed).digest('base64')
  const offered = String(headers['webhook-signature']).split(' ')
  return given.length === 32 && timingSafeEqual(hex, given) && offered.includes(`v1,${standard}`)
}

test('every receiver can check what it gets', async () => {
  const receiver = await startReceiver()
  bench.start()
  await bench.tell({ url: receiver.url, body })
  await eventually(() => assert.equal(receiver.got.length, 1))
  const [{ headers, body: raw } = { headers: {}, body: '' }] = receiver.got
  const known = bench.keys.get('10000001 live')?.current ?? ''
  assert.equal(raw, body)
  assert.ok(tenLines(headers, raw, known))
  assert.deepEqual(new Webhook(known).verify(raw, headers as Record<string, string>), JSON.parse(body))
  assert.throws(() => new Webhook(newSecret()).verify(raw, headers as Record<string, string>))
  assert.throws(() => new Webhook(known).verify(raw.replace('12.5', '99'), headers as Record<string, string>))
  // A receiver in JavaScript that encodes what it has parsed gets the same bytes.
  assert.equal(JSON.stringify(JSON.parse(raw)), raw)
})

test('the headers', async () => {
  const receiver = await startReceiver()
  const event = await bench.tell({ url: receiver.url, sequence: 3 })
  await eventually(() => assert.equal(receiver.got.length, 1))
  const headers = receiver.got[0]?.headers ?? {}
  const wanted = {
    'content-type': 'application/json',
    'svc-api-version': 'v1',
    'svc-webhook-id': event.id,
    'svc-webhook-attempt': '1',
    'svc-event-sequence': '3',
    'webhook-id': event.id,
    'content-length': String(Buffer.byteLength(event.body)),
  }
  for (const [name, value] of Object.entries(wanted)) assert.equal(headers[name], value, name)
  assert.match(headers['user-agent'] ?? '', /^Mfuko-Notify\/1/)
  assert.match(event.id, /^msg_[0-9A-Za-z]{22}$/)
  for (const name of ['accept-encoding', 'cookie', 'svc-signature-all', 'authorization', 'expect'])
    assert.equal(headers[name], undefined, name)
  assert.equal(receiver.got[0]?.method, 'POST')
})

test('while a secret is replaced, receivers with the old one, the new one or both accept everything', async () => {
  const receiver = await startReceiver()
  const merchant = 10_000_777
  const [old, fresh] = [newSecret(), newSecret()]
  const key = `${merchant} live`
  bench.keys.set(key, { current: old, all: [old] })
  await bench.tell({ url: receiver.url, merchant })
  await eventually(() => assert.equal(receiver.got.length, 1))
  bench.keys.set(key, { current: old, all: [old, fresh] })
  await bench.tell({ url: receiver.url, merchant })
  await eventually(() => assert.equal(receiver.got.length, 2))
  bench.keys.set(key, { current: fresh, all: [fresh] })
  await bench.tell({ url: receiver.url, merchant })
  await eventually(() => assert.equal(receiver.got.length, 3))

  const [before, during, after] = receiver.got
  assert.ok(before && during && after)
  const accepts = (known: string, { headers, body: raw }: typeof before) => {
    new Webhook(known).verify(raw, headers as Record<string, string>)
  }
  accepts(old, before)
  for (const known of [old, fresh]) accepts(known, during)
  accepts(fresh, after)
  assert.equal(during.headers['svc-signature'], bodySignature(old, during.body))
  assert.equal(
    during.headers['svc-signature-all'],
    [bodySignature(old, during.body), bodySignature(fresh, during.body)].join(','),
  )
  assert.equal(after.headers['svc-signature'], bodySignature(fresh, after.body))
  assert.equal(after.headers['svc-signature-all'], undefined)
})

test('without a secret nothing is sent', async () => {
  const other = await openBench()
  const receiver = await startReceiver()
  other.start({ keysOf: async () => undefined })
  await other.tell({ url: receiver.url })
  await eventually(async () => {
    const rows = await other.db.rows<{ problem: string }>('select problem from notifications.attempts')
    assert.deepEqual(rows, [{ problem: 'no_secret' }])
  })
  assert.equal(receiver.got.length, 0)
})

test('a secret that can not be read now is no failure of the receiver', async () => {
  const other = await openBench()
  const receiver = await startReceiver()
  let calls = 0
  const keys = newSecret()
  other.start({
    keysOf: async () => {
      if (calls++ === 0) throw new Error('the database is away')
      return { current: keys, all: [keys] }
    },
  })
  const event = await other.tell({ url: receiver.url })
  await eventually(() => assert.ok(other.log.text().includes('for a reason of our own')))
  await eventually(async () => {
    const [row] = await other.db.rows<{ attempts: number; failures: number; leased_until: Date | null }>(
      'select attempts, failures, leased_until from notifications.queue',
    )
    assert.deepEqual(row, { attempts: 0, failures: 0, leased_until: null })
  })
  other.clock.advance(6)
  await eventually(() => assert.equal(receiver.got.length, 1))
  assert.equal(receiver.got[0]?.headers['svc-webhook-attempt'], '1')
  assert.equal(receiver.got[0]?.headers['webhook-id'], event.id)
})
