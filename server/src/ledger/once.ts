// Equal keys inside one process: the second waits for the first and gets its answer; what was answered lately is known
// without a look. The database has the last word (a unique index), so this is for speed, and so that equal keys never
// meet in one batch.
import type { Clock } from '../base/clock.ts'
import { recent } from '../base/recent.ts'
import { type Answer, answerDays, type Outcome, type Posting } from './core.ts'

interface Remembered {
  fingerprint: string
  answer: Answer
  atMs: number
}

const rememberedMax = 2_000
const dayMs = 86_400_000

export function onceEach(
  submit: (posting: Posting) => Promise<Outcome>,
  clock: Clock,
): (posting: Posting) => Promise<Outcome> {
  const running = new Map<string, { fingerprint: string; outcome: Promise<Outcome> }>()
  const lately = recent<Remembered>(rememberedMax)

  const first = async (
    posting: Posting,
    { id, fingerprint }: { id: string; fingerprint: string },
  ): Promise<Outcome> => {
    const outcome = await submit(posting)
    // The age of an answer that was made elsewhere is not known here.
    if (outcome.ok && !outcome.replayed && outcome.answer !== undefined) {
      lately.set(id, { fingerprint, answer: outcome.answer, atMs: outcome.posted.createdAt.getTime() })
    }
    return outcome
  }
  const submitOnce = async (posting: Posting): Promise<Outcome> => {
    const key = posting.once?.key
    if (key === undefined) return submit(posting)
    const known = lately.get(key.id)
    if (known !== undefined && clock.now().getTime() - known.atMs < answerDays * dayMs)
      return repeat(known, key.fingerprint)
    const other = running.get(key.id)
    if (other === undefined) {
      const outcome = first(posting, key)
      running.set(key.id, { fingerprint: key.fingerprint, outcome })
      try {
        return await outcome
      } finally {
        running.delete(key.id)
      }
    }
    if (other.fingerprint !== key.fingerprint) return { ok: false, refusal: 'idempotency_conflict' }
    // A first one that was refused, or whose outcome nobody knows, leaves the key to the next.
    const outcome = await other.outcome.catch(() => undefined)
    if (outcome?.ok && outcome.answer !== undefined)
      return { ok: true, replayed: true, answer: outcome.answer }
    return submitOnce(posting)
  }
  return submitOnce
}

const repeat = (known: Remembered, fingerprint: string): Outcome =>
  known.fingerprint === fingerprint
    ? { ok: true, replayed: true, answer: known.answer }
    : { ok: false, refusal: 'idempotency_conflict' }
