// Money stands still while the books are known to be wrong: whatever made them so might make it worse. The latest check
// decides; it is looked at while postings come in, every two seconds at most, and never waited for.
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/db.ts'
import { booksReasons } from './books.ts'

export interface Freeze {
  /** `unavailable` when the books are wrong. */
  refusal(): AppError | undefined
}

const lookMs = 2_000
const retrySeconds = 60

export function openFreeze(db: Db): Freeze {
  let lookedAt = Number.NEGATIVE_INFINITY
  let wrong = false
  const look = async () => {
    lookedAt = performance.now()
    // A database that can't be asked refuses the posting by itself.
    const reasons = await booksReasons(db).catch(() => undefined)
    if (reasons !== undefined) wrong = reasons.length > 0
  }
  return {
    refusal: () => {
      if (performance.now() - lookedAt > lookMs) void look()
      if (!wrong) return undefined
      return new AppError('unavailable', {
        detail: 'No money can be moved just now: the books are being checked. Nothing was lost.',
        retryAfter: retrySeconds,
      })
    },
  }
}
