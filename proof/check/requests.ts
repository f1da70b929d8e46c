// Rules 1 and 2: what clients were promised is there, once, as it was promised; what nobody answered is there at most
// once; and nothing is there that nobody asked for. Requests with one key are one wish, however often they were sent.
import { createHash } from 'node:crypto'
import { type Claim, claimOf, verifyClaims } from './claims.ts'
import type { Database } from './database.ts'
import type { Faults } from './faults.ts'
import { type JournalEntry, outcomeOf, readJournal, type Told } from './journal.ts'
import { isObject, type Loose, minorOf, textAt } from './money.ts'
import { findUnasked } from './unasked.ts'

export interface RequestOptions {
  journal: string | Iterable<JournalEntry> | AsyncIterable<JournalEntry>
  /** The secret for references and keys, in base64. */
  idem: string
  /** What was there before the journal began. Absent: nothing. */
  since: Date | undefined
  /** Every wish is in the journal: what is not in it must not be there. */
  isWhole: boolean
  /** Sees each request too. */
  also: (told: Told) => void
}

export interface RequestFigures {
  requests: number
  done: number
  refused: number
  unknown: number
  /** Wishes that never got an answer. */
  unresolved: number
}

/** What one wish has come to, as far as the clients know. */
export interface Wish {
  sent: Told['sent']
  done: boolean
  unknown: boolean
  /** Of the first answer that said yes. */
  answer: string | undefined
}

export interface Known {
  idem: string
  /** Of groups and campaigns, whose requests name none. */
  currencies: ReadonlyMap<string, string>
}

const batchMost = 1_000

export async function checkRequests(
  db: Database,
  rules: { promised: Faults; unknown: Faults },
  options: RequestOptions,
): Promise<RequestFigures> {
  const figures: RequestFigures = { requests: 0, done: 0, refused: 0, unknown: 0, unresolved: 0 }
  const known: Known = { idem: options.idem, currencies: await currenciesOf(db) }
  const wishes = new Map<string, Wish>()
  const claimed = new Map<string, string>()
  let claims: Claim[] = []
  const verify = async () => {
    await verifyClaims(db, { claims, known, ...rules })
    claims = []
  }
  for await (const told of readJournal(options.journal)) {
    figures.requests += 1
    const outcome = outcomeOf(told)
    figures[outcome] += 1
    options.also(told)
    const isNews = note(wishes, told, rules.unknown)
    if (outcome !== 'done' || !isNews) continue
    const claim = claimOf(told, { known, faults: rules.promised })
    if (claim === undefined) continue
    noteClaim(claimed, claim, rules.promised)
    claims.push(claim)
    if (claims.length >= batchMost) await verify()
  }
  await verify()
  const all = [...wishes.values()]
  figures.unresolved = all.filter(({ done, unknown }) => unknown && !done).length
  if (options.isWhole)
    await findUnasked(db, { wishes: all, claimed, known, since: options.since, faults: rules.unknown })
  return figures
}

/** False: it is the answer to a wish that was answered before. */
function note(wishes: Map<string, Wish>, told: Told, faults: Faults): boolean {
  const { sent, answer } = told
  const name = wishName(sent)
  const outcome = outcomeOf(told)
  const wish = wishes.get(name) ?? { sent, done: false, unknown: false, answer: undefined }
  wishes.set(name, wish)
  if (outcome === 'unknown') wish.unknown = true
  if (outcome !== 'done' || answer === undefined) return true
  const first = !wish.done
  wish.done = true
  if (sent.key === undefined || sent.act === 'refund') return first
  const said = createHash('sha256').update(`${answer.status} ${answer.body}`).digest('base64')
  wish.answer ??= said
  if (wish.answer !== said)
    faults.add(
      `request ${sent.n} (${sent.act}, key ${sent.key}) was answered otherwise than the one before it`,
    )
  return first
}

function wishName(sent: Told['sent']): string {
  const { n, act, who, mode = 'live', route, key } = sent
  // Who confirms the same payment in several tabs wants it paid, once.
  if (act === 'pay') return JSON.stringify([who, mode, act, textAt(bodyOf(sent), 'payment')])
  return key === undefined ? `#${n}` : JSON.stringify([who, mode, route, key])
}

/** Two wishes never come to the same thing, but the shop's own name for a payment leads to the same one again. */
function noteClaim(claimed: Map<string, string>, { sent, target }: Claim, faults: Faults): void {
  const who = sent.key === undefined ? `request ${sent.n}` : `key ${sent.key} (request ${sent.n})`
  const other = claimed.get(target)
  if (other !== undefined && sent.act !== 'initiate' && sent.act !== 'refund')
    faults.add(`${other} and ${who} were both told of ${target}`)
  claimed.set(target, who)
}

async function currenciesOf(db: Database): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; currency: string }>(
    `select id, currency from groups.groups union all select id, currency from campaigns.campaigns`,
  )
  return new Map(rows.map(({ id, currency }) => [id, currency]))
}

/** The part of the address that its template calls `:id` or `:reference`. */
export const parameterOf = ({ route, path = '' }: Told['sent']): string => {
  const at =
    route
      .split(' ')
      .at(-1)
      ?.split('/')
      .findIndex((part) => part.startsWith(':')) ?? -1
  return at < 0 ? '' : (path.split('?')[0]?.split('/')[at] ?? '')
}

export const bodyOf = ({ body }: Told['sent']): Loose => (isObject(body) ? body : {})

/** Of the request, in minor units. */
export function wishedAmount(sent: Told['sent'], { currencies }: Known): bigint | undefined {
  const body = bodyOf(sent)
  const text = textAt(body, sent.act === 'initiate' ? 'payment_amount' : 'amount')
  const currency =
    textAt(body, 'currency') || textAt(body, 'currency_code') || currencies.get(parameterOf(sent))
  return minorOf(text, currency)
}
