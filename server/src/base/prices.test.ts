// The defaults are what the service promises; a file changes what it names and nothing else; and a wrong one is told
// in sentences, every wrong value at once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StartError } from './errors.ts'
import { type Currency, currencies, currencyCodes, type FeeRules, parseAmount } from './money.ts'
import { defaultPrices, type Prices, pricesPage, readPrices } from './prices.ts'

const minor = (text: string, currency: Currency) => parseAmount(text.replaceAll(' ', ''), currency).minor

// Currency, the most a transfer costs | the least at once / the most at once / the most in 24 hours.
const promised: [currency: Currency, fee: string, limits: string][] = [
  ['UGX', '5 000', '500 / 5 000 000 / 20 000 000'],
  ['KES', '150', '10 / 250 000 / 500 000'],
  ['TZS', '3 000', '500 / 5 000 000 / 10 000 000'],
  ['RWF', '1 500', '100 / 2 000 000 / 5 000 000'],
  ['NGN', '1 000', '50 / 1 000 000 / 5 000 000'],
  ['ZAR', '20', '5 / 25 000 / 50 000'],
  ['USD', '2', '0.5 / 2 000 / 5 000'],
]

describe('the defaults', () => {
  const prices = readPrices()

  test('are there for every currency', () => {
    assert.deepEqual(promised.map(([currency]) => currency).toSorted(), Object.keys(currencies).toSorted())
  })
  for (const [currency, fee, limits] of promised) {
    test(`${currency}: transfer fee at most ${fee}; ${limits}`, () => {
      const [least = '', most = '', dailyMost = ''] = limits.split(' / ')
      const uncapped = (basisPoints: bigint) => ({ basisPoints, least: 1n, most: null })
      assert.deepEqual(
        Object.fromEntries(Object.entries(prices).map(([key, value]) => [key, value[currency]])),
        {
          transferFee: { basisPoints: 100n, least: 1n, most: minor(fee, currency) },
          paymentFee: uncapped(200n),
          withdrawalFee: uncapped(100n),
          campaignWithdrawalFee: uncapped(100n),
          least: minor(least, currency),
          most: minor(most, currency),
          dailyMost: minor(dailyMost, currency),
        },
      )
    })
  }

  test('the page shows them as a file that means just them', () => {
    const [, example = ''] = /```json\n(.*?)```/s.exec(pricesPage()) ?? []
    assert.deepEqual(JSON.parse(example), defaultPrices)
    assert.deepEqual(readPrices(JSON.parse(example)), prices)
  })
})

describe('other prices', () => {
  /** Reads the changes, and expects the defaults in all that `expected` doesn't name. */
  const changed = (changes: unknown, expected: Partial<Prices>) => {
    const before = structuredClone(defaultPrices)
    assert.deepEqual(readPrices(changes), { ...readPrices(), ...expected })
    assert.deepEqual(defaultPrices, before)
  }
  const everywhere = (rules: FeeRules, change: object): FeeRules =>
    Object.fromEntries(currencyCodes.map((code) => [code, { ...rules[code], ...change }])) as FeeRules
  const usual = readPrices()

  test('none', () => changed({}, {}))
  test('a percentage', () =>
    changed(
      { transferPercent: '1.5' },
      { transferFee: everywhere(usual.transferFee, { basisPoints: 150n }) },
    ))
  test('percentages of two decimal places', () =>
    changed(
      { paymentPercent: '0.05', withdrawalPercent: '99.99', campaignWithdrawalPercent: '10' },
      {
        paymentFee: everywhere(usual.paymentFee, { basisPoints: 5n }),
        withdrawalFee: everywhere(usual.withdrawalFee, { basisPoints: 9_999n }),
        campaignWithdrawalFee: everywhere(usual.campaignWithdrawalFee, { basisPoints: 1_000n }),
      },
    ))
  for (const free of ['0', '0.0', '0.00']) {
    test(`${free} is free, without a least fee`, () =>
      changed(
        { paymentPercent: free },
        { paymentFee: everywhere(usual.paymentFee, { basisPoints: 0n, least: 0n }) },
      ))
  }
  test('one amount of one currency', () =>
    changed({ least: { USD: '0.25' } }, { least: { ...usual.least, USD: 25n } }))
  test('the most a transfer costs', () =>
    changed(
      { transferFeeMost: { KES: '99.5' } },
      { transferFee: { ...usual.transferFee, KES: { ...usual.transferFee.KES, most: 9_950n } } },
    ))
  test('limits that meet are fine', () =>
    changed(
      { least: { RWF: '100' }, most: { RWF: '100' }, dailyMost: { RWF: '100' } },
      { most: { ...usual.most, RWF: 100n }, dailyMost: { ...usual.dailyMost, RWF: 100n } },
    ))
  test('limits of up to 15 digits', () =>
    changed(
      { dailyMost: { KES: '9999999999999.99' } },
      { dailyMost: { ...usual.dailyMost, KES: 999_999_999_999_999n } },
    ))
})

