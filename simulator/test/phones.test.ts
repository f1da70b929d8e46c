// The phones promise: each prompt ends once, by the person or by silence; a phone is watched as long as somebody looks and
// a moment longer; messages outlive a restart and are bounded.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openJournal } from '../src/journal.ts'
import { planOf } from '../src/outcomes.ts'
import { carrierOf, carriers, exampleNumber, readNumber, spaced } from '../src/pages/numbers.ts'
import { outcomes } from '../src/pages/words.ts'
import { openPhones, type PromptOrder } from '../src/phones.ts'

const msisdn = '256770000999'
const order = (changes: Partial<PromptOrder> = {}): PromptOrder => ({
  msisdn,
  provider: 'mtn',
  text: 'Pay?',
  amount: '5000',
  currency: 'UGX',
  reference: 'A',
  needsPin: true,
  waitMs: 60_000,
  ...changes,
})

describe('a prompt', () => {
  test('is answered once, and only by its own name', async () => {
    const phones = openPhones()
    const asked = phones.prompt(order())
    const [prompt] = phones.prompts(msisdn)
    assert.ok(prompt)
    assert.equal(phones.answer('another', { answer: 'refused' }), false)
    assert.equal(phones.answer(prompt.id, { answer: 'approved', pin: '1234' }), true)
    assert.equal(phones.answer(prompt.id, { answer: 'refused' }), false)
    assert.deepEqual(await asked, { answer: 'approved', pin: '1234' })
    assert.deepEqual(phones.prompts(), [])
  })

  test('ends by silence when its time is over, and when all stops', async () => {
    const phones = openPhones()
    assert.deepEqual(await phones.prompt(order({ waitMs: 5 })), { answer: 'silence' })
    const open = phones.prompt(order())
    phones.close()
    assert.deepEqual(await open, { answer: 'silence' })
  })

  test('the oldest comes first, each phone has its own', () => {
    const phones = openPhones()
    void phones.prompt(order({ reference: 'first' }))
    void phones.prompt(order({ reference: 'second' }))
    void phones.prompt(order({ msisdn: '254700000001', reference: 'other' }))
    assert.deepEqual(
      phones.prompts(msisdn).map(({ reference }) => reference),
      ['first', 'second'],
    )
    assert.equal(phones.prompts().length, 3)
    phones.close()
  })
})

test('a phone is watched while somebody looks, and for a moment longer', () => {
  let now = 1_000_000
  const phones = openPhones({ now: () => now })
  assert.equal(phones.isWatched(msisdn), false)
  const first = phones.watch(msisdn)
  const second = phones.watch(msisdn)
  first()
  first()
  assert.equal(phones.isWatched(msisdn), true, 'the other one still looks')
  now += 3_600_000
  assert.equal(phones.isWatched(msisdn), true)
  second()
  assert.equal(phones.isWatched(msisdn), true, 'a page that is loaded again')
  now += 5_000
  assert.equal(phones.isWatched(msisdn), false)
  phones.glance(msisdn)
  assert.equal(phones.isWatched(msisdn), true)
  now += 21_000
  assert.equal(phones.isWatched(msisdn), false)
})

test('messages outlive a restart, the newest first, bounded', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mfuko-phones-'))
  try {
    const phones = openPhones({ messages: openJournal(folder).map('messages') })
    for (let number = 1; number <= 25; number++)
      phones.sms({ msisdn, from: 'MTN MoMo', text: `Text ${number}` })
    const again = openPhones({ messages: openJournal(folder).map('messages') })
    assert.deepEqual(again.messages(msisdn), phones.messages(msisdn))
    assert.equal(again.messages(msisdn).length, 20)
    assert.equal(again.messages(msisdn)[0]?.text, 'Text 25')
    assert.deepEqual(again.recent(5), [msisdn])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('who follows hears of every change', async () => {
  const phones = openPhones()
  const heard: string[] = []
  const stop = phones.onChange((number) => heard.push(number))
  const asked = phones.prompt(order())
  phones.answer(phones.prompts()[0]?.id ?? '', { answer: 'refused' })
  await asked
  phones.sms({ msisdn, from: 'A', text: 'b' })
  stop()
  phones.sms({ msisdn, from: 'A', text: 'b' })
  assert.deepEqual(heard, [msisdn, msisdn, msisdn])
})

describe('numbers', () => {
  for (const [typed, found] of [
    ['+256 770 000 001', '256770000001'],
    ['00256770000001', '256770000001'],
    ['(254) 700-000-001', '254700000001'],
    ['0770000001', undefined],
    ['call me', undefined],
    ['', undefined],
  ] as const)
    test(`"${typed}" is ${found ?? 'no number'}`, () => assert.equal(readNumber(typed), found))

  test('read aloud in groups', () => {
    assert.equal(spaced('256770000001'), '+256 770 000 001')
    assert.equal(spaced('2348031234567'), '+234 803 123 4567')
  })

  test('examples belong to their network', () => {
    for (const carrier of carriers) {
      const example = exampleNumber(carrier, '049')
      assert.match(example, /^\d{9}049$/)
      assert.equal(carrierOf(example), carrier)
    }
  })

  test('every ending that means something is explained, and no other', () => {
    const usual = JSON.stringify(planOf({ number: '001', kind: 'payout' }))
    const special = Array.from({ length: 1000 }, (_, at) => String(at).padStart(3, '0')).filter(
      (number) => JSON.stringify(planOf({ number, kind: 'payout' })) !== usual,
    )
    assert.deepEqual(
      outcomes.map(({ digits }) => digits),
      special,
    )
    for (const { digits, code, kind } of outcomes) {
      const { end } = planOf({ number: digits, kind: 'payout' })
      if (kind === 'failed') assert.equal(code, end)
      else assert.equal(end, 'paid')
    }
  })
})
