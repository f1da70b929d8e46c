// Numbers from sequences that are used before the row that carries them is committed: in a block that a process keeps, or
// in an order that is being written. What must stay true: a number that was handed out is never handed out again, not
// even when PostgreSQL is killed in the next moment.
//
// PostgreSQL writes a sequence to its log 32 values ahead, and only the transaction that wrote flushes the log when it
// commits. Whoever takes one of the other 31 meanwhile flushes nothing; after a crash the sequence may go back behind
// them. Having a transaction number is not enough for a flush, something must have been logged: the empty message is.
import { check } from '../base/check.ts'
import type { Db } from './db.ts'

/** Survives a crash from the moment it is returned. Not for a `Tx`: there nothing is safe before its commit. */
export async function takeNumber(db: Db, sequence: string): Promise<bigint> {
  const row = await db.row<{ number: bigint }>(
    `select nextval($1::text::regclass) as number, pg_logical_emit_message(true, 'mfuko', '')`,
    [sequence],
  )
  check(row !== undefined, 'a sequence has a next value')
  return row.number
}

export interface Blocks {
  sequence: string
  /** As the sequence counts: `increment by`. */
  size: bigint
}

/** Numbers come in blocks from the database; what a killed process had left of one is never used. */
export function openNumbers(db: Db, { sequence, size }: Blocks): (count: number) => Promise<bigint[]> {
  let next = 0n
  let end = 0n
  let turn: Promise<unknown> = Promise.resolve()
  const take = async (count: number): Promise<bigint[]> => {
    const numbers: bigint[] = []
    while (numbers.length < count) {
      if (next === end) {
        next = await takeNumber(db, sequence)
        end = next + size
      }
      numbers.push(next)
      next += 1n
    }
    return numbers
  }
  return (count) => {
    const mine = turn.then(() => take(count))
    turn = mine.catch(() => undefined)
    return mine
  }
}