// The file as JSON → what the sentence must say.
const refused: [file: string, says: RegExp][] = [
  ['null', /^The prices must be a JSON object, like \{ "transferPercent": "1\.5" \}\.$/],
  ['[]', /^The prices must be a JSON object/],
  ['["1"]', /^The prices must be a JSON object/],
  ['5', /^The prices must be a JSON object/],
  ['"1"', /^The prices must be a JSON object/],
  ['{"transferPercnt":"1"}', /^"transferPercnt" is no price\. There are: transferPercent, transferFeeMost, /],
  ['{"":"1"}', /^"" is no price\./],
  ['{"__proto__":{"UGX":"1"}}', /^"__proto__" is no price\./],
  ['{"constructor":"1"}', /^"constructor" is no price\./],
  ['{"least":{"EUR":"1"}}', /^least has no "EUR"\. The currencies are: UGX, KES, TZS, RWF, NGN, ZAR, USD\.$/],
  ['{"least":{"ugx":"1"}}', /^least has no "ugx"\./],
  ['{"least":{"__proto__":"1"}}', /^least has no "__proto__"\./],
  ['{"transferPercent":1}', /^transferPercent must be text, like "1"\.$/],
  ['{"transferPercent":null}', /^transferPercent must be text/],
  ['{"transferPercent":{"UGX":"1"}}', /^transferPercent must be text/],
  ['{"least":"500"}', /^least must be a JSON object, like \{ "UGX": "500" \}\.$/],
  ['{"least":["500"]}', /^least must be a JSON object/],
  ['{"least":null}', /^least must be a JSON object/],
  ['{"least":{"UGX":500}}', /^least\.UGX must be text, like "1250"\.$/],
  ['{"least":{"UGX":null}}', /^least\.UGX must be text/],
  [
    '{"transferPercent":""}',
    /^transferPercent must be from 0 to 99\.99, with at most two decimal places, not ""\.$/,
  ],
  ['{"transferPercent":"1%"}', /^transferPercent must be from 0 to 99\.99.*, not "1%"\.$/],
  ['{"transferPercent":"1.005"}', /^transferPercent must be from 0 to 99\.99/],
  ['{"transferPercent":"100"}', /^transferPercent must be from 0 to 99\.99/],
  ['{"transferPercent":"-1"}', /^transferPercent must be from 0 to 99\.99/],
  ['{"transferPercent":"01"}', /^transferPercent must be from 0 to 99\.99/],
  ['{"transferPercent":"1,5"}', /^transferPercent must be from 0 to 99\.99/],
  ['{"least":{"UGX":"500.5"}}', /^least\.UGX must be a whole number of UGX, not "500\.5"\.$/],
  ['{"least":{"KES":"0.001"}}', /^least\.KES must have at most 2 decimal places in KES, not "0\.001"\.$/],
  ['{"transferFeeMost":{"USD":"0"}}', /^transferFeeMost\.USD must be greater than 0, not "0"\.$/],
  ['{"most":{"USD":"-2"}}', /^most\.USD must be greater than 0/],
  ['{"most":{"USD":"2,000"}}', /^most\.USD must be a number, like 1250\.50, not "2,000"\.$/],
  [
    '{"dailyMost":{"KES":"10000000000000"}}',
    /^dailyMost\.KES must be at most 9999999999999\.99, not "10000000000000"\.$/,
  ],
  ['{"dailyMost":{"UGX":"9007199254740992"}}', /^dailyMost\.UGX must be at most 9007199254740991, not/],
  [
    '{"least":{"USD":"2000.01"}}',
    /^The limits of USD contradict each other: least ≤ most ≤ dailyMost must hold\.$/,
  ],
  ['{"most":{"ZAR":"50001"}}', /^The limits of ZAR contradict each other/],
  ['{"dailyMost":{"TZS":"4999999"}}', /^The limits of TZS contradict each other/],
  [
    '{"b":"1","transferPercent":"x","least":{"UGX":"0","EUR":"1"}}',
    /^"b" is no.*\nleast has no "EUR".*\ntransferPercent.*\nleast\.UGX/,
  ],
  [
    `{"${'k'.repeat(1_000)}":"1","paymentPercent":"${'9'.repeat(1_000)}"}`,
    /^"k{64}" is no .*\npaymentPercent .* not "9{64}"\.$/,
  ],
]

describe('wrong prices', () => {
  for (const [file, says] of refused) {
    test(file.slice(0, 80), () => {
      assert.throws(
        () => readPrices(JSON.parse(file)),
        (error) => {
          assert.ok(error instanceof StartError, String(error))
          assert.match(error.message, says)
          return true
        },
      )
    })
  }
})
