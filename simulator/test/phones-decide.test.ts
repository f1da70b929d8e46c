// A person at the phone decides instead of the digits: by approving, refusing, a PIN that stands for trouble, or silence.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Bench, msisdn, mtnCaller, openBench, quick, until } from './callers.ts'

let bench: Bench
let caller: Awaited<ReturnType<typeof mtnCaller>>
before(async () => {
  bench = await openBench({ delays: { ...quick, prompt: 400 } })
  caller = await mtnCaller(bench)
})
after(() => bench.close())

interface Deed {
  answer: 'approved' | 'refused'
  pin?: string
}

/** What the order is in the end, when somebody does that at the phone. */
async function asked(
  number: string,
  deed: Deed | undefined,
  resource: 'requesttopay' | 'transfer' = 'requesttopay',
) {
  const id = randomUUID()
  const party = msisdn(number)
  await caller.order(resource, { id, body: resource === 'transfer' ? { payee: party } : { payer: party } })
  const { phones } = bench.simulator
  if (deed !== undefined) {
    const [prompt] = phones.prompts(number)
    assert.ok(prompt, 'the phone rings')
    assert.equal(prompt.needsPin, resource === 'requesttopay')
    phones.answer(
      prompt.id,
      deed.answer === 'approved' ? { answer: 'approved', pin: deed.pin ?? '4821' } : { answer: 'refused' },
    )
  }
  const statusOf = async () => (await caller.status(resource, id)).body
  await until(async () => (await statusOf()).status !== 'PENDING')
  const body = await statusOf()
  return body.reason?.code ?? body.reason ?? body.status
}

describe('999 waits', () => {
  const number = '256771000999'
  test('approved', async () => assert.equal(await asked(number, { answer: 'approved' }), 'SUCCESSFUL'))
  test('refused', async () => assert.equal(await asked(number, { answer: 'refused' }), 'APPROVAL_REJECTED'))
  test('0000 is a wrong PIN', async () =>
    assert.equal(await asked(number, { answer: 'approved', pin: '0000' }), 'INTERNAL_PROCESSING_ERROR'))
  test('1111 has too little money', async () =>
    assert.equal(await asked(number, { answer: 'approved', pin: '1111' }), 'NOT_ENOUGH_FUNDS'))
  test('silence', async () => assert.equal(await asked(number, undefined), 'EXPIRED'))
  test('a payout is taken', async () =>
    assert.equal(await asked(number, { answer: 'approved' }, 'transfer'), 'SUCCESSFUL'))
})

test('a phone that somebody holds rings, whatever its digits; and gets the message', async () => {
  const number = '256771000049'
  const release = bench.simulator.phones.watch(number)
  assert.equal(await asked(number, { answer: 'approved' }), 'SUCCESSFUL')
  release()
  const [message] = bench.simulator.phones.messages(number)
  assert.match(message?.text ?? '', /paid UGX 1,000 for a test/)
})

test('a phone that nobody holds goes by its digits, and gets the message too', async () => {
  const number = '256772000049'
  assert.equal(await asked(number, undefined), 'NOT_ENOUGH_FUNDS')
  assert.match(bench.simulator.phones.messages(number)[0]?.text ?? '', /too little money/)
})
