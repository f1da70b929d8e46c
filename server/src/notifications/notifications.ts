// Where signed notifications leave. What must be told is written in the transaction of the change it tells of, and sent
// by workers at least once, in order a payment: the bytes and the id stay the same over all attempts. This room knows
// merchants by number only; their secrets, and how they are told of trouble, are handed in.
import { newId } from '../base/ids.ts'
import type { Tx } from '../db/db.ts'
import type { AlsoRow } from '../ledger/ledger.ts'
import { type GuardConfig, guardOf, originOf } from './guard.ts'
import * as sql from './sql.ts'

export { type Delivery, type DeliveryOptions, startDelivery } from './delivery.ts'
export { type EventFeed, openEventFeed, positionProblems } from './feed.ts'
export {
  endpoints,
  type ListOptions,
  list,
  type RangeOptions,
  replay,
  replayRange,
  resume,
  show,
  showToOperator,
  troubledEndpoints,
  waiting,
} from './log.ts'
export type { OnTrouble, Trouble } from './results.ts'
export {
  Endpoint,
  FedEvent,
  FedQuery,
  Notification,
  NotificationForOperator,
  NotificationParams,
  NotificationQuery,
  NotificationShown,
} from './schema.ts'
export { bodySignature, type Message, type SigningKeys, webhookSignature } from './sign.ts'

export interface NewEvent {
  /** `newEventId()` */
  id: string
  merchant: number
  mode: 'live' | 'test'
  /** The payment. */
  subject: string
  /** 1, 2, 3 … of the payment. */
  sequence: number
  /** `payment.completed` … */
  event: string
  kind: 'gateway' | 'callback'
  /** Null in test mode: there is nobody to send it to, and only who asks gets it. */
  url: string | null
  /** Exactly what is sent. */
  body: string
  at: Date
}

/** What receivers know it by: `msg_` and 131 random bits. */
export const newEventId = (): string => newId('msg')

/** For postings: written with the money, or not at all. */
export const outboxStatement = { text: sql.addEvents }

export const outboxRow = (event: NewEvent): AlsoRow => ({
  statement: outboxStatement,
  values: columnsOf(event),
})

const columnsOf = (event: NewEvent): unknown[] => [
  event.id,
  event.merchant,
  event.mode,
  event.subject,
  event.sequence,
  event.event,
  event.kind,
  event.url,
  event.url === null ? null : originOf(event.url),
  event.body,
  event.at,
]

/** For changes that move no money. */
export async function add(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(columnsOf)
  const columns = rows[0]?.map((_, column) => rows.map((row) => row[column])) ?? []
  await tx.prepared(sql.addEvents, columns)
}

/** What is wrong with an address for notifications, as the ends of sentences "IPN URL …". Empty: it may be used. */
export const checkTarget = (
  address: string,
  { mode, config }: { mode: 'live' | 'test'; config: GuardConfig },
): string[] => guardOf(config).targetProblems(address, mode)
