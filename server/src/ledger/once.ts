// Equal keys inside one process: the second waits for the first and gets its answer; what was answered lately is known
// without a look. The database has the last word (a unique index), so this is for speed, and so that equal keys never
// meet in one batch.
import type { Clock } from '../base/clock.ts'
import { passing } from '../base/passing.ts'
import { recent } from '../base/recent.ts'
import { type Answer, answerDays, type Outcome, type Posting } from './core.ts'
import type { RequestKey } from './keys.ts'

interface Remembered {
  fingerprint: string
  answer: Answer
  atMs: number
}

interface Running {
  fingerprint: string
  outcome: Promise<Outcome>
}

/** So few that under load they are forgotten before they grow old. */
const rememberedMax = 500
const dayMs = 86_400_000

export function onceEach(
  submit: (posting: Posting) => Promise<Outcome>,
  clock: Clock,
): (posting: Posting) => Promise<Outcome> {
  const running = passing<Running>()
  const lately = recent<Remembered>(rememberedMax)

  const first = (posting: Posting, { id, fingerprint }: RequestKey): Promise<Outcome> => {
    const submitted = submit(posting)
    running.set(id, { fingerprint, outcome: submitted })
    return submitted.then(
      (outcome) => {
        running.delete(id)
        // The age of an answer that was made elsewhere is not known here.
        if (outcome.ok && !outcome.replayed && outcome.answer !== undefined)
          lately.set(id, { fingerprint, answer: outcome.answer, atMs: outcome.posted.createdAt.getTime() })
        return outcome
      },
      (error: unknown) => {
        running.delete(id)
        throw error
      },
    )
  }
  const second = async (posting: Posting, key: RequestKey, other: Running): Promise<Outcome> => {
    // A first one that was refused, or whose outcome nobody knows, leaves the key to the next. So does one with another
    // body: until it has succeeded nothing says that the key is its own.
    const outcome = await other.outcome.catch(() => undefined)
    if (outcome?.ok && outcome.answer !== undefined)
      return repeat({ fingerprint: other.fingerprint, answer: outcome.answer }, key.fingerprint)
    return submitOnce(posting)
  }
  const submitOnce = (posting: Posting): Promise<Outcome> => {
    const key = posting.once?.key
    if (key === undefined) return submit(posting)
    const known = lately.get(key.id)
    if (known !== undefined && clock.now().getTime() - known.atMs < answerDays * dayMs)
      return Promise.resolve(repeat(known, key.fingerprint))
    const other = running.get(key.id)
    if (other === undefined) return first(posting, key)
    return second(posting, key, other)
  }
  return submitOnce
}

const repeat = (known: Pick<Remembered, 'fingerprint' | 'answer'>, fingerprint: string): Outcome =>
  known.fingerprint === fingerprint
    ? { ok: true, replayed: true, answer: known.answer }
    : { ok: false, refusal: 'idempotency_conflict' }
