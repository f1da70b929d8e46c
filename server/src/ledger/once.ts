// Equal keys inside one process: the second waits for the first and gets its answer; what was answered lately is known
// without a look. The database has the last word (a unique index), so this is for speed, and so that equal keys never
// meet in one batch.
import type { Clock } from '../base/clock.ts'
import { type Answer, answerDays, type Outcome, type Posting } from './core.ts'
import type { RequestKey } from './keys.ts'

interface Known {
  fingerprint: string
  /** Until its outcome is there. */
  running: Promise<Outcome> | undefined
  /** Of one that was posted. */
  answer: Answer | undefined
  atMs: number
}

/** So few that under load they are forgotten before they grow old. */
const rememberedMax = 200
const dayMs = 86_400_000

export interface Onces {
  submit(posting: Posting): Promise<Outcome>
  /** Until nobody in this process works on the key. */
  settled(key: RequestKey): Promise<void>
}

export function onceEach(submit: (posting: Posting) => Promise<Outcome>, clock: Clock): Onces {
  const known = openKnown()

  const first = (posting: Posting, { id, fingerprint }: RequestKey): Promise<Outcome> => {
    const running = submit(posting)
    const mine: Known = { fingerprint, running, answer: undefined, atMs: 0 }
    known.set(id, mine)
    return running.then(
      (outcome) => {
        mine.running = undefined
        if (outcome.ok && !outcome.replayed && outcome.answer !== undefined) {
          mine.answer = outcome.answer
          mine.atMs = outcome.posted.createdAt.getTime()
        } else {
          // The age of an answer that was made elsewhere is not known here.
          known.delete(id)
        }
        return outcome
      },
      (error: unknown) => {
        known.delete(id)
        throw error
      },
    )
  }
  const second = async (posting: Posting, key: RequestKey, { fingerprint, running }: Known) => {
    // A first one that was refused, or whose outcome nobody knows, leaves the key to the next. So does one with another
    // body: until it has succeeded nothing says that the key is its own.
    const outcome = await running?.catch(() => undefined)
    if (outcome?.ok && outcome.answer !== undefined)
      return repeat({ fingerprint, answer: outcome.answer }, key.fingerprint)
    return submitOnce(posting)
  }
  const submitOnce = (posting: Posting): Promise<Outcome> => {
    const key = posting.once?.key
    if (key === undefined) return submit(posting)
    const earlier = known.get(key.id)
    if (earlier?.running !== undefined) return second(posting, key, earlier)
    if (earlier?.answer !== undefined && clock.now().getTime() - earlier.atMs < answerDays * dayMs)
      return Promise.resolve(repeat({ ...earlier, answer: earlier.answer }, key.fingerprint))
    return first(posting, key)
  }
  const settled = async ({ id }: RequestKey): Promise<void> => {
    await known.get(id)?.running?.catch(() => undefined)
  }
  return { submit: submitOnce, settled }
}

/**
 * The latest ones, and all that are running. Two generations, of which the older is dropped whole. Not one Map that
 * thousands a second pass through: when a Map has no more room it moves into a new table, and V8 lets the table that it
 * leaves point to the new one. As soon as one of them has grown old, everything that is put in later is reached from it,
 * so nothing of it is collected young: of each request some kilobytes lived on until the next full collection, which then
 * came every second. A new Map is not reached from the one before it.
 */
function openKnown() {
  let young = new Map<string, Known>()
  let old = new Map<string, Known>()
  let come = 0
  const turnOver = () => {
    const dropped = old
    old = young
    young = new Map()
    come = 0
    for (const [id, one] of dropped) if (one.running !== undefined) young.set(id, one)
  }
  return {
    get: (id: string) => young.get(id) ?? old.get(id),
    set: (id: string, one: Known) => {
      // Later when many are running: they are looked through each time.
      if (come >= Math.max(rememberedMax, old.size)) turnOver()
      come += 1
      young.set(id, one)
    },
    delete: (id: string) => {
      young.delete(id)
      old.delete(id)
    },
  }
}

const repeat = (known: { fingerprint: string; answer: Answer }, fingerprint: string): Outcome =>
  known.fingerprint === fingerprint
    ? { ok: true, replayed: true, answer: known.answer }
    : { ok: false, refusal: 'idempotency_conflict' }
