// The events of test mode, to be asked for instead of being sent: a developer's computer has no public address. Each is
// given out as it would be sent, with its signature, so that the receiver can't tell the difference.
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Config } from '../config.ts'
import type { Queries } from '../db/db.ts'
import * as sql from './feed/sql.ts'
import { openHeaders } from './headers.ts'
import type { FedEvent } from './schema.ts'
import type { SigningKeys } from './sign.ts'

export interface FedPage {
  /** The oldest first. */
  events: FedEvent[]
  /** To be asked for next. */
  position: string
}

/** Without a position: the latest ones. */
export type EventFeed = (asked: {
  merchant: number
  after: string | undefined
  limit: number
}) => Promise<FedPage>

export interface EventFeedOptions {
  db: Queries
  clock: Clock
  config: Pick<Config, 'HEADER_PREFIX' | 'BRAND_NAME' | 'BASE_URL'>
  keysOf: (merchant: number, mode: 'live' | 'test') => Promise<SigningKeys | undefined>
}

export function openEventFeed({ db, clock, config, keysOf }: EventFeedOptions): EventFeed {
  const headersOf = openHeaders(config)
  return async ({ merchant, after, limit }) => {
    const rows = await readRows(db, { merchant, after, limit })
    const keys = await keysOf(merchant, 'test')
    check(keys !== undefined, 'a business has a Client Secret in test mode')
    const events = rows.filter(isEvent).map((row): FedEvent => {
      const { id, sequence, body } = row
      const headers = headersOf({ id, sequence, attempt: 1, body, at: clock.now() }, keys)
      return {
        id,
        event: row.event,
        kind: row.kind,
        reference: row.subject,
        sequence,
        url: row.url,
        created_at: row.at.toISOString(),
        headers: pairs(headers),
        body,
      }
    })
    return { events, position: positionOf(rows, after) }
  }
}

const isEvent = (row: sql.FedRow): row is sql.FedRow & { id: string } => row.id !== null

/** How far somebody has read: the transaction, and the number of the event in it. */
const positionForm = /^(\d{1,18})-(\d{1,18})$/

async function readRows(
  db: Queries,
  { merchant, after, limit }: Parameters<EventFeed>[0],
): Promise<sql.FedRow[]> {
  if (after === undefined) return sql.latestEvents(db, { merchant, limit })
  const [, transaction, number] = positionForm.exec(after) ?? []
  if (transaction === undefined || number === undefined) throw unknown()
  const rows = await sql.eventsAfter(db, { merchant, after: { transaction, number }, limit })
  // A transaction that has not begun yet: the position is of another database, from before it was restored.
  if (BigInt(transaction) > BigInt(rows[0]?.next ?? 0)) throw unknown()
  return rows
}

const wrongPosition = { after: 'After is not a position that this list gave out; start again without it' }
const unknown = () => new AppError('validation_failed', { errors: wrongPosition })

/** What its form says of it, to be told beside other wrong fields. */
export const positionProblems = (after: string): Record<string, string> =>
  positionForm.test(after) ? {} : wrongPosition

function positionOf(rows: readonly sql.FedRow[], after: string | undefined): string {
  const last = rows.at(-1)
  check(last !== undefined, 'a feed tells where it is')
  if (isEvent(last)) return `${last.written_by}-${last.number}`
  // Nothing was given out, so nothing lies before it. A number of today could be given out again after a crash.
  return after ?? '0-0'
}

/** Names and values in turn, as an object. */
const pairs = (list: readonly string[]): Record<string, string> =>
  Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1] ?? '']] : [])))
