// Browsing: only what takes contributions, found by words, kind and currency, in three orders; pages go on where they
// ended, and a made-up cursor is refused. What people type, read as amounts and as words.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { theOperator } from '../../test/businesses.ts'
import { newCampaign } from '../../test/campaigns.ts'
import { testApp } from '../../test/helpers.ts'
import { fund, type Loose, register } from '../../test/people.ts'
import type { Currency } from '../base/money.ts'
import { readPrices } from '../base/prices.ts'
import { searchText, typedAmount } from './rules.ts'

const server = await testApp()
const { clock } = server
const owner = await register(server)
const giver = await register(server)
await fund(server, giver, { amount: '15000000' })

const made = new Map<string, string>()
const begin = async (name: string, given: Record<string, unknown> = {}) => {
  clock.advance(1)
  const { id } = await newCampaign(owner, { title: name, ...given })
  made.set(id, name)
  return id as string
}
const wells = await begin('Wells for Kasese', { category: 'community', ends_at: '2026-05-01T00:00:00.000Z' })
const school = await begin('School fees', {
  story: "Ada ya shule kwa watoto wa Ng'ombe Village",
  category: 'education',
  ends_at: '2026-04-01T00:00:00.000Z',
})
const clinic = await begin('Une clinique à Goma', {
  story: 'Des médicaments',
  category: 'health',
  currency: 'USD',
})
const roof = await begin('A roof for the school', {
  story: 'Rain comes in',
  category: 'education',
  currency: 'KES',
})
const ended = await begin('A school that has ended', { ends_at: '2026-03-15T00:00:00.000Z' })
const paused = await begin('A paused school')
const operator = await theOperator(server)
assert.equal(
  (await operator.call('POST', `/api/operator/campaigns/${paused}/pause`, { reason: 'x' })).status,
  200,
)
for (const [id, amount] of [
  [wells, 20_000],
  [school, 500_000],
] as const)
  await giver.call('POST', `/api/campaigns/${id}/contribute`, { amount, pin: giver.pin })
clock.set('2026-03-15T00:00:00.000Z')
const reader = await register(server)

