// A history as a table for other programs: RFC 4180 (CRLF, quotes doubled), UTF-8 with a byte order mark, because
// without it Excel reads an accent as two letters. Readers of CSV know the mark and skip it.
import { toDecimal } from '../base/money.ts'
import type { Transaction } from './transactions.ts'

const columns: [name: string, cell: (line: Transaction) => string][] = [
  ['reference', ({ reference }) => reference],
  ['type', ({ type }) => type],
  ['direction', ({ direction }) => direction],
  ['amount', ({ amount, currency }) => toDecimal({ minor: amount, currency })],
  ['fee', ({ fee, currency }) => toDecimal({ minor: fee, currency })],
  ['currency', ({ currency }) => currency],
  ['status', ({ status }) => status],
  ['counterparty_handle', ({ counterparty }) => words(counterparty.handle ?? '')],
  ['counterparty_name', ({ counterparty }) => words(counterparty.name)],
  ['note', ({ note }) => words(note ?? '')],
  [
    'balance_after',
    ({ balanceAfter, currency }) =>
      balanceAfter === undefined ? '' : toDecimal({ minor: balanceAfter, currency }),
  ],
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
]

export const csvHeader = `\uFEFF${columns.map(([name]) => name).join()}\r\n`

export const csvRows = (lines: readonly Transaction[]): string =>
  lines.map((line) => `${columns.map(([, cell]) => quoted(cell(line))).join()}\r\n`).join('')

const quoted = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * What somebody else has written must not become a formula in the reader's spreadsheet: with an apostrophe in front it
 * stays text. Also behind spaces, in the wide forms that some programs take for the same, and behind what begins a new
 * cell where commas are for decimals (a semicolon) or where somebody chose so (a tab).
 */
const words = (text: string): string => {
  const inside = text.replace(innerFormula, "$1'")
  return /^\s*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(inside) ? `'${inside}` : inside
}

const innerFormula = /([;\t\r\n]\s*)(?=[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20])/g
