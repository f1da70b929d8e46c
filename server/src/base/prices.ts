// What things cost and how much may move: one table, in the decimal text of each currency. The defaults below can be
// replaced in whole or in part by a file (PRICES_FILE), without touching code. docs/reference/prices.md is made from
// the defaults.
import { StartError } from './errors.ts'
import {
  type Currency,
  currencies,
  currencyCodes,
  type FeeRules,
  feeOf,
  portableMinorMax,
  readMinor,
  toDecimal,
  toText,
} from './money.ts'

type Texts = Readonly<Record<Currency, string>>

/** Amounts as people write them; percent as text with at most two decimal places, where 0 means free. */
export interface PriceTable {
  readonly transferPercent: string
  readonly transferFeeMost: Texts
  readonly paymentPercent: string
  readonly withdrawalPercent: string
  readonly campaignWithdrawalPercent: string
  /** Of a single transfer, withdrawal or contribution. */
  readonly least: Texts
  readonly most: Texts
  /** All that leaves a wallet in any 24 hours. */
  readonly dailyMost: Texts
}

export const defaultPrices: PriceTable = {
  transferPercent: '1',
  transferFeeMost: { UGX: '5000', KES: '150', TZS: '3000', RWF: '1500', NGN: '1000', ZAR: '20', USD: '2' },
  paymentPercent: '2',
  withdrawalPercent: '1',
  campaignWithdrawalPercent: '1',
  least: { UGX: '500', KES: '10', TZS: '500', RWF: '100', NGN: '50', ZAR: '5', USD: '0.5' },
  most: {
    UGX: '5000000',
    KES: '250000',
    TZS: '5000000',
    RWF: '2000000',
    NGN: '1000000',
    ZAR: '25000',
    USD: '2000',
  },
  dailyMost: {
    UGX: '20000000',
    KES: '500000',
    TZS: '10000000',
    RWF: '5000000',
    NGN: '5000000',
    ZAR: '50000',
    USD: '5000',
  },
}

/** The kinds of postings that count against `dailyMost`. */
export const limitedKinds = ['transfer', 'withdrawal', 'group_contribution', 'campaign_contribution']

type AmountsKey = 'transferFeeMost' | 'least' | 'most' | 'dailyMost'
type PercentKey = Exclude<keyof PriceTable, AmountsKey>

/** In minor units. */
export type Limits = Readonly<Record<Currency, bigint>>

export interface Prices {
  /** Taken from the amount; the recipient gets the rest. */
  readonly transferFee: FeeRules
  /** Taken from the amount at settlement; the merchant gets the rest. */
  readonly paymentFee: FeeRules
  /** Added to the amount. */
  readonly withdrawalFee: FeeRules
  /** Taken from the amount; the owner of the campaign gets the rest. */
  readonly campaignWithdrawalFee: FeeRules
  readonly least: Limits
  readonly most: Limits
  readonly dailyMost: Limits
}

/** Reads the table, with what `changes` (a parsed JSON file) has other than the defaults. Names every wrong value. */
export function readPrices(changes: unknown = {}): Prices {
  const problems: string[] = []
  const table = changedTable(changes, problems)
  const amounts = (key: AmountsKey) =>
    perCurrency((currency) => readAmount(table[key][currency], { key, currency, problems }))
  const fee = (key: PercentKey, most?: Limits): FeeRules => {
    const basisPoints = readPercent(table[key], { key, problems })
    // Free is free; anything else is at least one minor unit.
    const least = basisPoints === 0n ? 0n : 1n
    return perCurrency((currency) => ({ basisPoints, least, most: most?.[currency] ?? null }))
  }
  const prices: Prices = {
    transferFee: fee('transferPercent', amounts('transferFeeMost')),
    paymentFee: fee('paymentPercent'),
    withdrawalFee: fee('withdrawalPercent'),
    campaignWithdrawalFee: fee('campaignWithdrawalPercent'),
    least: amounts('least'),
    most: amounts('most'),
    dailyMost: amounts('dailyMost'),
  }
  if (problems.length === 0) problems.push(...contradictions(prices))
  if (problems.length > 0) throw new StartError(problems.join('\n'))
  return prices
}

const perCurrency = <T>(make: (currency: Currency) => T): Record<Currency, T> =>
  Object.fromEntries(currencyCodes.map((currency) => [currency, make(currency)])) as Record<Currency, T>

/** Only keys that the defaults have, and only texts: a typing error must not pass for a free transfer. */
function changedTable(changes: unknown, problems: string[]): PriceTable {
  if (!isMap(changes)) {
    problems.push('The prices must be a JSON object, like { "transferPercent": "1.5" }.')
    return defaultPrices
  }
  const table: Record<string, string | Texts> = { ...defaultPrices }
  for (const [key, value] of Object.entries(changes)) {
    const known = Object.hasOwn(table, key) ? table[key] : undefined
    if (known === undefined) {
      problems.push(`${quoted(key)} is no price. There are: ${Object.keys(defaultPrices).join(', ')}.`)
    } else if (typeof known === 'string') {
      if (typeof value === 'string') table[key] = value
      else problems.push(`${key} must be text, like "${known}".`)
    } else if (isMap(value)) {
      table[key] = { ...known, ...changedTexts(value, { key, problems }) }
    } else problems.push(`${key} must be a JSON object, like { "UGX": "${known.UGX}" }.`)
  }
  return table as unknown as PriceTable
}