const browse = async (query: string): Promise<Loose> => {
  const reply = await reader.call('GET', `/api/campaigns/browse${query}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}
const ids = (rows: Loose): string[] => rows.map(({ id }: Loose) => id)
const names = (all: readonly string[]) => all.map((id) => made.get(id))

const rows: [query: string, found: string[]][] = [
  ['', [roof, clinic, school, wells]],
  ['?sort=newest', [roof, clinic, school, wells]],
  ['?sort=ending', [school, wells, ...[clinic, roof].sort()]],
  ['?sort=most_funded', [school, wells, ...[clinic, roof].sort().reverse()]],
  ['?category=education', [roof, school]],
  ['?currency=USD', [clinic]],
  ['?category=education&currency=KES', [roof]],
  ['?q=school', [roof, school]],
  ['?q=SCHO', [roof, school]],
  ['?q=fee', []],
  ['?q=fees', [school]],
  ['?q=sch', []],
  ['?q=school%20rain', [roof]],
  ['?q=shule', [school]],
  ["?q=ng'ombe", [school]],
  ['?q=m%C3%A9dicaments', [clinic]],
  ['?q=me%CC%81dicaments', [clinic]],
  ['?q=school&currency=UGX&category=education&sort=ending', [school]],
  ["?q=');drop%20table", []],
  ["?q='!%20%26%20|", []],
  ['?q=', [roof, clinic, school, wells]],
  ['?q=%20', [roof, clinic, school, wells]],
]

describe('what is found', () => {
  for (const [query, found] of rows)
    test(query || 'everything', async () => {
      assert.deepEqual(names(ids((await browse(query)).data)), names(found))
    })
  test('what has ended or is paused is not among it', async () => {
    const all = ids((await browse('?limit=100')).data)
    assert.deepEqual([all.includes(ended), all.includes(paused)], [false, false])
  })
})

describe('pages', () => {
  for (const sort of ['newest', 'ending', 'most_funded'])
    test(`${sort}, one by one`, async () => {
      const whole = ids((await browse(`?sort=${sort}`)).data)
      const seen: string[] = []
      let cursor = ''
      for (let pages = 0; pages < 10; pages++) {
        const { data, meta } = await browse(`?sort=${sort}&limit=1${cursor}`)
        seen.push(...ids(data))
        if (meta.next_cursor === null) break
        cursor = `&cursor=${meta.next_cursor}`
      }
      assert.deepEqual(seen, whole)
    })

  test('a cursor of another order, or made up, is refused', async () => {
    const { meta } = await browse('?limit=1')
    const forged = (key: string[]) => Buffer.from(JSON.stringify(key)).toString('base64url')
    const id = `cmp_${'0'.repeat(22)}`
    const wrong = [
      `sort=ending&cursor=${meta.next_cursor}`,
      'cursor=abc',
      `cursor=${forged(['newest', 'infinity', id])}`,
      `cursor=${forged(['newest', '2026-99-99T00:00:00.000Z', id])}`,
      `cursor=${forged(['newest', '2026-02-30T00:00:00.000Z', id])}`,
      `sort=ending&cursor=${forged(['ending', '0000-01-01T00:00:00.000Z', id])}`,
      `cursor=${forged(['newest', '2026-01-01T00:00:00.000Z', 'cmp_1'])}`,
      `sort=most_funded&cursor=${forged(['most_funded', '-1', id])}`,
    ]
    for (const query of wrong) {
      const { status, body } = await reader.call('GET', `/api/campaigns/browse?${query}`)
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['cursor']], query)
    }
  })

  test('the own ones, also those that have ended', async () => {
    const mine = await register(server)
    const first = await newCampaign(mine)
    clock.advance(1)
    const second = await newCampaign(mine)
    await mine.call('POST', `/api/campaigns/${first.id}/end`)
    const page = (await mine.call('GET', '/api/campaigns?limit=1')).body
    assert.deepEqual(ids(page.data), [second.id])
    const rest = (await mine.call('GET', `/api/campaigns?cursor=${page.meta.next_cursor}`)).body
    assert.deepEqual(ids(rest.data), [first.id])
  })
})

const prices = readPrices()
const typed: [text: string, currency: Currency, amount: string][] = [
  ['10000', 'UGX', '10000'],
  [' 10 000 ', 'UGX', '10000'],
  ['10,000', 'UGX', '10000'],
  ['1,250,000', 'UGX', '1250000'],
  ['1.250.000', 'UGX', '1250000'],
  ['10\u202f000', 'UGX', '10000'],
  ['12,50', 'KES', '12.5'],
  ['12.50', 'KES', '12.5'],
  ['1,250.50', 'KES', '1250.5'],
  ['007500', 'UGX', '7500'],
  ['50.000', 'UGX', '50000'],
  ['50.000', 'KES', '50000'],
  ['50,000', 'KES', '50000'],
  ['1.250,50', 'KES', '1250.5'],
  ["1'250", 'KES', '1250'],
  ['0.500', 'KES', 'amount_form'],
  ['50.0000', 'KES', 'amount_form'],
  ['1.250,500', 'KES', 'amount_form'],
  ['499', 'UGX', 'amount_small'],
  ['5000001', 'UGX', 'amount_large'],
  ['10.5', 'UGX', 'amount_form'],
  ['', 'UGX', 'amount_form'],
  ['ten', 'UGX', 'amount_form'],
  ['-500', 'UGX', 'amount_form'],
  ['1e6', 'UGX', 'amount_form'],
  ['1,2,3', 'UGX', 'amount_form'],
]
test('amounts as people type them', () => {
  for (const [text, currency, expected] of typed) {
    const read = typedAmount(text, { currency, prices })
    assert.equal('amount' in read ? read.amount : read.problem, expected, text)
  }
})

test('words as people type them', () => {
  assert.equal(searchText("Wells & 'schools' in K.2"), `'wells' & 'schools' & 'in' & 'k' & '2'`)
  assert.equal(searchText('a Well'), `'a' & 'well':*`)
  assert.equal(searchText('&&& !'), undefined)
  assert.equal(searchText(Array.from({ length: 30 }, () => 'word').join(' '))?.split('&').length, 8)
})
