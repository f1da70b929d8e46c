// The receipt: in the reader's language and time, with every word that somebody else wrote escaped, under a policy that
// lets nothing run. receipt.browser.test.ts looks at it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { testSecrets } from '../../test/helpers.ts'
import { openProbe } from '../../test/probe-scope.ts'
import type { Locale } from '../base/money.ts'
import { encodeReference } from '../base/reference.ts'
import { type ReceiptPerson, receiptPage } from './receipt.ts'
import { receiptWords } from './receipt-words.ts'
import { transactionRoutes } from './routes.ts'
import { transactionTypes } from './rules.ts'
import type { Transaction } from './transactions.ts'

const nasty = `<script>alert(1)</script> & "'`
const people: Record<string, ReceiptPerson> = {
  usr_amina: { name: 'Amina Nakato', handle: 'amina', locale: 'en', country: 'UG' },
  usr_juma: { name: 'Juma Okello', handle: 'juma', locale: 'sw', country: 'KE' },
  usr_claire: { name: 'Claire Uwase', handle: 'claire', locale: 'fr', country: 'FR' },
}
const { ledger, get, app } = await openProbe({
  routes: (scope, parts) =>
    transactionRoutes(scope, {
      ...parts,
      config: { BRAND_NAME: 'Mfuko' },
      personOf: async (id) => people[id],
      secrets: testSecrets,
    }),
})

const partyOf = (id: string) => ({ id, handle: people[id]?.handle ?? '', name: people[id]?.name ?? '' })
const scope = { mode: 'live', currency: 'KES' } as const
const funded = await ledger.submit({
  ...scope,
  kind: 'deposit',
  details: { counterparty: { name: nasty } },
  entries: [
    { kind: 'clearing', owner: 'mpesa', amount: -2_000_000n },
    { kind: 'user', owner: 'usr_amina', amount: 2_000_000n },
  ],
})
const transfer = (to: string, note: string) =>
  ledger.submit({
    ...scope,
    kind: 'transfer',
    details: { from: partyOf('usr_amina'), to: partyOf(to), amount: '125050', fee: '1251', note },
    entries: [
      { kind: 'user', owner: 'usr_amina', amount: -125_050n },
      { kind: 'user', owner: to, amount: 123_799n },
      { kind: 'fees', owner: '-', amount: 1_251n },
    ],
  })
const [sent, abroad] = [await transfer('usr_juma', nasty), await transfer('usr_claire', 'Loyer')]
const referenceOf = (kind: string, outcome: typeof sent) => {
  assert.ok(outcome.ok && !outcome.replayed)
  return encodeReference(testSecrets.idem, { kind, id: outcome.posted.id })
}

