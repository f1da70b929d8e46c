// An amount is read by its exact value or refused with a sentence, is written so that reading it gives the same
// amount again, and a fee and what it leaves are always the amount. SEED repeats a run.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { shortOrLong } from '../../test/thorough.ts'
import { AppError } from './errors.ts'
import {
  type Amount,
  type Currency,
  currencies,
  currencyCodes,
  type FeeRule,
  type FeeRules,
  feeOf,
  isCurrency,
  type Locale,
  minorMax,
  parseAmount,
  portableMinorMax,
  splitFee,
  toDecimal,
  toJson,
  toText,
} from './money.ts'
import { readPrices } from './prices.ts'

const seed = Number(process.env.SEED ?? 1)

/** The minor units, or the sentence it was refused with. */
function outcome(text: string, currency: Currency): bigint | string {
  try {
    const amount = parseAmount(text, currency)
    assert.equal(amount.currency, currency)
    return amount.minor
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'validation_failed', String(error))
    return error.errors?.amount ?? assert.fail('the field is named')
  }
}

// What a refusal says, with no decimal places and with two.
const refusals = {
  number: ['Amount must be a number, like 1250', 'Amount must be a number, like 1250.50'],
  zero: ['Amount must be greater than 0', 'Amount must be greater than 0'],
  fine: ['Amount must be a whole number of UGX', 'Amount must have at most 2 decimal places in KES'],
  large: ['Amount must be at most 9007199254740991', 'Amount must be at most 90071992547409.91'],
  exponent: ['Amount must have an exponent from -30 to 30', 'Amount must have an exponent from -30 to 30'],
  long: ['Amount must have at most 64 characters', 'Amount must have at most 64 characters'],
} as const

type Expected = bigint | keyof typeof refusals
const zeros = (count: number) => '0'.repeat(count)

// Text → minor units in a currency without decimal places → in one with two. One value: the same for both.
const readings: [text: string, none: Expected, two?: Expected][] = [
  ['5000', 5_000n, 500_000n],
  ['5000.0', 5_000n, 500_000n],
  ['5000.00', 5_000n, 500_000n],
  ['5000.000000000', 5_000n, 500_000n],
  ['5e3', 5_000n, 500_000n],
  ['5E3', 5_000n, 500_000n],
  ['5E+3', 5_000n, 500_000n],
  ['5e03', 5_000n, 500_000n],
  ['5.0e3', 5_000n, 500_000n],
  ['50000e-1', 5_000n, 500_000n],
  ['0.5e1', 5n, 500n],
  ['0.0005e4', 5n, 500n],
  ['1', 1n, 100n],
  ['1e0', 1n, 100n],
  ['1e-0', 1n, 100n],
  ['0.5', 'fine', 50n],
  ['0.01', 'fine', 1n],
  ['0.010', 'fine', 1n],
  ['1e-2', 'fine', 1n],
  ['1250.5', 'fine', 125_050n],
  ['1250.50', 'fine', 125_050n],
  ['125050e-2', 'fine', 125_050n],

  ['0.001', 'fine'],
  ['1e-3', 'fine'],
  ['1250.505', 'fine'],
  ['100.00000000000000001', 'fine'],
  ['1e-30', 'fine'],
  ['9007199254740991.001', 'fine'],

  ['0', 'zero'],
  ['0.0', 'zero'],
  ['0e5', 'zero'],
  ['0e9999', 'zero'],
  ['0.00e-9999', 'zero'],
  ['-0', 'zero'],
  ['-1', 'zero'],
  ['-0.01', 'zero'],
  ['-5e3', 'zero'],
  ['-1e9999', 'zero'],
  ['-9007199254740993', 'zero'],

  ['9007199254740991', minorMax, 'large'],
  ['9007199254740991.0', minorMax, 'large'],
  ['9007199254740992', 'large'],
  ['9007199254740993', 'large'],
  ['90071992547409.91', 'fine', minorMax],
  ['9007199254740991e-2', 'fine', minorMax],
  ['90071992547409.92', 'fine', 'large'],
  ['1e13', 10n ** 13n, 10n ** 15n],
  ['1e15', 10n ** 15n, 'large'],
  ['1e16', 'large'],
  ['1e30', 'large'],
  ['1e31', 'exponent'],
  ['1e-31', 'exponent'],
  ['1E+9999', 'exponent'],
  ['1e-9999', 'exponent'],
  ['1e99999999999999999999', 'exponent'],
  [`1${zeros(33)}e-30`, 1_000n, 100_000n],

  [`1.${zeros(62)}`, 1n, 100n],
  [`1.${zeros(63)}`, 'long'],
  [`1e${zeros(61)}3`, 1_000n, 100_000n],
  [`1e${zeros(62)}3`, 'long'],
  [`0.${zeros(61)}1`, 'fine'],
  [`0.${zeros(62)}1`, 'long'],
  ['9'.repeat(64), 'large'],
  ['9'.repeat(65), 'long'],
  ['x'.repeat(1_000_000), 'long'],
]

