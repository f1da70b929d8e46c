// Collects what came of attempts and writes it down, as many at once as have come together while the ones before were
// written.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Db } from '../db/db.ts'
import { type OnTrouble, type Result, recordResults } from './results.ts'

export interface Recorder {
  add(result: Result): void
  waiting(): number
  /** When everything is written down, or the database has been away for too long. */
  finish(): Promise<void>
}

export interface RecorderOptions {
  db: Db
  clock: Clock
  log: Log
  onTrouble: OnTrouble
  onRecorded: (results: readonly Result[]) => void
}

const batchMax = 500
const pauseMs = 500
const pauseMsMax = 5_000
/** How often it may fail once everything else has stopped. */
const lastFailures = 3

export function openRecorder(options: RecorderOptions): Recorder {
  const waiting: Result[] = []
  let writing: Promise<void> | undefined
  let failuresLeft = Number.POSITIVE_INFINITY
  const writeAll = async () => {
    // What ends in the same moment is written together.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax)
      await write(options, batch, () => failuresLeft-- > 0)
      options.onRecorded(batch)
    }
    writing = undefined
  }
  return {
    add: (result) => {
      waiting.push(result)
      writing ??= writeAll()
    },
    waiting: () => waiting.length,
    finish: async () => {
      failuresLeft = lastFailures
      await writing
    },
  }
}

/** Never rejects: what can't be written is sent again when its lease is over. */
async function write(
  options: RecorderOptions,
  batch: readonly Result[],
  mayFail: () => boolean,
): Promise<void> {
  const { db, clock, log, onTrouble } = options
  for (let pause = pauseMs; ; pause = Math.min(2 * pause, pauseMsMax)) {
    try {
      return await recordResults(db, batch, { now: clock.now(), onTrouble })
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'unavailable'
      const fields = { err: error, attempts: batch.length, first: batch[0]?.row.id }
      if (isAway) log.warn(fields, 'could not write down what came of notifications')
      else if (batch.length === 1)
        return log.error(fields, 'could not write down what came of a notification')
      // One of them is at fault; the others must not suffer.
      else return void (await Promise.all(batch.map((one) => write(options, [one], mayFail))))
      if (!mayFail()) return
      await sleep(pause)
    }
  }
}