/** What a reader sees: no elements, spaces as one. */
const seen = (page: string) =>
  page
    .replace(/[\s\S]*<body>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    .trim()

const receiptOf = async (userId: string, reference: string) => {
  const answer = await get(userId, `/transactions/${reference}/receipt`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer
}

describe('what it says', () => {
  const escaped = '&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;&#39;'
  test('to who has sent, in English, in Kampala', async () => {
    const reference = referenceOf('TR', sent)
    assert.equal(
      seen((await receiptOf('usr_amina', reference)).body),
      `Mfuko Money sent KES 1,250.50 Completed Reference ${reference} From Amina Nakato @amina To Juma Okello @juma ` +
        'Amount KES 1,250.50 Fee KES 12.51 Recipient gets KES 1,237.99 Date 14 March 2026 at 12:00 GMT+3 ' +
        `Balance afterwards KES 18,749.50 Note ${escaped} Give this reference when you ask us about this transaction.`,
    )
  })

  test('to who has received, in Kiswahili, in Nairobi', async () => {
    const reference = referenceOf('TR', sent)
    const { body } = await receiptOf('usr_juma', reference)
    assert.match(body, /<html lang="sw">/)
    assert.equal(
      seen(body),
      `Mfuko Umepokea pesa KES 1,237.99 Imekamilika Kumbukumbu ${reference} Kutoka kwa Amina Nakato @amina ` +
        'Kwenda kwa Juma Okello @juma Kiasi KES 1,237.99 Tarehe 14 Machi 2026, 12:00 GMT +3 ' +
        `Salio baada ya muamala KES 1,237.99 Maelezo ${escaped} Taja namba hii ukituuliza kuhusu muamala huu.`,
    )
  })

  test('in French, in UTC where the zone is not known', async () => {
    const reference = referenceOf('TR', abroad)
    assert.equal(
      seen((await receiptOf('usr_claire', reference)).body),
      `Mfuko Argent reçu KES 1 237,99 Effectué Référence ${reference} De Amina Nakato @amina À Claire Uwase @claire ` +
        'Montant KES 1 237,99 Date 14 mars 2026 à 09:00 UTC Solde après l’opération KES 1 237,99 Motif Loyer ' +
        'Donnez cette référence pour toute question sur cette opération.',
    )
  })

  test('of a name that is none', async () => {
    const { body } = await receiptOf('usr_amina', referenceOf('DP', funded))
    assert.ok(body.includes(escaped))
    assert.ok(!body.includes('<script'))
  })

  test('of what has failed: what happened to the money, and no fee', () => {
    const line: Transaction = {
      postingId: undefined,
      reference: 'WD-1',
      type: 'withdrawal',
      direction: 'out',
      currency: 'UGX',
      amount: 10_100n,
      fee: 100n,
      status: 'failed',
      counterparty: { name: 'MTN' },
      note: undefined,
      balanceAfter: undefined,
      createdAt: new Date('2026-03-14T09:26:53.000Z'),
    }
    const pageOf = (transaction: Transaction, locale: Locale) =>
      seen(
        receiptPage({
          transaction,
          person: { ...(people.usr_amina as ReceiptPerson), locale },
          style: '/receipt.css',
          brandName: 'Mfuko',
        }),
      )
    assert.match(pageOf(line, 'en'), /Failed No money left your wallet\. .* Amount UGX 10,100 Date/)
    assert.match(pageOf({ ...line, direction: 'in', type: 'deposit' }, 'sw'), /Hakuna pesa zilizoingia/)
    assert.match(
      pageOf({ ...line, status: 'pending' }, 'fr'),
      /En attente En attente de confirmation\. .* Frais UGX 100/,
    )
    for (const type of transactionTypes)
      for (const locale of ['en', 'sw', 'fr'] as const)
        for (const direction of ['in', 'out'] as const) {
          const page = pageOf({ ...line, type, direction, status: 'completed' }, locale)
          assert.ok(!page.includes('undefined'), page)
        }
  })
})

test('headers: a page, that nothing keeps, frames or runs', async () => {
  const { headers, body } = await receiptOf('usr_amina', referenceOf('TR', sent))
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(
    headers['content-security-policy'],
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  )
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['x-robots-tag'], 'noindex')
  assert.ok(!/<style|style="|<script|\son\w+=/.test(body))
})

test('its style is a public file that may be kept, with the tokens of all pages', async () => {
  const { body } = await receiptOf('usr_amina', referenceOf('TR', sent))
  const [, address = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(body) ?? []
  assert.match(address, /^\/receipt\.css\?v=[0-9a-f]{12}$/)
  const answer = await app.inject(address)
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-type'], 'text/css; charset=utf-8')
  assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.ok(answer.body.startsWith(readFileSync(new URL('../../../web/tokens.css', import.meta.url), 'utf8')))
  const own = readFileSync(new URL('./receipt.css', import.meta.url), 'utf8')
  assert.deepEqual(own.match(/#[0-9a-f]{3,8}\b/gi) ?? [], [], 'no colours of its own')
})

test('every language has every word', () => {
  const shape = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
      : typeof value === 'string' && value.trim() !== ''
  for (const words of Object.values(receiptWords)) assert.deepEqual(shape(words), shape(receiptWords.en))
})