const notNumbers = [
  ...['', ' ', ' 5', '5 ', '5\n', '\t5', '5\0', '+5', '.5', '5.', '-.5', '05', '00', '-05', '0005.0'],
  ...['1,000', '1 000', '1\u00a0000', '1_000', "1'000", '1.000,50', '0x10', '0b1', '0o7', '1n', '1f'],
  ...['e5', '1e', '1e+', '1e5.0', '1e5e5', '1.e5', '1.2.3', '--5', '-', '- 5', '-abc', '5-', '\u22125'],
  ...['NaN', 'Infinity', '-Infinity', 'null', 'true', '[5]', 'five', 'UGX 5', '5 UGX', '$5', '5%'],
  ...['\uff15\uff10', '\u0665\u0660', '1e\uff15', '\u00bd', '\u2164'],
]

describe('reading', () => {
  const rows = [...readings, ...notNumbers.map((text): [string, Expected] => [text, 'number'])]
  for (const currency of currencyCodes) {
    test(`${currency}, every form`, () => {
      const places = currencies[currency].digits === 0 ? 0 : 1
      for (const [text, none, two = none] of rows) {
        const expected = places === 0 ? none : two
        const said = typeof expected === 'bigint' ? expected : refusals[expected][places]
        const here = typeof said === 'bigint' ? said : said.replace(/UGX|KES/, currency)
        assert.equal(outcome(text, currency), here, JSON.stringify(text.slice(0, 80)))
      }
    })
  }

  test('every currency has no decimal places or two, as the rows have it', () => {
    const digits = Object.fromEntries(currencyCodes.map((code) => [code, currencies[code].digits]))
    assert.deepEqual(digits, { UGX: 0, KES: 2, TZS: 2, RWF: 0, NGN: 2, ZAR: 2, USD: 2 })
    assert.ok(['UGX', 'USD'].every(isCurrency))
    assert.ok(!['', 'ugx', 'EUR', 'toString', '__proto__'].some(isCurrency))
  })

  test('the field is named as the caller calls it, and in words', () => {
    const errorsOf = (field: string) => {
      try {
        return assert.fail(String(parseAmount('0', 'UGX', field).minor))
      } catch (error) {
        return error instanceof AppError ? error.errors : error
      }
    }
    for (const [field, label] of [
      ['amount', 'Amount'],
      ['payment_amount', 'Payment amount'],
      ['items.0.amount', 'Amount'],
    ] as const) {
      assert.deepEqual(errorsOf(field), { [field]: `${label} must be greater than 0` })
    }
  })

  /** Another way to the value: by moving the point in the text. */
  const byMovingThePoint = (parts: { whole: string; fraction: string; exponent: number; digits: number }) => {
    const point = parts.whole.length + parts.exponent + parts.digits
    const text = (zeros(Math.max(0, -point)) + parts.whole + parts.fraction).padEnd(point, '0')
    const [before, after] = [text.slice(0, Math.max(0, point)), text.slice(Math.max(0, point))]
    if (!/[1-9]/.test(text)) return 'zero'
    if (/[1-9]/.test(after)) return 'fine'
    const minor = BigInt(`0${before}`)
    return minor > minorMax ? 'large' : minor
  }

  test('every form has its exact value', () => {
    const figures = (lengthMax: number) =>
      fc.string({ unit: fc.constantFrom(...'0001234599'), maxLength: lengthMax })
    const texts = fc.record({
      whole: figures(18).map((text) => text.replace(/^0*(?=\d)/, '') || '0'),
      fraction: figures(12),
      exponent: fc.integer({ min: -30, max: 30 }),
      mark: fc.constantFrom('e', 'E'),
      currency: fc.constantFrom(...currencyCodes),
    })
    fc.assert(
      fc.property(texts, ({ whole, fraction, exponent, mark, currency }) => {
        const { digits } = currencies[currency]
        const expected = byMovingThePoint({ whole, fraction, exponent, digits })
        const text = `${whole}${fraction && `.${fraction}`}${mark}${exponent}`
        const got = outcome(text, currency)
        if (typeof expected === 'bigint') assert.equal(got, expected, text)
        else assert.equal(got, refusals[expected][digits === 0 ? 0 : 1].replace(/UGX|KES/, currency), text)
      }),
      { seed, numRuns: shortOrLong(4_000, 20_000) },
    )
  })

  test('what is taken is a JSON number above zero; all else is refused on the field', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'0159.eE+- '), maxLength: 12 })
    fc.assert(
      fc.property(texts, fc.constantFrom(...currencyCodes), (text, currency) => {
        const got = outcome(text, currency)
        if (typeof got === 'string') return
        assert.ok(got > 0n && got <= minorMax && JSON.parse(text) > 0 && text.trim() === text)
      }),
      { seed, numRuns: shortOrLong(4_000, 20_000) },
    )
  })

  test('costs next to nothing, whatever is sent', () => {
    const begun = performance.now()
    for (const text of ['1e999999999', `1e${'9'.repeat(62)}`, '9'.repeat(65_536), `${'1.'.repeat(32_768)}`]) {
      for (let times = 0; times < 100; times++) assert.equal(typeof outcome(text, 'KES'), 'string')
    }
    assert.ok(performance.now() - begun < 5_000)
  })
})

