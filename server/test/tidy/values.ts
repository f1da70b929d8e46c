/** Values with one home: money, the environment, time, chance. */

import { isServerCode } from './imports.ts'
import { type Pattern, patternRules } from './patterns.ts'
import { closingOf, type Rule } from './scan.ts'

const base = 'server/src/base/'

/** `amountMinor`, `fees`, `BALANCE_MAX`: yes. `feedback`, `minority`, `feeBps`, `amountDigits`: no money. */
export const namesMoney = (name: string): boolean => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_.$?]+/)
    .map((word) => word.toLowerCase())
  const countsOrRates = ['digits', 'decimals', 'places', 'count', 'bps', 'exponent']
  if (countsOrRates.includes(words.at(-1) ?? '')) return false
  return words.some((word) => /^(amount|fee|balance)s?$|^minor$/.test(word))
}

const outsideMoney = (path: string): boolean => isServerCode(path) && path !== `${base}money.ts`

const patterns: Pattern[] = [
  {
    rule: 'money-number',
    hint: 'a fraction read as a float loses money: parse amounts with base/money.ts',
    pattern: /\bparseFloat\b/g,
    where: outsideMoney,
  },
  {
    rule: 'money-number',
    hint: 'an amount is a bigint of minor units, never a number: use base/money.ts',
    pattern: /\b(?:Number|parseInt)\s*\(/g,
    where: outsideMoney,
    when: ({ 0: call, index, input }) => {
      const open = index + call.length - 1
      return input
        .slice(open, closingOf(input, open))
        .split(/[^\w$]+/)
        .some(namesMoney)
    },
  },
  {
    rule: 'money-number',
    hint: 'a unary plus makes an amount a number: use base/money.ts',
    pattern: /(?<=(?:[=(,:?[{&|!]|=>|\breturn)\s*)\+(?!\+)\s*([\w.$?]+)/g,
    where: outsideMoney,
    when: (match) => namesMoney(match[1] ?? ''),
  },
  {
    rule: 'money-number',
    hint: 'an amount has the type Amount or bigint; only schemas describe it as it comes over the wire',
    pattern: /\b([\w$]+)\??\s*:\s*(?:[\w<>[\]| ]*\|\s*)?number\b/g,
    where: (path) => outsideMoney(path) && !path.endsWith('/schema.ts'),
    when: (match) => namesMoney(match[1] ?? ''),
  },
  {
    rule: 'environment-home',
    hint: 'only config.ts reads the environment: add a setting there and take it as a dependency',
    pattern: /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*\[|\bimport\s*\{[^}]*\benv\b[^}]*\}/g,
    where: (path) => isServerCode(path) && path !== 'server/src/config.ts',
  },
  {
    rule: 'clock-injected',
    hint: 'take the time from the injected clock (base/clock.ts), so that a test can set it',
    pattern: /\bDate\s*\.\s*now\b|\bnew\s+Date\b(?!\s*\(\s*[^)\s])/g,
    where: (path) => isServerCode(path) && path !== `${base}clock.ts`,
  },
  {
    rule: 'chance-home',
    hint: 'Math.random can be guessed: use base/ids.ts or node:crypto',
    pattern: /\bMath\s*\.\s*random\b/g,
    where: (path) => isServerCode(path) && !path.startsWith(base),
  },
]

export const valueRules: Rule[] = patternRules(patterns)
