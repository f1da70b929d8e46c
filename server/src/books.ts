// `npm run books`: checks the whole ledger, beside the running service or without it, and says what is wrong. The
// service takes its result like that of the nightly check: books that were mended make it ready again.
import { systemClock } from './base/clock.ts'
import { AppError, StartError } from './base/errors.ts'
import { isCurrency, toDecimal } from './base/money.ts'
import { type Config, loadConfig } from './config.ts'
import { dataPlace } from './data-place.ts'
import { openDb } from './db/db.ts'
import { findEmbedded, startEmbedded } from './db/embedded.ts'
import * as ledger from './ledger/ledger.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** True when the books are right. */
async function checkFromCommandLine(signal: AbortSignal): Promise<boolean> {
  const database = await openDatabase(loadConfig())
  const db = openDb({ url: database.url, connectionsMax: 1, name: 'mfuko books' })
  try {
    if (!(await ledger.hasBooks(db))) throw noBooks('the database', '`npm start`, or `npm run migrate`,')
    const progress = openProgress()
    const result = await ledger
      .checkAndKeep(db, { clock: systemClock, signal, onProgress: progress.show })
      .finally(progress.end)
    say(report(result))
    return result.ok
  } finally {
    await db.close()
    await database.close()
  }
}

async function openDatabase(config: Config): Promise<{ url: string; close: () => Promise<void> }> {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, close: async () => undefined }
  const place = dataPlace(config)
  const found = findEmbedded(place)
  if (found === 'none') throw noBooks(place.dataDir, '`npm start`')
  if (found !== 'stopped') return { url: found.url, close: async () => undefined }
  say('The service is not running; starting its database for the check…')
  const { url, stop } = await startEmbedded({ ...place, say })
  return { url, close: stop }
}

const noBooks = (where: string, maker: string) =>
  new StartError(`There are no books in ${where}, or none that this user can read. ${maker} makes them.`)

/** One line that is written again and again, for a person who watches. */
function openProgress() {
  const watched = process.stdout.isTTY === true
  const rewrite = (text: string) => watched && process.stdout.write(`\r\x1b[K${text}`)
  return {
    show: ({ entries, of }: { entries: number; of: number }) => {
      const share = of > 0 ? ` (${Math.min(100, Math.floor((100 * entries) / of))} %)` : ''
      rewrite(`Checking… ${counted(entries)} entries${share}`)
    },
    end: () => rewrite(''),
  }
}

const counted = (count: number) => count.toLocaleString('en')

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
  if (!ok) {
    const more = wrong > problems.length ? `, of which these are the first ${problems.length}` : ''
    lines.push('', `${counted(wrong)} found wrong${more}:`, ...problems.map((problem) => `  ${problem}`))
  }
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

function complain(error: unknown): void {
  const away = error instanceof AppError && error.code === 'unavailable'
  const sentence = away
    ? `The database went away or can't be reached. Check that it runs, and check DATABASE_URL. (${reasonOf(error.cause)})`
    : reasonOf(error)
  process.stderr.write(`${sentence}\n`)
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
checkFromCommandLine(stopping.signal).then(
  (right) => {
    process.exitCode = right ? 0 : 1
  },
  (error: unknown) => {
    if (!stopping.signal.aborted) complain(error)
    process.exitCode = stopping.signal.aborted ? 130 : 1
  },
)
