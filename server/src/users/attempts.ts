// Failures that are counted for a while, in the database, so that all processes count together. What is guessed one at
// a time (a password, against one account) is counted before it is tried and taken back when it was right: many guesses
// at the same moment gain nothing. Failures of an address are only counted: thousands of phones may share one.
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Secret } from '../base/secret.ts'
import type { Db, Queries } from '../db/db.ts'
import * as sql from './attempts/sql.ts'
import { deriveKey, macOf } from './keys.ts'

export interface Attempts {
  /** What is counted: neither a name nor an address can be read from it. */
  keyOf(parts: readonly string[]): Buffer
  /** Counts one that is about to be tried. Throws `rate_limited` when there were too many. */
  begin(key: Buffer, most: number): Promise<number>
  /** The same for who is told nothing of it: false when there were too many. */
  allows(db: Queries, key: Buffer, most: number): Promise<boolean>
  /** It was not tried after all. */
  takeBack(key: Buffer): Promise<void>
  /** Throws `rate_limited` when there were too many; counts nothing. */
  require(key: Buffer, most: number): Promise<void>
  /** Counts one that has failed. */
  count(db: Queries, key: Buffer, most: number): Promise<void>
  forget(db: Queries, keys: readonly Buffer[]): Promise<void>
}

/** How long failures are remembered. */
export const windows = { quarter: 15 * 60_000, day: 86_400_000 }

export interface AttemptsOptions {
  db: Db
  clock: Clock
  secret: Secret
  windowMs: number
}

export function openAttempts({ db, clock, secret, windowMs }: AttemptsOptions): Attempts {
  const mac = deriveKey(secret, 'attempts')
  const countOne = (queries: Queries, key: Buffer, most: number) => {
    const now = clock.now()
    return sql.countAttempt(queries, { key, now, most, forgottenAt: new Date(now.getTime() + windowMs) })
  }
  const tooMany = (forgottenAt: Date | undefined) => {
    const ms = (forgottenAt?.getTime() ?? 0) - clock.now().getTime()
    return new AppError('rate_limited', { retryAfter: Math.max(1, Math.ceil(ms / 1_000)) })
  }
  return {
    keyOf: (parts) => macOf(mac, parts).subarray(0, 16),
    begin: async (key, most) => {
      const counted = await countOne(db, key, most)
      if (counted === undefined) throw tooMany((await sql.attemptsOf(db, key))?.forgotten_at)
      return counted.failures
    },
    allows: async (queries, key, most) => (await countOne(queries, key, most)) !== undefined,
    takeBack: async (key) => {
      await sql.uncountAttempt(db, key)
    },
    require: async (key, most) => {
      const found = await sql.attemptsOf(db, key)
      if (found === undefined || found.failures < most || found.forgotten_at <= clock.now()) return
      throw tooMany(found.forgotten_at)
    },
    count: async (queries, key, most) => {
      await countOne(queries, key, most)
    },
    forget: async (queries, keys) => {
      await sql.forgetAttempts(queries, keys)
    },
  }
}