interface Place {
  key: string
  problems: string[]
}

function changedTexts(changes: object, { key, problems }: Place): Partial<Texts> {
  const texts: Partial<Record<string, string>> = {}
  for (const [currency, text] of Object.entries(changes)) {
    if (!Object.hasOwn(currencies, currency)) {
      problems.push(`${key} has no ${quoted(currency)}. The currencies are: ${currencyCodes.join(', ')}.`)
    } else if (typeof text === 'string') texts[currency] = text
    else problems.push(`${key}.${currency} must be text, like "1250".`)
  }
  return texts
}

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const quoted = (text: string) => JSON.stringify(text.slice(0, 64))

function readPercent(text: string, { key, problems }: Place): bigint {
  const found = /^(0|[1-9]\d?)(?:\.(\d{1,2}))?$/.exec(text)
  if (found === null) {
    problems.push(`${key} must be from 0 to 99.99, with at most two decimal places, not ${quoted(text)}.`)
    return 0n
  }
  return BigInt(`${found[1]}${(found[2] ?? '').padEnd(2, '0')}`)
}

function readAmount(text: string, { key, currency, problems }: Place & { currency: Currency }): bigint {
  const reading = readMinor(text, currency)
  const must =
    'must' in reading
      ? reading.must
      : reading.minor > portableMinorMax
        ? `be at most ${toDecimal({ minor: portableMinorMax, currency })}`
        : undefined
  if (must !== undefined) problems.push(`${key}.${currency} must ${must}, not ${quoted(text)}.`)
  return 'minor' in reading ? reading.minor : 0n
}

const contradictions = ({ least, most, dailyMost }: Prices): string[] =>
  currencyCodes
    .filter((currency) => least[currency] > most[currency] || most[currency] > dailyMost[currency])
    .map((currency) => `The limits of ${currency} contradict each other: least ≤ most ≤ dailyMost must hold.`)

/** docs/reference/prices.md, whole. */
export function pricesPage(): string {
  const prices = readPrices()
  const table = defaultPrices
  const text = (minor: bigint, currency: Currency) => toText({ minor, currency })
  const rows = (row: (currency: Currency) => string[]) =>
    currencyCodes.map((currency) => `| ${[currency, ...row(currency)].join(' | ')} |`)
  return [
    '# Prices and limits',
    '',
    'What things cost and how much may move, unless the operator has set [other prices](#other-prices). This page is',
    'generated from `server/src/base/prices.ts` by `npm run docs`.',
    '',
    '## Fees',
    '',
    '| What | Costs | Who pays |',
    '|---|---|---|',
    `| Transfer to a person | ${table.transferPercent} %, at most what the next table says | Taken from the amount: the recipient gets the rest |`,
    `| Payment to a merchant | ${table.paymentPercent} % | Taken from the amount at settlement: the merchant gets the rest |`,
    `| Withdrawal from a wallet | ${table.withdrawalPercent} % | Added to the amount: both leave the wallet |`,
    `| Withdrawal from a campaign | ${table.campaignWithdrawalPercent} % | Taken from the amount: the owner gets the rest |`,
    '| Deposit, contribution, payout of a group | nothing | |',
    '',
    'A fee is rounded to the smallest unit of its currency, a half up, and is at least one such unit. An amount that',
    'its fee would eat whole is refused.',
    '',
    '| Currency | Smallest unit | A transfer of | costs | A transfer costs at most |',
    '|---|---|---|---|---|',
    ...rows((currency) => {
      const example = 20n * prices.least[currency]
      const rule = prices.transferFee[currency]
      return [
        text(1n, currency),
        text(example, currency),
        text(feeOf(example, rule), currency),
        rule.most === null ? 'no bound' : text(rule.most, currency),
      ]
    }),
    '',
    '## Limits',
    '',
    'For transfers, withdrawals and contributions. The last column is for all of them together; what a withdrawal holds',
    'counts until 24 hours after it has left. A deposit may be as much as the last column at once.',
    '',
    '| Currency | At least | At most | From one wallet in any 24 hours, at most |',
    '|---|---|---|---|',
    ...rows((currency) =>
      [prices.least, prices.most, prices.dailyMost].map((limits) => text(limits[currency], currency)),
    ),
    '',
    ...otherPrices(),
    '',
  ].join('\n')
}

const otherPrices = (): string[] => [
  '## Other prices',
  '',
  'The setting `PRICES_FILE` names a JSON file. These are its keys, with the defaults; what the file leaves out stays',
  'as it is here. All values are text. A percentage has at most two decimal places, and `"0"` makes it free. The file',
  'is read when the service starts: a wrong one stops the start and says why, and a change takes a restart.',
  '',
  '```json',
  JSON.stringify(defaultPrices, null, 2),
  '```',
]