describe('writing', () => {
  const decimals: [amount: Amount, text: string][] = [
    [{ minor: 10_000n, currency: 'UGX' }, '10000'],
    [{ minor: 0n, currency: 'UGX' }, '0'],
    [{ minor: -5n, currency: 'UGX' }, '-5'],
    [{ minor: 125_050n, currency: 'KES' }, '1250.5'],
    [{ minor: 125_055n, currency: 'KES' }, '1250.55'],
    [{ minor: 125_005n, currency: 'KES' }, '1250.05'],
    [{ minor: 125_000n, currency: 'KES' }, '1250'],
    [{ minor: 100n, currency: 'KES' }, '1'],
    [{ minor: 10n, currency: 'KES' }, '0.1'],
    [{ minor: 1n, currency: 'KES' }, '0.01'],
    [{ minor: 0n, currency: 'KES' }, '0'],
    [{ minor: -1n, currency: 'KES' }, '-0.01'],
    [{ minor: -125_050n, currency: 'KES' }, '-1250.5'],
    [{ minor: minorMax, currency: 'USD' }, '90071992547409.91'],
    [{ minor: 9_223_372_036_854_775_807n, currency: 'USD' }, '92233720368547758.07'],
  ]
  for (const [amount, text] of decimals) {
    test(`decimal and JSON: ${text} ${amount.currency}`, () => {
      assert.equal(toDecimal(amount), text)
      assert.equal(
        JSON.stringify({ amount: toJson(amount), list: [toJson(amount)] }),
        `{"amount":${text},"list":[${text}]}`,
      )
    })
  }

  // The French group by a narrow no-break space.
  const shown: [amount: Amount, locale: Locale | undefined, text: string][] = [
    [{ minor: 10_000n, currency: 'UGX' }, undefined, 'UGX 10,000'],
    [{ minor: 125_050n, currency: 'KES' }, undefined, 'KES 1,250.50'],
    [{ minor: 1n, currency: 'USD' }, 'en', 'USD 0.01'],
    [{ minor: 500n, currency: 'RWF' }, 'en', 'RWF 500'],
    [{ minor: 100_000_000n, currency: 'NGN' }, 'en', 'NGN 1,000,000.00'],
    [{ minor: minorMax, currency: 'USD' }, 'en', 'USD 90,071,992,547,409.91'],
    [{ minor: -125_050n, currency: 'KES' }, 'en', 'KES -1,250.50'],
    [{ minor: 1_234_567n, currency: 'UGX' }, 'fr', 'UGX 1\u202f234\u202f567'],
    [{ minor: 125_050n, currency: 'KES' }, 'fr', 'KES 1\u202f250,50'],
    [{ minor: 1_234_567n, currency: 'UGX' }, 'sw', 'UGX 1,234,567'],
    [{ minor: 125_050n, currency: 'TZS' }, 'sw', 'TZS 1,250.50'],
  ]
  for (const [amount, locale, text] of shown) {
    test(`for people, ${locale ?? 'by default'}: ${text}`, () => assert.equal(toText(amount, locale), text))
  }

  test('what was written reads as the same amount, and up to 15 digits any float keeps its text', () => {
    eachCurrency((currency, random) => {
      for (let n = 0; n < shortOrLong(15_000, 150_000); n++) {
        const minor = BigInt(random.amount())
        const text = toDecimal({ minor, currency })
        const kept = minor > portableMinorMax || JSON.stringify(JSON.parse(text)) === text
        if (!kept || parseAmount(text, currency).minor !== minor) fail({ minor, currency, text })
      }
      for (const minor of [1n, portableMinorMax, portableMinorMax + 1n, minorMax - 1n, minorMax]) {
        const text = toDecimal({ minor, currency })
        assert.equal(parseAmount(text, currency).minor, minor)
        if (minor <= portableMinorMax) assert.equal(JSON.stringify(JSON.parse(text)), text)
      }
    })
  })
})

