// `npm run books`: checks the whole ledger, beside the running service or without it, and says what is wrong. The
// service takes its result like that of the nightly check: books that were mended make it ready again.
import { systemClock } from './base/clock.ts'
import { isCurrency, toDecimal } from './base/money.ts'
import {
  counted,
  nothingThere,
  openCommandDatabase,
  openProgress,
  problemLines,
  runCommand,
  say,
} from './command.ts'
import { loadConfig } from './config.ts'
import { openDb } from './db/db.ts'
import * as ledger from './ledger/ledger.ts'

/** True when the books are right. */
async function checkFromCommandLine(signal: AbortSignal): Promise<boolean> {
  const database = await openCommandDatabase(loadConfig(), { what: 'are no books' })
  const db = openDb({ url: database.url, connectionsMax: 1, name: 'mfuko books' })
  try {
    if (!(await ledger.hasBooks(db))) {
      const maker = '`npm start`, or `npm run migrate`,'
      throw nothingThere({ what: 'are no books', where: 'the database', maker })
    }
    const progress = openProgress('entries')
    const onProgress = ({ entries, of }: { entries: number; of: number }) =>
      progress.show({ done: entries, of })
    const result = await ledger
      .checkAndKeep(db, { clock: systemClock, signal, onProgress })
      .finally(progress.end)
    say(report(result))
    return result.ok
  } finally {
    await db.close()
    await database.close()
  }
}

function report({
  ok,
  accounts,
  entries,
  postings,
  seconds,
  sums,
  problems,
  wrong,
}: ledger.BooksResult): string {
  const read = `${counted(entries)} entries of ${counted(postings)} postings on ${counted(accounts)} accounts`
  const lines = [`The books are ${ok ? 'right' : 'WRONG'}: ${read}, read in ${seconds.toFixed(1)} s.`, '']
  const rows = sums.map((row) => [
    row.mode,
    row.currency,
    counted(row.accounts),
    counted(row.entries),
    sumText(row),
  ])
  lines.push(...(rows.length === 0 ? [] : table(['mode', 'currency', 'accounts', 'entries', 'sum'], rows)))
  if (!ok) lines.push(...problemLines({ wrong, problems }))
  return lines.join('\n')
}

const sumText = ({ currency, sum }: { currency: string; sum: bigint }) =>
  isCurrency(currency) ? toDecimal({ minor: sum, currency }) : `${sum} (minor units)`

/** Words to the left, numbers to the right. */
function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .replace(/^/, '  '),
  )
}

runCommand(checkFromCommandLine)
