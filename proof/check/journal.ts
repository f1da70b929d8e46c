// What clients and receivers write down while a proof runs: JSON lines, each forced to the disk, a request before it is
// sent and its answer when it has come. So whatever dies, it is known what was asked and what was promised.
// An act that is sent again after an unknown outcome has the same key and a new `n`.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** What a client wanted. Acts of other names are counted, and nothing is expected of them. */
export type Act =
  | 'send'
  /** POST /api/v1/initiate-payment, as a shop. */
  | 'initiate'
  /** POST /api/pay, as a shop. */
  | 'ask'
  /** The form of the checkout that pays from a wallet. */
  | 'pay'
  /** To a group or to a campaign. */
  | 'contribute'
  | 'deposit'
  | 'withdraw'
  | 'refund'
  /** What a shop has earned, to its owner's wallet. */
  | 'settle'
  | 'login'
  | 'read'
  | (string & {})

export interface Sent {
  n: number
  /** Unix time in milliseconds. */
  at: number
  phase: 'sent'
  act: Act
  /** Method and template: `POST /api/groups/:id/contribute`. */
  route: string
  /** The address itself, where the template has a parameter. */
  path?: string
  /** The Idempotency-Key. */
  key?: string
  /** `usr_…` for a person, `merchant:123` for a shop, the name that was typed for a login, `-` for nobody. */
  who: string
  mode?: 'live' | 'test'
  /** Of a `pay`: `{ payment: 'PY-…' }`. */
  body?: unknown
}

export interface Answered {
  n: number
  at: number
  phase: 'answered'
  status: number
  /** It had the header Idempotency-Replayed. */
  replayed?: boolean
  /** The exact text. */
  body: string
  /** Of a page, which is for people: what it said. Absent: the status says it. */
  outcome?: 'done' | 'refused' | 'unknown'
}

export type JournalEntry = Sent | Answered

/** What came to a receiver. A receiver that cuts the connection writes status 0. */
export interface ReceiverEntry {
  at: number
  url: string
  /** With small letters, as Node has them. */
  headers: Record<string, string | string[] | undefined>
  /** In base64. */
  body: string
  status: number
}

/** One request with what came of it. */
export interface Told {
  sent: Sent
  /** Nothing, if the client never heard. */
  answer: Answered | undefined
}

/** Something happened, nothing happened, or nobody knows: 5xx and silence say nothing. */
export function outcomeOf({ answer }: Told): 'done' | 'refused' | 'unknown' {
  if (answer === undefined) return 'unknown'
  if (answer.outcome !== undefined) return answer.outcome
  if (answer.status >= 500) return 'unknown'
  return answer.status >= 200 && answer.status < 300 ? 'done' : 'refused'
}

/**
 * Each request once it is answered, and at the end those that never were: memory holds only what is open. A last line
 * that was cut short by a kill is no line.
 */
export async function* readJournal(
  journal: string | Iterable<JournalEntry> | AsyncIterable<JournalEntry>,
): AsyncGenerator<Told> {
  const open = new Map<number, Sent>()
  const entries = typeof journal === 'string' ? linesOf<JournalEntry>(journal) : journal
  for await (const entry of entries) {
    if (entry.phase === 'sent') {
      if (open.has(entry.n)) throw new Error(`the journal has two requests with the number ${entry.n}`)
      open.set(entry.n, entry)
      continue
    }
    const sent = open.get(entry.n)
    if (sent === undefined) throw new Error(`the journal has an answer to nothing: ${entry.n}`)
    open.delete(entry.n)
    yield { sent, answer: entry }
  }
  for (const sent of open.values()) yield { sent, answer: undefined }
}

export async function* readReceivers(
  entries: string | Iterable<ReceiverEntry> | AsyncIterable<ReceiverEntry>,
): AsyncGenerator<ReceiverEntry> {
  yield* typeof entries === 'string' ? linesOf<ReceiverEntry>(entries) : entries
}

async function* linesOf<Line>(path: string): AsyncGenerator<Line> {
  const lines = createInterface({
    input: createReadStream(path, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  let broken: string | undefined
  for await (const line of lines) {
    if (broken !== undefined) throw new Error(`${path} has a line that is not JSON: ${broken.slice(0, 80)}`)
    if (line === '') continue
    const parsed = parse<Line>(line)
    if (parsed === undefined) broken = line
    else yield parsed
  }
}

/** The writer and this reader share the type; a line is all there or cut short. */
function parse<Line>(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line
  } catch {
    return undefined
  }
}