describe('fees', () => {
  const { transferFee, paymentFee } = readPrices()
  const sums = shortOrLong(100_000, 1_000_000)

  test(`${sums} transfers a currency: fee and rest are the amount, within bounds, half up, monotone`, () => {
    eachCurrency((currency, random) => {
      const rule = transferFee[currency]
      const cap = Number(rule.most)
      let before = { minor: 1n, fee: feeOf(1n, rule) }
      for (let n = 0; n < sums; n++) {
        const amount = random.amount()
        const minor = BigInt(amount)
        const fee = feeOf(minor, rule)
        const next = feeOf(minor + 1n, rule)
        const both = feeOf(minor + before.minor, rule)
        const split = splitFee({ minor, currency }, transferFee)
        const good =
          Number(fee) === Math.min(cap, Math.max(1, byRemainder(amount, 100))) &&
          (next === fee || next === fee + 1n) &&
          (minor < before.minor ? fee <= before.fee : fee >= before.fee) &&
          fee + before.fee >= both - 1n &&
          (split === undefined ? amount === 1 : isWhole(split, { minor, fee }))
        if (!good) fail({ currency, minor, fee, next, both, before, split })
        before = { minor, fee }
      }
    })
  })

  test(`${sums} payments a currency: the same without a most`, () => {
    eachCurrency((currency, random) => {
      let before = { minor: 1n, fee: 1n }
      for (let n = 0; n < sums; n++) {
        const amount = random.amount()
        const minor = BigInt(amount)
        const fee = feeOf(minor, paymentFee[currency])
        const both = feeOf(minor + before.minor, paymentFee[currency])
        const good =
          Number(fee) === Math.max(1, byRemainder(amount, 200)) &&
          (minor < before.minor ? fee <= before.fee : fee >= before.fee) &&
          fee + before.fee >= both - 1n
        if (!good) fail({ currency, minor, fee, both, before })
        before = { minor, fee }
      }
    })
  })

  const edges: [minor: bigint, rule: FeeRule, fee: bigint][] = [
    [1n, transferFee.UGX, 1n],
    [49n, transferFee.UGX, 1n],
    [149n, transferFee.UGX, 1n],
    [150n, transferFee.UGX, 2n],
    [249n, transferFee.UGX, 2n],
    [250n, transferFee.UGX, 3n],
    [549n, transferFee.UGX, 5n],
    [550n, transferFee.UGX, 6n],
    [499_949n, transferFee.UGX, 4_999n],
    [499_950n, transferFee.UGX, 5_000n],
    [500_050n, transferFee.UGX, 5_000n],
    [minorMax, transferFee.UGX, 5_000n],
    [24n, paymentFee.USD, 1n],
    [74n, paymentFee.USD, 1n],
    [75n, paymentFee.USD, 2n],
    [minorMax, paymentFee.USD, 180_143_985_094_820n],
    [minorMax, { basisPoints: 9_999n, least: 1n, most: null }, 9_006_298_534_815_517n],
    [5_000n, { basisPoints: 1n, least: 1n, most: null }, 1n],
    [14_999n, { basisPoints: 1n, least: 1n, most: null }, 1n],
    [15_000n, { basisPoints: 1n, least: 1n, most: null }, 2n],
    [1n, { basisPoints: 0n, least: 0n, most: null }, 0n],
  ]
  for (const [minor, rule, fee] of edges) {
    test(`${minor} at ${rule.basisPoints} basis points, at most ${rule.most}: ${fee}`, () =>
      assert.equal(feeOf(minor, rule), fee))
  }

  test('no fee is asked for nothing or less', () => {
    for (const minor of [0n, -1n]) assert.throws(() => feeOf(minor, transferFee.UGX), /broken promise/)
  })

  test('an amount that its fee would eat whole has no split, and every other one has', () => {
    for (const basisPoints of [0, 1, 100, 200, 5_000, 9_900, 9_999]) {
      for (const least of [0, 1, 50]) {
        const rule = { basisPoints: BigInt(basisPoints), least: BigInt(least), most: null }
        const rules = Object.fromEntries(currencyCodes.map((code) => [code, rule])) as FeeRules
        for (let amount = 1; amount <= 10_100; amount++) {
          const fee = Math.max(least, byRemainder(amount, basisPoints))
          const split = splitFee({ minor: BigInt(amount), currency: 'UGX' }, rules)
          const good =
            split === undefined
              ? fee >= amount
              : fee < amount && isWhole(split, { minor: BigInt(amount), fee: BigInt(fee) })
          if (!good) fail({ basisPoints, least, amount, split })
        }
      }
    }
    assert.equal(splitFee({ minor: 1n, currency: 'USD' }, transferFee), undefined)
    assert.deepEqual(splitFee({ minor: 2n, currency: 'USD' }, transferFee), {
      fee: { minor: 1n, currency: 'USD' },
      rest: { minor: 1n, currency: 'USD' },
    })
  })

  test('each currency is charged by its own rule', () => {
    for (const currency of currencyCodes) {
      const split = splitFee({ minor: minorMax, currency }, transferFee)
      assert.deepEqual(split?.fee, { minor: transferFee[currency].most, currency })
    }
  })
})

