// What moves no money and must happen once all the same (a group, a campaign): its answer is kept in the caller's own
// transaction. The key is claimed first, so that one that comes while the first is worked on waits for it; one that is
// refused takes its claim back with everything else, and leaves the key to the next.
import { AppError } from '../base/errors.ts'
import { conflict, type Db, type Tx } from '../db/db.ts'
import * as sql from './answered/sql.ts'
import { type Answer, answerDays } from './core.ts'
import type { RequestKey } from './keys.ts'
import { type AnswerRow, deleteAnswers, readAnswers } from './sql.ts'

export interface Once {
  /** Absent: the request is not to be repeated. */
  key: RequestKey | undefined
  now: Date
  work: () => Promise<Answer>
}

export interface Answered {
  answer: Answer
  replayed: boolean
}

const keptMs = answerDays * 86_400_000

export async function answerOnce(tx: Tx, { key, now, work }: Once): Promise<Answered> {
  if (key === undefined) return { answer: await work(), replayed: false }
  await deleteAnswers(tx, { keys: [key.id], before: new Date(now.getTime() - keptMs) })
  if ((await sql.claim(tx, { ...key, now })) === undefined)
    return { answer: await earlierAnswer(tx, key), replayed: true }
  const answer = await work()
  await sql.keep(tx, { id: key.id, ...answer })
  return { answer, replayed: false }
}

async function earlierAnswer(tx: Tx, key: RequestKey): Promise<Answer> {
  const [row] = await readAnswers(tx, [key.id])
  // It was swept away in this very moment.
  if (row === undefined) throw conflict(new Error('an answer was there, and is gone'))
  return answerIn(row, key)
}

function answerIn({ status, body, ...row }: AnswerRow, { fingerprint }: RequestKey): Answer {
  if (row.fingerprint !== fingerprint) throw new AppError('idempotency_conflict')
  return { status, body }
}

/** A request that is refused now, whatever else is so. */
export interface Refused {
  key: RequestKey | undefined
  problem: AppError
}

/**
 * Who repeats a request hears what came of it; nothing is posted to find that out. Another process may be about to keep
 * its answer: who claims the key waits for that, and a claim that was free goes back with the problem.
 */
export function answeredOr(db: Db, { key, problem, now }: Refused & { now: Date }): Promise<Answered> {
  if (key === undefined) return Promise.reject(problem)
  return db.inTransaction(async (tx) => {
    const claimed = await sql.claim(tx, { ...key, now })
    const [row] = claimed === undefined ? await readAnswers(tx, [key.id]) : []
    if (row === undefined || now.getTime() - row.created_at.getTime() >= keptMs) throw problem
    return { answer: answerIn(row, key), replayed: true }
  })
}
