// What the commands that check something share: they run beside the service or without it, show how far they are, end
// with 0, 1 or 130 (stopped by a person), and say in one sentence why they could not do their work.
import { AppError, StartError } from './base/errors.ts'
import type { Config } from './config.ts'
import { dataPlace } from './data-place.ts'
import { findEmbedded, startEmbedded } from './db/embedded.ts'

export const say = (line: string) => process.stdout.write(`${line}\n`)

export interface CommandDatabase {
  url: string
  /** Where the generated secrets are. */
  dataDir: string
  close(): Promise<void>
}

/** The one that is configured, that of the running service, or, when the service is stopped, started for the command. */
export async function openCommandDatabase(
  config: Config,
  { what }: { what: string },
): Promise<CommandDatabase> {
  const place = dataPlace(config)
  const close = async () => undefined
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, dataDir: place.dataDir, close }
  const found = findEmbedded(place)
  if (found === 'none') throw nothingThere({ what, where: place.dataDir, maker: '`npm start`' })
  if (found !== 'stopped') return { ...found, close }
  say('The service is not running; starting its database for the check…')
  const { url, dataDir, stop } = await startEmbedded({ ...place, say })
  return { url, dataDir, close: stop }
}

export const nothingThere = ({ what, where, maker }: { what: string; where: string; maker: string }) =>
  new StartError(`There ${what} in ${where}, or none that this user can read. ${maker} makes them.`)

/** One line that is written again and again, for a person who watches. */
export function openProgress(what: string) {
  const watched = process.stdout.isTTY === true
  const rewrite = (text: string) => watched && process.stdout.write(`\r\x1b[K${text}`)
  return {
    show: ({ done, of }: { done: number; of: number }) => {
      const share = of > 0 ? ` (${Math.min(100, Math.floor((100 * done) / of))} %)` : ''
      rewrite(`Checking… ${counted(done)} ${what}${share}`)
    },
    end: () => rewrite(''),
  }
}

export const counted = (count: number) => count.toLocaleString('en')

/** The heading and the first problems, indented. */
export function problemLines({ wrong, problems }: { wrong: number; problems: readonly string[] }): string[] {
  const more = wrong > problems.length ? `, of which these are the first ${problems.length}` : ''
  return ['', `${counted(wrong)} found wrong${more}:`, ...problems.map((problem) => `  ${problem}`)]
}

/** `work` resolves with whether everything is right. */
export function runCommand(work: (signal: AbortSignal) => Promise<boolean>): void {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  work(stopping.signal).then(
    (right) => {
      process.exitCode = right ? 0 : 1
    },
    (error: unknown) => {
      if (!stopping.signal.aborted) complain(error)
      process.exitCode = stopping.signal.aborted ? 130 : 1
    },
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