/** Another way to round half up: whole shares, and what is left over. Exact, since no step leaves 53 bits. */
function byRemainder(amount: number, basisPoints: number): number {
  const left = (amount % 10_000) * basisPoints
  const whole = Math.floor(amount / 10_000) * basisPoints + Math.floor(left / 10_000)
  return left % 10_000 >= 5_000 ? whole + 1 : whole
}

const isWhole = (split: { fee: Amount; rest: Amount }, { minor, fee }: { minor: bigint; fee: bigint }) =>
  split.fee.minor === fee && split.rest.minor >= 1n && split.fee.minor + split.rest.minor === minor

interface Random {
  /** From 1 to minorMax, as many small ones as large ones. */
  amount(): number
}

/** mulberry32: 32 bits a step from one word of state. */
function openRandom(start: number): Random {
  let state = start | 0
  const bits = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const max = Number(minorMax)
  const powers = Array.from({ length: 16 }, (_, power) => 10 ** (power + 1))
  return {
    amount: () => {
      const below = Math.min(powers[bits() & 15] ?? max, max)
      return 1 + (((bits() & 0x1fffff) * 0x100000000 + bits()) % below)
    },
  }
}

function eachCurrency(work: (currency: Currency, random: Random) => void): void {
  for (const [index, currency] of currencyCodes.entries()) work(currency, openRandom(seed * 7 + index))
}

/** Loops of a million can't afford an assertion a step. */
function fail(found: object): never {
  const shown = JSON.stringify(found, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))
  return assert.fail(`SEED=${seed}: ${shown}`)
}
